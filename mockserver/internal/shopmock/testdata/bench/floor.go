// Command floor answers every request with the bytes and headers that one sample request got from a real server: what bare net/http
// needs for the same answers. It listens on this machine only.
package main

import (
	"flag"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"strconv"
	"strings"
)

// sample is one answer of a real server.
type sample struct {
	status int
	header http.Header
	body   []byte
}

func main() {
	listen := flag.String("listen", "127.0.0.1:0", "loopback address to listen on")
	url := flag.String("sample", "", "address of the sample request")
	method := flag.String("method", http.MethodGet, "method of the sample request")
	body := flag.String("body", "", "body of the sample request")
	header := http.Header{}
	flag.Func("H", "header of the sample request, as 'Name: value'; may be repeated", func(line string) error {
		name, value, _ := strings.Cut(line, ":")
		header.Add(name, strings.TrimSpace(value))
		return nil
	})
	flag.Parse()
	host, _, err := net.SplitHostPort(*listen)
	if ip := net.ParseIP(host); err != nil || ip == nil || !ip.IsLoopback() {
		log.Fatalf("floor: -listen %q is no loopback address", *listen)
	}
	answer, err := take(*method, *url, *body, header)
	if err != nil {
		log.Fatal("floor: ", err)
	}
	log.Fatal("floor: ", http.ListenAndServe(*listen, answer))
}

// take sends the sample request and keeps its answer.
func take(method, url, body string, header http.Header) (*sample, error) {
	request, err := http.NewRequest(method, url, strings.NewReader(body))
	if err != nil {
		return nil, err
	}
	request.Header = header
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return nil, err
	}
	defer response.Body.Close()
	bytes, err := io.ReadAll(response.Body)
	if err != nil {
		return nil, err
	}
	if response.StatusCode >= http.StatusBadRequest {
		return nil, fmt.Errorf("the sample got %s: %s", response.Status, bytes)
	}
	response.Header.Del("Date")
	response.Header["Content-Length"] = []string{strconv.Itoa(len(bytes))}
	return &sample{response.StatusCode, response.Header, bytes}, nil
}

func (s *sample) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	io.Copy(io.Discard, r.Body)
	to := w.Header()
	for name, values := range s.header {
		to[name] = values
	}
	w.WriteHeader(s.status)
	w.Write(s.body)
}
