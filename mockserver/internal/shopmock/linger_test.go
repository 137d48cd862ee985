package shopmock_test

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"shopcheck/mockserver/internal/shopmock"
)

const addItemLine = "POST /shop/store/v1/cart/add-item HTTP/1.1\r\nHost: 127.0.0.1\r\n"

// TestWhoSendsTooMuchReadsWhy sends whole bodies before it reads, as many clients do: those are answered, be they too large or of a
// stranger, with their length promised or not.
func TestWhoSendsTooMuchReadsWhy(t *testing.T) {
	t.Parallel()
	shop := shopmock.Start(t, shopmock.Options{})
	const size = 30 << 20 // more than sockets hold
	body := strings.Repeat(" ", size)
	promised := fmt.Sprintf("Content-Length: %d\r\n\r\n%s", size, body)
	for name, c := range map[string]struct {
		request string
		want    int
	}{
		"too large":          {addItemLine + promised, 413},
		"of no known length": {fmt.Sprintf("%sTransfer-Encoding: chunked\r\n\r\n%x\r\n%s\r\n0\r\n\r\n", addItemLine, size, body), 413},
		"a wrong key":        {"POST /shop/v3/products HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Basic eDp5\r\n" + promised, 401},
	} {
		t.Run(name, func(t *testing.T) {
			client := connect(t, shop)
			for left := c.request; left != ""; {
				n, err := io.WriteString(client, left[:min(1<<20, len(left))])
				if err != nil {
					t.Fatalf("%d bytes were left to send when this came: %v", len(left), err)
				}
				left = left[n:]
				time.Sleep(30 * time.Millisecond) // the whole takes longer than net/http waits for
			}
			wantEnvelope(t, client, c.want)
		})
	}
}

// TestWhoIsToldToSendReadsWhy sends a body that is too large when it is asked for it.
func TestWhoIsToldToSendReadsWhy(t *testing.T) {
	t.Parallel()
	client := connect(t, shopmock.Start(t, shopmock.Options{}))
	const size = 30 << 20
	fmt.Fprintf(client, addItemLine+"Content-Length: %d\r\nExpect: 100-continue\r\n\r\n", size)
	answers := bufio.NewReader(client)
	if line, err := answers.ReadString('\n'); !strings.HasPrefix(line, "HTTP/1.1 100") {
		t.Fatalf("%q %v", line, err)
	}
	for left := size; left > 0; left -= 1 << 20 {
		if _, err := client.Write(make([]byte, 1<<20)); err != nil {
			t.Fatalf("%d bytes were left to send when this came: %v", left, err)
		}
		time.Sleep(30 * time.Millisecond)
	}
	answers.ReadString('\n') //nolint:errcheck // the end of the head of the 100
	wantEnvelope(t, answers, 413)
}

// TestWhoNeedNotSendIsNotWaitedFor answers clients at once that wait to be asked for their body, or promise more than anybody reads.
func TestWhoNeedNotSendIsNotWaitedFor(t *testing.T) {
	t.Parallel()
	shop := shopmock.Start(t, shopmock.Options{})
	for _, head := range []string{"Content-Length: 3000000\r\nExpect: 100-continue", "Content-Length: 10000000000"} {
		client := connect(t, shop)
		fmt.Fprintf(client, "POST /shop/v3/products HTTP/1.1\r\nHost: 127.0.0.1\r\n%s\r\n\r\n", head)
		wantEnvelope(t, client, 401)
		wantEnd(t, client, time.Second+lingers/2)
	}
}

// lingers is how long a server waits for more of a body that nobody wants.
const lingers = 2 * time.Second

// TestWhoStopsSendingIsLetGo promises bodies and sends none: to the shop, to a sandbox that there is not, and to ask what pages of other
// sites may do.
func TestWhoStopsSendingIsLetGo(t *testing.T) {
	t.Parallel()
	shop := shopmock.Start(t, shopmock.Options{})
	for _, head := range []string{
		"POST /shop/v3/products HTTP/1.1\r\n",
		"POST /s/none/shop/v3/products HTTP/1.1\r\n",
		"OPTIONS /shop/store/v1/cart HTTP/1.1\r\nOrigin: http://localhost:3000\r\nAccess-Control-Request-Method: POST\r\n",
	} {
		t.Run(head, func(t *testing.T) {
			t.Parallel()
			client := connect(t, shop)
			fmt.Fprint(client, head+"Host: 127.0.0.1\r\nContent-Length: 3000000\r\n\r\n{")
			wantEnd(t, client, lingers+2*time.Second)
		})
	}
}

// TestClosingDoesNotWaitForUnwantedBodies closes a server while a client goes on sending.
func TestClosingDoesNotWaitForUnwantedBodies(t *testing.T) {
	t.Parallel()
	shop, err := shopmock.Listen("127.0.0.1:0", shopmock.Options{})
	if err != nil {
		t.Fatal(err)
	}
	client := connect(t, shop)
	fmt.Fprint(client, "POST /shop/v3/products HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 3000000\r\n\r\n{")
	wantEnvelope(t, client, 401)
	go func() {
		for _, err := client.Write([]byte("x")); err == nil; _, err = client.Write([]byte("x")) {
			time.Sleep(lingers / 10)
		}
	}()
	began := time.Now()
	if err := shop.Close(); err != nil || time.Since(began) > 2*lingers {
		t.Errorf("it took %s to close: %v", time.Since(began), err)
	}
}

// wantEnd reads to the end of a connection, which must come within some time.
func wantEnd(t *testing.T, client net.Conn, within time.Duration) {
	t.Helper()
	client.SetDeadline(time.Now().Add(within)) //nolint:errcheck // reading tells
	if _, err := io.Copy(io.Discard, client); err != nil {
		t.Errorf("the connection goes on: %v", err)
	}
}

func connect(t *testing.T, shop *shopmock.Server) net.Conn {
	t.Helper()
	connection, err := net.Dial("tcp", strings.TrimPrefix(shop.URL(), "http://"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { connection.Close() })
	connection.SetDeadline(time.Now().Add(20 * time.Second)) //nolint:errcheck // reading tells
	return connection
}

// wantEnvelope reads an answer that refuses something.
func wantEnvelope(t *testing.T, client io.Reader, want int) {
	t.Helper()
	response, err := http.ReadResponse(bufio.NewReader(client), nil)
	if err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(response.Body)
	if err != nil || response.StatusCode != want || !strings.Contains(string(text), `"code":`) {
		t.Errorf("%s %s %v", response.Status, text, err)
	}
}
