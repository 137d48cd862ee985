package main

// shopmock listen: a small receiver of webhooks, to see what a shop sends.

import (
	"context"
	"crypto/hmac"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"time"
	"unicode"

	"github.com/spf13/cobra"
	"github.com/tidwall/gjson"

	"shopcheck/mockserver"
)

type listenFlags struct {
	listen, secret string
	body           bool
}

func listenCommand() *cobra.Command {
	var flags listenFlags
	listen := &cobra.Command{
		Use:   "listen --secret SECRET",
		Short: "Receive webhooks: verify each signature and print what happened, until interrupted.",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return runListen(cmd.Context(), cmd.OutOrStdout(), flags)
		},
	}
	listen.Flags().StringVar(&flags.listen, "listen", "127.0.0.1:8081", "address to listen on; port 0 takes a free one")
	listen.Flags().StringVar(&flags.secret, "secret", "", "the webhook's secret, which its signatures are made with")
	listen.Flags().BoolVar(&flags.body, "body", false, "print the payloads too")
	listen.MarkFlagRequired("secret") //nolint:errcheck // the flag is there
	return listen
}

func runListen(ctx context.Context, out io.Writer, flags listenFlags) error {
	listener, err := net.Listen("tcp", flags.listen)
	if err != nil {
		return fmt.Errorf("cannot listen on %s: %w; give another host:port, port 0 for any free one", flags.listen, err)
	}
	fmt.Fprintf(out, "shopmock: receiving webhooks at http://%s\n", listener.Addr())
	server := &http.Server{
		Handler:           &receiver{secret: flags.secret, body: flags.body, out: out},
		ReadHeaderTimeout: 10 * time.Second,
		ReadTimeout:       30 * time.Second,
	}
	stop := context.AfterFunc(ctx, func() { server.Close() })
	defer stop()
	if err := server.Serve(listener); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}

// Headers of a delivery (contract, "Events"; all but the signature are the choice of the shops of this family).
const (
	headerTopic      = "X-Shop-Webhook-Topic"
	headerSignature  = "X-Shop-Webhook-Signature"
	headerID         = "X-Shop-Webhook-ID"
	headerDeliveryID = "X-Shop-Webhook-Delivery-ID"
)

// receiver answers as the contract asks a receiver to: 200, or 401 when the signature does not fit (contract, "Events").
type receiver struct {
	secret string
	body   bool

	mu  sync.Mutex // one line at a time
	out io.Writer
}

const maxEvent = 2 << 20 // bytes of a payload

func (r *receiver) ServeHTTP(w http.ResponseWriter, request *http.Request) {
	payload, err := io.ReadAll(http.MaxBytesReader(w, request.Body, maxEvent))
	if err != nil {
		r.print("refused: a payload that is too long, or broke off")
		w.WriteHeader(http.StatusRequestEntityTooLarge)
		return
	}
	if isUnsignedPing(request, payload) {
		r.print("ping, not signed: " + cut(printable(string(payload))))
		return
	}
	signature := request.Header.Get(headerSignature)
	if !hmac.Equal([]byte(signature), []byte(mockserver.SignWebhook(r.secret, payload))) {
		r.print("refused: the signature does not fit the payload and the secret: " + describe(request, payload))
		w.WriteHeader(http.StatusUnauthorized)
		return
	}
	r.print("signature ok: " + describe(request, payload))
	if r.body {
		r.print("  " + printable(string(payload)))
	}
}

// isUnsignedPing reports whether a request only announces a webhook; many shops do not sign that.
func isUnsignedPing(request *http.Request, payload []byte) bool {
	return request.Header.Get(headerSignature) == "" && strings.HasPrefix(string(payload), "webhook_id=")
}

// describe tells in one line what a delivery is about.
func describe(request *http.Request, payload []byte) string {
	header := func(name string) string { return cut(printable(request.Header.Get(name))) }
	about := header(headerTopic)
	if about == "" {
		about = cut(printable(string(payload)))
	} else if id := gjson.GetBytes(payload, "id"); id.Type == gjson.Number {
		about += " " + id.String()
	}
	return fmt.Sprintf("%s (webhook %s, delivery %s, %d bytes)", about, header(headerID), header(headerDeliveryID), len(payload))
}

func (r *receiver) print(line string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	fmt.Fprintln(r.out, line)
}

// printable keeps what a stranger sent from acting on the terminal.
func printable(text string) string {
	return strings.Map(func(c rune) rune {
		if unicode.IsPrint(c) {
			return c
		}
		return '·'
	}, text)
}

const maxShown = 100

func cut(text string) string {
	if runes := []rune(text); len(runes) > maxShown {
		return string(runes[:maxShown]) + "…"
	}
	return text
}
