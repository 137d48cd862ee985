package main

// How the commands that steer a running shop call it.

import (
	"cmp"
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"strings"

	"github.com/spf13/cobra"
	"github.com/tidwall/gjson"

	"shopcheck/reports"
)

// shopFlags say which running shop a command steers.
type shopFlags struct {
	url, sandbox, caFile string
}

// add gives a command and those below it the flags.
func (f *shopFlags) add(command *cobra.Command) {
	flags := command.PersistentFlags()
	flags.StringVar(&f.url, "url", "http://127.0.0.1:8080", "where the shop is reached")
	flags.StringVar(&f.sandbox, "sandbox", "", "name of the sandbox that is meant (default: the server's own shop)")
	flags.StringVar(&f.caFile, "cacert", "", "file of the certificate to trust, as shopmock serve --tls names it")
}

// maxAnswer is how much of an answer is read.
const maxAnswer = 1 << 30

// call sends a request to the mock's own API of the shop, and returns the body of its answer. An error of the shop is told in its words.
func (f *shopFlags) call(ctx context.Context, method, path string, body io.Reader) ([]byte, error) {
	address := "/_mock/" + path
	if f.sandbox != "" {
		address = "/s/" + f.sandbox + address
	}
	return f.send(ctx, method, address, body)
}

// send sends a request to a path of the server.
func (f *shopFlags) send(ctx context.Context, method, path string, body io.Reader) ([]byte, error) {
	client, err := f.client()
	if err != nil {
		return nil, err
	}
	defer client.CloseIdleConnections()
	request, err := http.NewRequestWithContext(ctx, method, strings.TrimSuffix(f.url, "/")+path, body)
	if err != nil {
		return nil, fmt.Errorf("--url %q: %w", f.url, err)
	}
	if body != nil {
		request.Header.Set("Content-Type", "application/json")
	}
	response, err := client.Do(request)
	if err != nil {
		return nil, fmt.Errorf("no shop answers at %s: %w; start one with shopmock serve, or name it with --url", f.url, err)
	}
	defer response.Body.Close()
	text, err := io.ReadAll(io.LimitReader(response.Body, maxAnswer))
	if err != nil {
		return nil, fmt.Errorf("the answer of %s broke off: %w", f.url, err)
	}
	if response.StatusCode >= http.StatusBadRequest {
		return nil, refusal(response.Status, text)
	}
	return text, nil
}

// refusal is what the shop says of a call that it refuses: of its parameters, if it says something of them.
func refusal(status string, text []byte) error {
	said := cmp.Or(gjson.GetBytes(text, "message").Str, "no shopmock answers there")
	gjson.GetBytes(text, "data.params").ForEach(func(_, reason gjson.Result) bool {
		said = reason.Str // it says more
		return false
	})
	return fmt.Errorf("%s: %s", printable(status), printable(said))
}

// harmless writes what a shop said so that nothing of it acts on a terminal.
type harmless struct{ io.Writer }

// Write implements io.Writer.
func (h harmless) Write(said []byte) (int, error) {
	_, err := io.WriteString(h.Writer, reports.Sanitize(string(said)))
	return len(said), err
}

func (f *shopFlags) client() (*http.Client, error) {
	transport := &http.Transport{}
	if f.caFile != "" {
		certificate, err := os.ReadFile(f.caFile)
		if err != nil {
			return nil, fmt.Errorf("--cacert: %w", err)
		}
		trusted := x509.NewCertPool()
		if !trusted.AppendCertsFromPEM(certificate) {
			return nil, fmt.Errorf("--cacert %s holds no certificate in PEM", f.caFile)
		}
		transport.TLSClientConfig = &tls.Config{RootCAs: trusted, MinVersion: tls.VersionTLS12}
	}
	return &http.Client{Transport: transport}, nil
}

// jsonBody is the body of a request.
func jsonBody(value any) io.Reader {
	text, err := json.Marshal(value)
	if err != nil {
		panic(err) // texts, numbers and flags can always be written
	}
	return strings.NewReader(string(text))
}
