package shopmock

import (
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"
)

// TestBodiesThatNobodyReadsEnd begins bodies that never end, to a handler that does not read them, and goes on sending now and then: each
// is answered, and the connection ends.
func TestBodiesThatNobodyReadsEnd(t *testing.T) {
	const limit = 300 * time.Millisecond
	address := served(t, lingering(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(http.StatusTeapot)
	}), limit), time.Second)
	for _, body := range []string{
		"Transfer-Encoding: chunked\r\n\r\n100000\r\n", "Content-Length: 100000\r\n\r\n", "Content-Length: 1000000\r\n\r\n",
	} {
		t.Run(body, func(t *testing.T) {
			t.Parallel()
			client := dial(t, address)
			client.SetDeadline(time.Now().Add(5 * time.Second)) //nolint:errcheck // reading tells
			fmt.Fprint(client, "POST / HTTP/1.1\r\nHost: x\r\n"+body)
			go func() {
				for _, err := io.WriteString(client, "x"); err == nil; _, err = io.WriteString(client, "x") {
					time.Sleep(limit / 3)
				}
			}()
			answer, err := io.ReadAll(client)
			if !strings.HasPrefix(string(answer), "HTTP/1.1 418") || err != nil && !strings.Contains(err.Error(), "reset") {
				t.Errorf("%q %v", answer, err)
			}
		})
	}
}
