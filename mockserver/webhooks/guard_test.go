package webhooks_test

import (
	"strings"
	"testing"

	"shopcheck/mockserver/webhooks"
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
