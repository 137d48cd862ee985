package main

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"strings"

	"github.com/spf13/cobra"

	"shopcheck/fixtures"
	"shopcheck/mockserver"
	"shopcheck/mockserver/auth"
)

func command() *cobra.Command {
	root := &cobra.Command{
		Use:           "shopmock",
		Short:         "The reference shop of the storefront API contract, in memory.",
		SilenceUsage:  true,
		SilenceErrors: true,
	}
	root.AddCommand(serveCommand(), listenCommand())
	return root
}

type serveFlags struct {
	listen, seed, site, nonce string
	log, privateWebhooks      bool
}

func serveCommand() *cobra.Command {
	var flags serveFlags
	serve := &cobra.Command{
		Use:   "serve",
		Short: "Run the shop until it is interrupted.",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return run(cmd.Context(), cmd.OutOrStdout(), cmd.ErrOrStderr(), flags)
		},
	}
	serve.Flags().StringVar(&flags.listen, "listen", "127.0.0.1:8080", "address to listen on; port 0 takes a free one")
	serve.Flags().StringVar(&flags.seed, "seed", fixtures.DemoSeed, "what the shop starts with: "+strings.Join(fixtures.Seeds(), " or "))
	serve.Flags().StringVar(&flags.site, "site", "", "address that links in answers begin with (default: the one that each request was sent to)")
	serve.Flags().StringVar(&flags.nonce, "nonce", string(auth.RotateNonce), "rotate: each answer's nonce replaces the one before; stable: one nonce for its whole life")
	serve.Flags().BoolVar(&flags.log, "log", false, "write a line for each request to standard error")
	serve.Flags().BoolVar(&flags.privateWebhooks, "allow-private-webhooks", false, "deliver webhooks to private and link-local addresses too, not only to public ones and this machine")
	return serve
}

func run(ctx context.Context, out, errOut io.Writer, flags serveFlags) error {
	options := mockserver.Options{Seed: flags.seed, Site: flags.site, Nonce: auth.NonceMode(flags.nonce)}
	options.Webhooks.AllowPrivate = flags.privateWebhooks
	if flags.log {
		options.Log = slog.New(slog.NewTextHandler(errOut, nil))
	}
	if options.Nonce != auth.RotateNonce && options.Nonce != auth.StableNonce {
		return fmt.Errorf("--nonce %q: take %s or %s", flags.nonce, auth.RotateNonce, auth.StableNonce)
	}
	server, err := mockserver.Listen(flags.listen, options)
	if err != nil {
		return err
	}
	greet(out, server.URL(), flags.seed)
	<-ctx.Done()
	fmt.Fprintln(out, "shopmock: stopping")
	return server.Close()
}

const greeting = `shopmock: the %[2]s shop at %[1]s

  API keys   ck_mock_rw:cs_mock_rw (read and write)   ck_mock_r:cs_mock_r (read)   ck_mock_w:cs_mock_w (write)
             ck_mock_revoked:cs_mock_revoked (revoked)
  User       admin / password

Try:
  curl -u ck_mock_rw:cs_mock_rw '%[1]s/shop/v3/products?per_page=2'
  curl -i '%[1]s/shop/store/v1/cart'
  curl -X POST '%[1]s/_mock/reset'

shopmock: ready at %[1]s
`

func greet(out io.Writer, url, seed string) { fmt.Fprintf(out, greeting, url, seed) }
