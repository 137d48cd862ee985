package main

// shopmock listen: a small receiver of webhooks, to see what a shop sends.

import (
	"bytes"
	"cmp"
	"context"
	"crypto/hmac"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"time"
	"unicode"

	"github.com/spf13/cobra"
	"github.com/tidwall/gjson"
	"golang.org/x/net/netutil"

	"shopcheck/fixtures/dialects"
	"shopcheck/mockserver"
)

type listenFlags struct {
	listen, secret    string
	forwardTo         string
	dialect           string
	body, printSecret bool
}

func listenCommand() *cobra.Command {
	var flags listenFlags
	listen := &cobra.Command{
		Use:   "listen --secret SECRET [--forward-to URL]",
		Short: "Receive webhooks: verify each signature, print what happened, and pass it on, until interrupted.",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return runListen(cmd.Context(), cmd.OutOrStdout(), flags)
		},
	}
	listen.Flags().StringVar(&flags.listen, "listen", "127.0.0.1:8081", "address to listen on; port 0 takes a free one")
	listen.Flags().StringVar(&flags.secret, "secret", "", "the webhook's secret, which its signatures are made with")
	listen.Flags().BoolVar(&flags.body, "body", false, "print the payloads too")
	listen.Flags().StringVar(&flags.forwardTo, "forward-to", "",
		"address of your app, http://localhost:3000/hook: it gets what is signed well, and its status is the answer to the shop")
	listen.Flags().BoolVar(&flags.printSecret, "print-secret", false,
		"print the secret to register webhooks with; without --secret, a new one")
	listen.Flags().StringVar(&flags.dialect, "dialect", "",
		"file of the dialect that deliveries come in; those of the dialects that are built in are always understood")
	return listen
}

func runListen(ctx context.Context, out io.Writer, flags listenFlags) error {
	if err := checkForwarding(flags.forwardTo); err != nil {
		return err
	}
	spoken, err := dialects.Spoken(flags.dialect)
	if err != nil {
		return err
	}
	if flags.secret == "" && !flags.printSecret {
		return errors.New("give --secret, the one that the webhook was registered with, or --print-secret, " +
			"which makes one to register it with")
	}
	if flags.printSecret {
		flags.secret = cmp.Or(flags.secret, "whsec_"+rand.Text())
		fmt.Fprintf(out, "shopmock: the secret is %s\n", flags.secret)
	}
	listener, err := net.Listen("tcp", flags.listen)
	if err != nil {
		return fmt.Errorf("cannot listen on %s: %w; give another host:port, port 0 for any free one", flags.listen, err)
	}
	fmt.Fprintf(out, "shopmock: receiving webhooks at http://%s\n", listener.Addr())
	server := &http.Server{
		Handler: &receiver{secret: flags.secret, spoken: spoken, forwardTo: flags.forwardTo, body: flags.body, out: out,
			onward: newOnward(), mark: "1.1 shopmock-listen-" + rand.Text()},
		ReadHeaderTimeout: 10 * time.Second,
		ReadTimeout:       30 * time.Second,
	}
	stop := context.AfterFunc(ctx, func() { server.Close() })
	defer stop()
	if err := server.Serve(netutil.LimitListener(listener, maxShops)); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}

// Headers of a delivery, by the contract's names (contract, "Events"; all but the signature are the choice of the shops of this family).
const (
	headerTopic      = "X-Shop-Webhook-Topic"
	headerSignature  = "X-Shop-Webhook-Signature"
	headerID         = "X-Shop-Webhook-ID"
	headerDeliveryID = "X-Shop-Webhook-Delivery-ID"
)

// receiver answers as the contract asks a receiver to: 200, or 401 when the signature does not fit (contract, "Events").
type receiver struct {
	secret    string
	spoken    []dialects.Dialect
	forwardTo string // "": nothing is passed on
	onward    *http.Transport
	mark      string // in the header Via of what was passed on; no other receiver has it
	body      bool

	mu  sync.Mutex // one line at a time
	out io.Writer
}

const (
	maxEvent = 2 << 20 // bytes of a payload
	maxShops = 100     // connections, each with a payload; more wait
)

// newOnward makes a connection for each event: an app that sends something unasked reaches nobody.
func newOnward() *http.Transport {
	onward := http.DefaultTransport.(*http.Transport).Clone()
	onward.DisableKeepAlives, onward.MaxResponseHeaderBytes = true, 64<<10
	return onward
}

func (r *receiver) ServeHTTP(w http.ResponseWriter, request *http.Request) {
	payload, err := io.ReadAll(http.MaxBytesReader(w, request.Body, maxEvent))
	if err != nil {
		r.print("refused: a payload that is too long, or broke off")
		w.WriteHeader(http.StatusRequestEntityTooLarge)
		return
	}
	header := r.neutral(request.Header)
	signature := header.Get(headerSignature)
	if signature == "" && isPing(payload) {
		r.print("ping, not signed: " + cut(printable(string(payload))))
		r.passOn(w, request, payload)
		return
	}
	if !hmac.Equal([]byte(signature), []byte(mockserver.SignWebhook(r.secret, payload))) {
		why := "the signature does not fit the payload and the secret"
		if signature == "" {
			why = "the signature is missing (" + headerSignature + ")"
		}
		r.print("refused: " + why + ": " + describe(header, payload))
		w.WriteHeader(http.StatusUnauthorized)
		return
	}
	r.print("signature ok: " + describe(header, payload))
	if r.body {
		r.print("  " + printable(string(payload)))
	}
	r.passOn(w, request, payload)
}

// passOn gives an event to the app, unchanged, and the app's status to the shop: its log of deliveries tells what became of it.
func (r *receiver) passOn(w http.ResponseWriter, request *http.Request, payload []byte) {
	if r.forwardTo == "" {
		return
	}
	if strings.Contains(strings.Join(request.Header.Values("Via"), ","), r.mark) {
		r.print("  not passed on: it was before, and came back; give --forward-to the address of your app, not of this receiver")
		w.WriteHeader(http.StatusLoopDetected)
		return
	}
	ctx, cancel := context.WithTimeout(request.Context(), forwardTime)
	defer cancel()
	onward, err := http.NewRequestWithContext(ctx, http.MethodPost, r.forwardTo, bytes.NewReader(payload))
	if err != nil {
		panic(err) // the address was looked at before
	}
	onward.Header = request.Header.Clone()
	for _, ofTheConnection := range []string{"Connection", "Accept-Encoding", "Transfer-Encoding", "Content-Length"} {
		onward.Header.Del(ofTheConnection)
	}
	onward.Header.Add("Via", r.mark)
	answer, err := r.onward.RoundTrip(onward) // a redirect is the app's answer, too
	if err == nil {
		answer.Body.Close()
		if answer.StatusCode < http.StatusOK {
			err = fmt.Errorf("the app answered %d, which is no answer to an event: take a status from 200 on", answer.StatusCode)
		}
	}
	if err != nil {
		r.print("  not passed on: " + printable(err.Error()))
		w.WriteHeader(http.StatusBadGateway)
		return
	}
	r.print(fmt.Sprintf("  passed on: %d", answer.StatusCode))
	w.WriteHeader(answer.StatusCode)
}

// forwardTime is how long the app may take.
const forwardTime = 10 * time.Second

// checkForwarding returns an error for what is no address to pass events on to; "" is none at all.
func checkForwarding(address string) error {
	parsed, err := url.Parse(address)
	if address == "" || err == nil && parsed.Host != "" && (parsed.Scheme == "http" || parsed.Scheme == "https") {
		return nil
	}
	return fmt.Errorf("nothing can be passed on to %q: give an address such as http://localhost:3000/hook", address)
}

// neutral returns the header of a delivery under the contract's names, whatever dialect it came in.
func (r *receiver) neutral(received http.Header) http.Header {
	for _, d := range r.spoken {
		own := d.FromNeutral()
		if received.Get(own.Header(headerSignature)) != "" || received.Get(own.Header(headerTopic)) != "" {
			renamed := received.Clone()
			d.ToNeutral().RenameHeaders(renamed)
			return renamed
		}
	}
	return received
}

// isPing reports whether a payload only announces a webhook; many shops do not sign that.
func isPing(payload []byte) bool { return strings.HasPrefix(string(payload), "webhook_id=") }

// describe tells in one line what a delivery is about.
func describe(received http.Header, payload []byte) string {
	header := func(name string) string { return cut(printable(received.Get(name))) }
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
