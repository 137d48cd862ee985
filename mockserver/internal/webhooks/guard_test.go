package webhooks_test

import (
	"context"
	"net"
	"strings"
	"testing"

	"golang.org/x/net/dns/dnsmessage"

	"shopcheck/mockserver/internal/webhooks"
)

func TestTargetsInsideANetworkAreRefused(t *testing.T) {
	s := start(t, webhooks.Settings{})
	for _, address := range []string{
		"http://10.0.0.1/", "http://172.16.0.1/", "http://192.168.1.1/", "http://169.254.169.254/latest/meta-data", "http://100.64.0.1/",
		"http://224.0.0.1/", "http://255.255.255.255/", "http://0.0.0.0/", "http://[::]/", "http://198.18.0.1/", "http://192.0.0.1/",
		"http://[fe80::1]/", "http://[fd00::1]/", "http://[ff02::1]/", "http://[fec0::1]/",
		"http://[::ffff:10.0.0.1]/", "http://[64:ff9b::a00:1]/", "http://[2002:a00:1::]/", "http://[::a00:1]/", "http://[2001::1]/",
	} {
		hook := s.hook("product.created", address)
		s.drain()
		log := s.hooks.Deliveries(hook)
		if len(log) != 1 || log[0].State != webhooks.Failed || !strings.HasPrefix(log[0].Reason, "refused: ") {
			t.Errorf("%s: %+v", address, log)
		}
	}
}

// TestNamesOfTargetsInsideANetworkAreRefused: it is the address that counts, however harmless its name.
func TestNamesOfTargetsInsideANetworkAreRefused(t *testing.T) {
	resolveAll(t, [4]byte{10, 1, 2, 3})
	s := start(t, webhooks.Settings{})
	hook := s.hook("product.created", "http://shop.example.test/")
	s.drain()
	if log := s.hooks.Deliveries(hook); len(log) != 1 || !strings.HasPrefix(log[0].Reason, "refused: 10.1.2.3 ") {
		t.Errorf("%+v", log)
	}
}

// resolveAll gives every name one IPv4 address for the length of the test.
func resolveAll(t *testing.T, address [4]byte) {
	t.Helper()
	server, err := net.ListenPacket("udp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	go answerNames(server, address)
	usual := net.DefaultResolver
	net.DefaultResolver = &net.Resolver{PreferGo: true, Dial: func(ctx context.Context, _, _ string) (net.Conn, error) {
		return (&net.Dialer{}).DialContext(ctx, "udp", server.LocalAddr().String())
	}}
	t.Cleanup(func() {
		net.DefaultResolver = usual
		server.Close()
	})
}

// answerNames answers until the server is closed.
func answerNames(server net.PacketConn, address [4]byte) {
	packet := make([]byte, 1<<10)
	for {
		size, client, err := server.ReadFrom(packet)
		if err != nil {
			return
		}
		var query dnsmessage.Message
		if query.Unpack(packet[:size]) != nil || len(query.Questions) != 1 {
			continue
		}
		question := query.Questions[0]
		answer := dnsmessage.Message{Header: dnsmessage.Header{ID: query.ID, Response: true}, Questions: query.Questions}
		if question.Type == dnsmessage.TypeA {
			header := dnsmessage.ResourceHeader{Name: question.Name, Type: question.Type, Class: question.Class, TTL: 1}
			answer.Answers = []dnsmessage.Resource{{Header: header, Body: &dnsmessage.AResource{A: address}}}
		}
		if text, err := answer.Pack(); err == nil {
			server.WriteTo(text, client) //nolint:errcheck // the client asks again
		}
	}
}

func TestTargetsInsideANetworkCanBeAllowed(t *testing.T) {
	in := receive(t, status(200))
	here := strings.Replace(in.url, "127.0.0.1", "0.0.0.0", 1) // reaches the receiver, though by an address that is not its own
	for allowed, want := range map[bool]webhooks.State{true: webhooks.Delivered, false: webhooks.Failed} {
		s := start(t, webhooks.Settings{AllowPrivate: allowed})
		hook := s.hook("product.created", here)
		s.product("Pot")
		s.drain()
		s.wantStates(hook, want)
	}
}

func TestLoopbackTargetsAreAllowed(t *testing.T) {
	in := receive(t, status(200))
	port := in.url[strings.LastIndex(in.url, ":"):]
	s := start(t, webhooks.Settings{})
	for _, host := range []string{"127.0.0.1", "localhost", "[::ffff:127.0.0.1]"} {
		hook := s.hook("product.created", "http://"+host+port)
		s.drain()
		if log := s.hooks.Deliveries(hook); log[0].State != webhooks.Delivered {
			t.Errorf("%s: %+v", host, log)
		}
	}
}
