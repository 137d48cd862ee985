package defects

// Webhooks that are not sent, not signed, or say something else. These bends lie over the way to the receiver, not over the shop.

import (
	"bytes"
	"encoding/base64"
	"encoding/hex"
	"io"
	"net/http"
	"sync"

	"shopcheck/suites/contract"
	"shopcheck/suites/receiver"
)

// ofResource matches webhook requests about one resource, in the way in which the shop underneath says so.
func ofResource(resource string) match {
	return func(r *http.Request) bool { return r.Header.Get("X-Shop-Webhook-Resource") == resource }
}

func eventDefects() []Defect {
	var out []Defect
	for _, e := range contract.WebhookEvents() {
		topic := match(func(r *http.Request) bool { return r.Header.Get("X-Shop-Webhook-Topic") == e.Topic() })
		out = append(out, deliveryDefect(e.RequirementID(), "silent", "No webhook request is sent when "+e.Resource+"s are "+e.Action+".",
			instead(topic, func(http.Handler, *http.Request) *answer { return newAnswer(http.StatusOK, nil) })))
	}
	signature := func(edit func(sent string) string) bend {
		return asked(anywhere, func(r *http.Request) {
			r.Header.Set(receiver.SignatureHeader, edit(r.Header.Get(receiver.SignatureHeader)))
		})
	}
	return append(out,
		deliveryDefect("webhooks.signature", "missing", "Webhook requests are not signed.",
			asked(anywhere, func(r *http.Request) { r.Header.Del(receiver.SignatureHeader) })),
		deliveryDefect("webhooks.signature", "first-only", "Only the first request of a webhook is signed.",
			later(func(_ http.Handler, r *http.Request) *answer { r.Header.Del(receiver.SignatureHeader); return nil })),
		deliveryDefect("webhooks.product.updated", "once", "A webhook tells its first event only.",
			later(func(http.Handler, *http.Request) *answer { return newAnswer(http.StatusOK, nil) })),
		deliveryDefect("webhooks.post", "get", "Webhook requests are sent by GET.",
			asked(anywhere, func(r *http.Request) { r.Method = http.MethodGet })),
		deliveryDefect("webhooks.signature-value", "other-bytes", "The signature is over other bytes than those that are sent.",
			asked(anywhere, lineAdded)),
		deliveryDefect("webhooks.signature-value", "hex", "The signature is in hexadecimal digits.", signature(func(sent string) string {
			sum, _ := base64.StdEncoding.DecodeString(sent) // the shop underneath signs as it must
			return hex.EncodeToString(sum)
		})),
		deliveryDefect("webhooks.signature-value", "other-secret", "The signature is keyed with another secret.",
			signature(func(string) string { return receiver.Signature("another", nil) })),
		deliveryDefect("webhooks.records", "mistyped", "The id in a payload is a string.",
			sent(ofResource("product"), func(body map[string]any) { body["id"] = textOf(body["id"]) })),
		deliveryDefect("webhooks.records", "short", "Orders in payloads have no total.",
			sent(ofResource("order"), func(body map[string]any) { delete(body, "total") })),
		deliveryDefect("webhooks.records", "money-as-number", "Prices in payloads are numbers.",
			sent(ofResource("product"), func(body map[string]any) { body["regular_price"] = 12.34 })),
		deliveryDefect("webhooks.json", "text", "Payloads are sent as text.",
			asked(anywhere, func(r *http.Request) { r.Header.Set("Content-Type", "text/plain") })),
	)
}

// later treats the requests about a webhook's second event and those after it otherwise. The shop underneath names the webhook; its ping
// is no event. do may answer instead of the receiver.
func later(do func(receiver http.Handler, r *http.Request) *answer) bend {
	return func(inner http.Handler) http.Handler {
		var mu sync.Mutex
		told := map[string]bool{}
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			mu.Lock()
			second := told[r.URL.Path]
			told[r.URL.Path] = told[r.URL.Path] || fields(r)["id"] != nil
			mu.Unlock()
			if second {
				if a := do(inner, r); a != nil {
					a.writeTo(w)
					return
				}
			}
			inner.ServeHTTP(w, r)
		})
	}
}

// deliveryDefect is a defect of what the shop sends by itself.
func deliveryDefect(requirement, kind, what string, b bend) Defect {
	d := defect(requirement, kind, what, func(shop http.Handler) http.Handler { return shop })
	d.deliveries = b
	return d
}

// lineAdded ends the body with a line feed that was not signed.
func lineAdded(r *http.Request) {
	body, _ := io.ReadAll(copyOf(r).Body) // a body in memory
	r.Body = io.NopCloser(bytes.NewReader(append(body, '\n')))
	r.ContentLength = int64(len(body) + 1)
}
