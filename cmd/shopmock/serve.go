package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"runtime/debug"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"shopcheck/cmd/manual"
	"shopcheck/fixtures"
	"shopcheck/mockserver"
	"shopcheck/mockserver/metrics"
)

// command is the program with all that it can do.
func command() *cobra.Command {
	root := rootOf(serveCommand(), listenCommand(), triggerCommand(), faultCommand(), clockCommand(), sandboxCommand(),
		snapshotCommand(), resetCommand(), exportCommand(), importCommand(), seedCommand(), openapiCommand(), collectionCommand(),
		readyCommand(), initCommand(), verdictCommand(), manual.Command())
	root.Version = manual.Version()
	root.SetVersionTemplate("{{.Name}} {{.Version}}\n")
	return root
}

// commandFor is the program as some arguments need it: a shop that starts waits for no commands that nobody has called.
func commandFor(args []string) *cobra.Command {
	if len(args) == 0 || args[0] != serveName {
		return command()
	}
	serving := rootOf(serveCommand())
	serving.CompletionOptions.DisableDefaultCmd = true
	return serving
}

func rootOf(commands ...*cobra.Command) *cobra.Command {
	root := &cobra.Command{
		Use:           "shopmock",
		Short:         "The reference shop of the storefront API contract, in memory.",
		SilenceUsage:  true,
		SilenceErrors: true,
	}
	root.AddCommand(commands...)
	fromEnvironment(root)
	manual.TellUsage(root)
	return root
}

// serveName is what the command that runs the shop is called.
const serveName = "serve"

type serveFlags struct {
	listen, seed, scale     string
	site, nonce             string
	nonceReject             string
	dialect, contract       string
	randomSeed              uint64
	allowOrigins            []string
	log, privateWebhooks    bool
	tls, strict, trustProxy bool
	journal                 int
	sandboxIdle             time.Duration
	faults, data, advice    string
	cluster, reads          string
	clock, sync             string
	freeze, public, gzip    bool
}

func serveCommand() *cobra.Command {
	var flags serveFlags
	serve := &cobra.Command{
		Use:   serveName,
		Short: "Run the shop until it is interrupted.",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return run(cmd.Context(), cmd.OutOrStdout(), cmd.ErrOrStderr(), flags)
		},
	}
	serve.Flags().StringVar(&flags.listen, "listen", "127.0.0.1:8080", "address to listen on; port 0 takes a free one")
	serve.Flags().StringVar(&flags.seed, "seed", fixtures.DemoSeed, "what the shop starts with: "+strings.Join(fixtures.Seeds(), " or ")+
		", or a file of your own (.yaml, .json, .csv; shopmock seed schema describes it)")
	serve.Flags().StringVar(&flags.scale, "scale", "",
		"make up records until the seed has so many: products=100000,orders=50000; customers=… too. Always the same ones")
	serve.Flags().
		StringVar(&flags.site, "site", "", "address that links in answers begin with (default: the one that each request was sent to)")
	serve.Flags().
		StringVar(&flags.nonce, "nonce", string(mockserver.RotateNonce),
			"rotate: each answer's nonce replaces the one before; stable: one nonce for its whole life")
	serve.Flags().
		StringVar(&flags.nonceReject, "nonce-reject", "0%",
			"share of good nonces that are refused, never two in a row: does a client take the new one and try again? At most 50%")
	serve.Flags().
		Uint64Var(&flags.randomSeed, "random-seed", 0,
			"with equal numbers and requests two shops give equal keys and tokens; 0: nobody can guess these")
	serve.Flags().
		StringVar(&flags.dialect, "dialect", "",
			"file of one more dialect to answer in; the contract's (/shop/v3/…) and woocommerce's (/wp-json/wc/v3/…) are always answered")
	serve.Flags().BoolVar(&flags.log, "log", false, "write a line for each request to standard error")
	serve.Flags().
		BoolVar(&flags.privateWebhooks, "allow-private-webhooks", false,
			"deliver webhooks to private and link-local addresses too, not only to public ones and this machine")
	serve.Flags().
		BoolVar(&flags.tls, "tls", false,
			"serve HTTPS, with a certificate that is made at start; what clients need to trust it is written to a file")
	serve.Flags().
		StringSliceVar(&flags.allowOrigins, "allow-origin", nil,
			"origin whose pages may use the shop with cookies, and /_mock, besides those of this machine: https://app.example.com; may "+
				"be repeated")
	serve.Flags().BoolVar(&flags.strict, "strict", false, "take Basic authentication over HTTPS only, from this machine too")
	serve.Flags().BoolVar(&flags.trustProxy, "trust-proxy", false, "believe X-Forwarded-Proto, -Host and -For: a proxy in front sets them")
	serve.Flags().IntVar(&flags.journal, "journal", 0,
		"how many requests are kept with their answers, for /_mock/requests; 0: the newest 1000, -1: none")
	serve.Flags().StringVar(&flags.advice, "advice", string(mockserver.AdviceOn),
		"watch what clients do wrong without failing, for shopmock verdict and /_mock/advice: on; header: answers name it, too; off")
	serve.Flags().StringVar(&flags.faults, "faults", "",
		"what goes wrong on purpose: a file of rules in YAML or JSON, or one of "+strings.Join(mockserver.FaultScenarios(), ", "))
	serve.Flags().BoolVar(&flags.public, "public", false,
		"listen at all addresses, for phones and containers, and take keys over HTTP from there: everybody on these networks can read them")
	serve.Flags().BoolVar(&flags.gzip, "gzip", false, "compress answers for clients on this machine that ask, too")
	serve.Flags().DurationVar(&flags.sandboxIdle, "sandbox-idle", 4*time.Hour,
		"time after which a sandbox that nobody calls makes room for others")
	serve.Flags().StringVar(&flags.contract, "contract", "",
		"address of the contract document, for links from the console to its sections")
	serve.Flags().StringVar(&flags.clock, "clock", "",
		"moment at which the shop's clock begins, such as 2026-03-01T12:00:00Z (default: the system's time)")
	serve.Flags().BoolVar(&flags.freeze, "freeze", false, "let the shop's clock stand where it begins: shopmock clock moves it")
	serve.Flags().StringVar(&flags.data, "data", "",
		"folder in which the shop is kept, each change before it is answered; it goes on there at the next start, and --seed is only "+
			"for the first one (default: memory alone)")
	serve.Flags().StringVar(&flags.cluster, "cluster", "",
		"address of a NATS server with JetStream, and the name of the shop: this process is one of any number of replicas of it, such as "+
			"nats://127.0.0.1:4222/shop (default: it has the shop to itself)")
	serve.Flags().StringVar(&flags.reads, "reads", linearizable,
		"linearizable: a replica answers with what all of them had done when the request came; local: reads may see less than that")
	serve.Flags().StringVar(&flags.sync, "sync", syncCommit,
		"with --data: commit: each change is on the disk before it is answered; interval: within a second, which is faster, and what came "+
			"in the last one is lost when the process is killed")
	return serve
}

func run(ctx context.Context, out, errOut io.Writer, flags serveFlags) (err error) {
	built := collectLater(ctx)
	start, err := momentOf(flags.clock)
	if err != nil {
		return err
	}
	options, err := flags.options(start, errOut)
	if err != nil {
		return err
	}
	address, err := addressOf(flags)
	if err != nil {
		return err
	}
	storage, err := flags.storage(errOut)
	if err != nil {
		return err
	}
	if storage != nil {
		defer func() { err = errors.Join(err, storage.Close()) }()
		options.Storage = storage
	}
	server, err := mockserver.Listen(address, options)
	built()
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, server.Close()) }()
	for _, note := range server.SeedNotes() {
		fmt.Fprintf(errOut, "shopmock: seed %s: %s\n", flags.seed, note)
	}
	if err := errors.Join(setClock(server, start, flags.freeze), loadFaults(server, flags.faults)); err != nil {
		return err
	}
	curl, forget, err := curlFor(server)
	if err != nil {
		return err
	}
	defer forget()
	server.ServeMetrics(metrics.Handler(server))
	greet(out, server, flags, curl)
	select {
	case <-ctx.Done():
	case <-time.After(settled):
		debug.FreeOSMemory() // what the start needed: the shop that is left takes a part of it
		unmapProgram()
		<-ctx.Done()
	}
	fmt.Fprintln(out, "shopmock: stopping")
	return nil
}

// addressOf is where the shop listens: at all addresses when it is public and nobody named one of other machines.
func addressOf(flags serveFlags) (string, error) {
	if !flags.public {
		return flags.listen, nil
	}
	host, port, err := net.SplitHostPort(flags.listen)
	if err != nil {
		return "", fmt.Errorf("--listen %q: take host:port, such as :8080", flags.listen)
	}
	if ip := net.ParseIP(host); host == "localhost" || ip != nil && ip.IsLoopback() {
		host = ""
	}
	return net.JoinHostPort(host, port), nil
}

// tellSettings says what a shop that was kept goes on with, where nobody asked for it now.
func tellSettings(out io.Writer, server *mockserver.Server, flags serveFlags) {
	now := server.Now()
	if flags.clock == "" && !flags.freeze && time.Since(now).Abs() > time.Second {
		fmt.Fprintf(out, "Its clock shows %s, as it was kept: shopmock clock reset lets it follow this machine's.\n\n",
			now.UTC().Format(time.RFC3339))
	}
	if count := len(server.Faults()); flags.faults == "" && count > 0 {
		fmt.Fprintf(out, "It goes wrong on purpose, as it was kept (rules: %d): shopmock fault clear ends that.\n\n", count)
	}
}

// setClock lets the clock of a shop begin at a moment, whatever it showed when it was kept; the zero time leaves it. Frozen it stands
// there.
func setClock(server *mockserver.Server, start time.Time, frozen bool) (err error) {
	if !start.IsZero() {
		err = server.ResetClock()
	}
	if !frozen || err != nil {
		return err
	}
	if err = server.FreezeClock(); err != nil || start.IsZero() {
		return err
	}
	return server.SetClock(start)
}

// settled is how long after it is ready a shop gives memory back: the first requests need not wait for that.
const settled = 300 * time.Millisecond

// loadFaults gives a server the rules of a scenario, or of a file.
func loadFaults(server *mockserver.Server, name string) error {
	if name == "" {
		return nil
	}
	if slices.Contains(mockserver.FaultScenarios(), name) {
		return server.UseScenario(name)
	}
	text, err := os.ReadFile(name)
	if err != nil {
		return fmt.Errorf("--faults %q is no scenario (%s), and no file that can be read: %w", name,
			strings.Join(mockserver.FaultScenarios(), ", "), err)
	}
	if err := server.LoadFaults(text); err != nil {
		return fmt.Errorf("--faults %s: %w", name, err)
	}
	return nil
}

// curlFor returns how curl is called so that it trusts the server, and forgets what that takes.
func curlFor(server *mockserver.Server) (curl string, forget func(), err error) {
	certificate := server.CertPEM()
	if certificate == nil {
		return "curl", func() {}, nil
	}
	trusted, err := writeTrusted(certificate)
	if err != nil {
		return "", nil, err
	}
	return "curl --cacert " + trusted, func() { os.Remove(trusted) }, nil //nolint:errcheck // a file in the temporary folder
}

// writeTrusted writes the certificate that clients are to trust to a file of its own, and returns its path.
func writeTrusted(certificate []byte) (string, error) {
	file, err := os.CreateTemp("", "shopmock-*.pem")
	if err != nil {
		return "", fmt.Errorf("cannot write the certificate for clients: %w", err)
	}
	_, err = file.Write(certificate)
	if err = errors.Join(err, file.Close()); err != nil {
		return "", fmt.Errorf("cannot write the certificate for clients: %w", err)
	}
	return file.Name(), nil
}

const greeting = `shopmock: the %[2]s shop at %[1]s

  API keys   ck_mock_rw:cs_mock_rw (read and write)   ck_mock_r:cs_mock_r (read)   ck_mock_w:cs_mock_w (write)
             ck_mock_revoked:cs_mock_revoked (revoked)
  User       admin / password
  Console    %[1]s/_mock/

Try:
  %[3]s -u ck_mock_rw:cs_mock_rw '%[1]s/shop/v3/products?per_page=2'
  %[3]s -i '%[1]s/shop/store/v1/cart'
  %[3]s -d username=admin -d password=password '%[1]s/jwt-auth/v1/token'
  %[3]s -X POST '%[1]s/_mock/reset'

`

const publicGreeting = `Other machines reach it at
%s
  The keys above are no secret there: everybody on these networks can read them on the way, use them and change this shop. Keep nothing
  in it that is real. Pages of other sites cannot use /_mock, there as here.

`

func greet(out io.Writer, server *mockserver.Server, flags serveFlags, curl string) {
	fmt.Fprintf(out, greeting, server.URL(), flags.seed, curl)
	if flags.data != "" {
		fmt.Fprintf(out, "Kept in %s, %s\n\n", flags.data, map[string]string{
			syncCommit:   "on the disk before each answer.",
			syncInterval: fmt.Sprintf("on the disk within %v: a process that is killed loses that much (--sync interval).", interval),
		}[flags.sync])
		tellSettings(out, server, flags)
	}
	if flags.public {
		addresses := strings.Join(server.Addresses(), "\n  ")
		if addresses == "" {
			addresses = "no address that works: this machine is in no network, or a firewall is in the way"
		}
		fmt.Fprintf(out, publicGreeting, "  "+addresses)
	}
	fmt.Fprintf(out, "shopmock: ready at %s\n", server.URL())
}
