package suites_test

// Waiting for webhooks of small fake shops.

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/onsi/ginkgo/v2"
	"github.com/onsi/gomega"
	"go.uber.org/goleak"

	"shopcheck/reports"
	"shopcheck/suites"
	"shopcheck/suites/expect"
	"shopcheck/suites/profile"
	"shopcheck/suites/receiver"
	"shopcheck/suites/receiver/receivertest"
	"shopcheck/suites/spec"
)

// awaiting is a topic that waits for the delivery about a thing.
func awaiting() []spec.Topic {
	return topic(func(env *spec.Env) {
		ginkgo.It("waits", spec.Req("webhooks.product.created"), func(ctx ginkgo.SpecContext) {
			hook := env.GivenWebhook(ctx, "product.created")
			env.Collection("things").Create(ctx, nil)
			event, all := hook.Await(ctx, spec.Subject{ID: 5})
			gomega.Expect(event).To(expect.BeDelivered(env.Profile().Webhooks.Patience))
			gomega.Expect(all).To(gomega.HaveLen(1))
			gomega.Expect(event).To(expect.BeSignedWith(hook.Secret))
		})
	})
}

// subscribed is the profile of a fake shop with webhooks; deliver is called when a thing is made.
func subscribed(t *testing.T, deliver func(deliveryURL string)) profile.Profile {
	t.Helper()
	registered := make(chan string, 1)
	server := fakeShop(t, map[string]http.HandlerFunc{
		"POST /shop/v3/webhooks": func(w http.ResponseWriter, r *http.Request) {
			body, _ := io.ReadAll(r.Body)
			_, rest, _ := strings.Cut(string(body), `"delivery_url":"`)
			address, _, _ := strings.Cut(rest, `"`)
			registered <- address
			answer(w, 201, map[string]any{"id": 1})
		},
		"POST /shop/v3/things": func(w http.ResponseWriter, _ *http.Request) {
			address := ""
			select {
			case address = <-registered:
			default:
			}
			deliver(address)
			answer(w, 201, map[string]any{"id": 5})
		},
	})
	p := profileFor(server)
	p.Features = map[string]string{"webhooks": "on"}
	p.Webhooks.Patience = 20 * time.Millisecond
	return p
}

func post(t *testing.T, address, secret, body string) {
	t.Helper()
	r, err := http.NewRequest(http.MethodPost, address, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set(receiver.SignatureHeader, receiver.Signature(secret, []byte(body)))
	response, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	response.Body.Close()
}

func waits(t *testing.T, p profile.Profile) reports.Spec {
	t.Helper()
	r, err := suites.Run(context.Background(), suites.Options{Profile: p, Topics: awaiting()})
	if err != nil {
		t.Fatal(err)
	}
	return specOf(t, r, "probe.waits")
}

func TestAReceiverThatHearsNothingIsNoFailure(t *testing.T) {
	spec := waits(t, subscribed(t, func(string) {}))
	if spec.Outcome != reports.CouldNotRun || !strings.Contains(spec.Reason, "webhooks.public_url") {
		t.Errorf("%s: %s", spec.Outcome, spec.Reason)
	}
}

func TestTheReceiverEndsWithTheRun(t *testing.T) {
	http.DefaultClient.CloseIdleConnections()
	p := subscribed(t, func(address string) { post(t, address, "x", `{"id":6}`) })
	before := goleak.IgnoreCurrent()
	waits(t, p)
	http.DefaultClient.CloseIdleConnections()
	goleak.VerifyNone(t, before, goleak.IgnoreAnyFunction( // ginkgo's own
		"github.com/onsi/ginkgo/v2/internal/interrupt_handler.(*InterruptHandler).registerForInterrupts.func2"))
}

func TestAMissingDeliveryAmongOthersIsAFailure(t *testing.T) {
	spec := waits(t, subscribed(t, func(address string) { post(t, address, "x", `{"id":6}`) }))
	if spec.Outcome != reports.Failed || len(spec.Findings) != 1 ||
		!strings.Contains(spec.Findings[0].Want, "product.created about the record, within 20ms") ||
		spec.Findings[0].Exchange != 1 {
		t.Errorf("%s: %+v", spec.Outcome, spec.Findings)
	}
}

func TestWebhooksThatExistAlready(t *testing.T) {
	tunnel := receivertest.NewTunnel(t)
	p := subscribed(t, func(registered string) {
		if registered != "" {
			t.Error("a webhook is registered although the profile knows one")
		}
		post(t, tunnel.URL+"/hook", "known-secret", `{"id":5}`)
	})
	p.Webhooks.PublicURL, p.Webhooks.Secret = tunnel.URL+"/hook", "known-secret"
	r, err := suites.Run(context.Background(), suites.Options{Profile: p, Topics: awaiting(), Deliveries: tunnel.Lead})
	if err != nil {
		t.Fatal(err)
	}
	if spec := specOf(t, r, "probe.waits"); spec.Outcome != reports.Passed {
		t.Errorf("%s: %s %+v", spec.Outcome, spec.Reason, spec.Findings)
	}
}

func TestReceiversThatCannotBe(t *testing.T) {
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer taken.Close()
	inUse := subscribed(t, func(string) {})
	inUse.Webhooks.Listen = taken.Addr().String()
	if spec := waits(t, inUse); spec.Outcome != reports.CouldNotRun || !strings.Contains(spec.Reason, "webhooks.listen") {
		t.Errorf("%s: %s", spec.Outcome, spec.Reason)
	}

	distant := subscribed(t, func(string) {})
	here := strings.TrimPrefix(distant.Target, "http://")
	distant.Target, distant.AllowWrites = "http://shop.example.test", true
	r, err := suites.Run(context.Background(), suites.Options{Profile: distant, Topics: awaiting(), Transport: dialling(here)})
	if err != nil {
		t.Fatal(err)
	}
	if spec := specOf(t, r, "probe.waits"); spec.Outcome != reports.CouldNotRun ||
		!strings.Contains(spec.Reason, "cannot reach a receiver") {
		t.Errorf("%s: %s", spec.Outcome, spec.Reason)
	}
}

// dialling leads to one address, whatever the name.
func dialling(address string) http.RoundTripper {
	return &http.Transport{DialContext: func(ctx context.Context, network, _ string) (net.Conn, error) {
		conn, err := (&net.Dialer{}).DialContext(ctx, network, address)
		if err != nil {
			return nil, fmt.Errorf("dial the fake shop: %w", err)
		}
		return conn, nil
	}}
}
