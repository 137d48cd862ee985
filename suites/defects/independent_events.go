package defects

// Independent defects of webhooks: the deliveries of one event are not signed, or not as the contract says.

import (
	"bytes"
	"crypto/hmac"
	"crypto/sha1"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"io"
	"net/http"

	"shopcheck/suites/contract"
	"shopcheck/suites/receiver"
)

func (l *independents) deliveries() {
	for _, e := range contract.WebhookEvents() {
		topic := match(func(r *http.Request) bool { return r.Header.Get("X-Shop-Webhook-Topic") == e.Topic() })
		for name, edit := range signatures() {
			d := l.add("delivery", e.Topic()+"."+name, "Deliveries of "+e.Topic()+" have a signature that is "+name+".", unbent)
			d.deliveries = asked(topic, func(r *http.Request) {
				r.Header.Set(receiver.SignatureHeader, edit(r.Header.Get(receiver.SignatureHeader), requestBody(r)))
			})
		}
		for name, b := range map[string]bend{
			"silent":   instead(topic, func(http.Handler, *http.Request) *answer { return newAnswer(http.StatusOK, nil) }),
			"unsigned": asked(topic, func(r *http.Request) { r.Header.Del(receiver.SignatureHeader) }),
			"spaced": asked(topic, func(r *http.Request) {
				body := requestBody(r)
				r.Body, r.ContentLength = io.NopCloser(bytes.NewReader(append(body, ' '))), int64(len(body)+1)
			}),
			"of-nobody": sent(topic, func(body map[string]any) { body["id"] = 999_999_999 }),
		} {
			l.add("delivery", e.Topic()+"."+name, "Deliveries of "+e.Topic()+" are "+name+".", unbent).deliveries = b
		}
	}
}

func unbent(shop http.Handler) http.Handler { return shop }

// signatures are ways to sign that are not the contract's.
func signatures() map[string]func(right string, payload []byte) string {
	sum := func(right string) []byte {
		sum, _ := base64.StdEncoding.DecodeString(right) // the shop underneath signs as it must
		return sum
	}
	return map[string]func(string, []byte) string{
		"hex":      func(right string, _ []byte) string { return hex.EncodeToString(sum(right)) },
		"unpadded": func(right string, _ []byte) string { return base64.RawStdEncoding.EncodeToString(sum(right)) },
		"prefixed": func(right string, _ []byte) string { return "sha256=" + right },
		"empty":    func(string, []byte) string { return "" },
		"unkeyed": func(_ string, payload []byte) string {
			sum := sha256.Sum256(payload)
			return base64.StdEncoding.EncodeToString(sum[:])
		},
		"keyed-with-nothing": func(_ string, payload []byte) string { return receiver.Signature("", payload) },
		"of-nothing":         func(string, []byte) string { return receiver.Signature("secret", nil) },
		"sha1": func(_ string, payload []byte) string {
			mac := hmac.New(sha1.New, []byte("secret"))
			mac.Write(payload)
			return base64.StdEncoding.EncodeToString(mac.Sum(nil))
		},
		"double": func(right string, _ []byte) string { return base64.StdEncoding.EncodeToString([]byte(right)) },
	}
}
