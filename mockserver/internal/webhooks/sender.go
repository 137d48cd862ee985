package webhooks

// One delivery: the request, its signature, the answer, and what follows from it.

import (
	"bytes"
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"crypto/tls"
	"crypto/x509"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"shopcheck/mockserver/internal/shop"
)

// Headers of a delivery.
const (
	HeaderSource     = "X-Shop-Webhook-Source"
	HeaderTopic      = "X-Shop-Webhook-Topic"
	HeaderResource   = "X-Shop-Webhook-Resource"
	HeaderEvent      = "X-Shop-Webhook-Event"
	HeaderSignature  = "X-Shop-Webhook-Signature"
	HeaderID         = "X-Shop-Webhook-Id"
	HeaderDeliveryID = "X-Shop-Webhook-Delivery-Id"
)

const userAgent = "shopmock-webhooks/1"

// Sign returns the signature of a payload: base64 of its HMAC-SHA256, keyed with the webhook's secret (contract, "Events").
func Sign(secret string, payload []byte) string {
	mac := hmac.New(sha256.New, []byte(secret))
	mac.Write(payload)
	return base64.StdEncoding.EncodeToString(mac.Sum(nil))
}

// newTransport makes connections of one request each, so that none outlives its delivery, and straight to the receiver: a proxy
// would get around the guard.
func newTransport(options Options) *http.Transport {
	dialer := &net.Dialer{Timeout: options.Timeout}
	if !options.AllowPrivate {
		dialer.Control = guard
	}
	return &http.Transport{
		DialContext: dialer.DialContext, TLSHandshakeTimeout: options.Timeout, TLSClientConfig: trusting(options.Authority),
		DisableKeepAlives: true, DisableCompression: true, MaxResponseHeaderBytes: 16 << 10,
	}
}

// trusting is the system's own trust, and an authority besides; nil: no other.
func trusting(authority *x509.Certificate) *tls.Config {
	if authority == nil {
		return nil
	}
	roots, err := x509.SystemCertPool()
	if err != nil {
		roots = x509.NewCertPool() // a machine without any
	}
	roots.AddCert(authority)
	return &tls.Config{RootCAs: roots, MinVersion: tls.VersionTLS12}
}

// deliver sends one delivery if its webhook still wants it, logs what came of it and counts failures. When the dispatcher is
// stopped before that, it stays open.
func (d *Dispatcher) deliver(ctx context.Context, entry *Delivery) {
	select {
	case d.sending <- struct{}{}:
		defer func() { <-d.sending }()
	case <-ctx.Done():
		return
	}
	w, err := d.options.Shop.Read().WebhookByID(entry.WebhookID)
	if reason := unwanted(w, err); reason != "" {
		d.finish(entry, Skipped, reason)
		return
	}
	state := d.send(ctx, w, entry)
	if state == Waiting || entry.Topic == PingTopic || state == Delivered && w.Failures == 0 {
		return
	}
	d.options.Shop.Write(
		func(tx *shop.Tx) error { return tx.CountDelivery(w.ID, state == Delivered) },
	) //nolint:errcheck // a webhook that is gone needs no count
}

func unwanted(w *shop.Webhook, err error) string {
	switch {
	case err != nil:
		return "the webhook has been deleted"
	case w.Status != shop.WebhookActive:
		return "the webhook is " + w.Status
	}
	return ""
}

// note changes an entry.
func (d *Dispatcher) note(entry *Delivery, change func()) {
	d.mu.Lock()
	defer d.mu.Unlock()
	change()
	d.touch(entry)
}

// finish notes what has become of an entry at last.
func (d *Dispatcher) finish(entry *Delivery, state State, reason string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.close(entry, state, reason)
}

// send makes the request, and returns what has become of the delivery: Waiting if life ended before that was known.
func (d *Dispatcher) send(life context.Context, w *shop.Webhook, entry *Delivery) State {
	ctx, cancel := context.WithTimeout(life, d.options.Timeout)
	defer cancel()
	request, err := d.newRequest(ctx, w, entry)
	if err != nil {
		d.finish(entry, Failed, err.Error())
		return Failed
	}
	header := request.Header.Clone()
	withCredentials(request)
	started := d.options.Clock()
	answer, err := d.exchange(request)
	took := max(0, d.options.Clock().Sub(started))
	if err != nil && life.Err() != nil {
		return Waiting
	}
	state, reason := d.verdict(answer, err)
	d.note(entry, func() { entry.URL, entry.Header, entry.Answer, entry.Took = w.DeliveryURL, header, answer, took })
	d.finish(entry, state, reason)
	if answer.Status != 0 {
		d.options.Answered(entry.ID, w.DeliveryURL, answer.Status, entry.forged)
	}
	return state
}

func (d *Dispatcher) newRequest(ctx context.Context, w *shop.Webhook, entry *Delivery) (*http.Request, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, w.DeliveryURL, bytes.NewReader(entry.Body))
	if err != nil {
		return nil, err
	}
	header := request.Header
	header.Set("Content-Type", entry.ContentType)
	header.Set("User-Agent", userAgent)
	header.Set(HeaderSource, w.Home+"/")
	header.Set(HeaderSignature, entry.signature(w.Secret))
	header.Set(HeaderID, strconv.FormatInt(w.ID, 10))
	header.Set(HeaderDeliveryID, entry.DeliveryID)
	if resource, event, isEvent := strings.Cut(entry.Topic, "."); isEvent {
		header.Set(HeaderTopic, entry.Topic)
		header.Set(HeaderResource, resource)
		header.Set(HeaderEvent, event)
	}
	if spoken, mapped := d.outward().dialects[w.Dialect]; mapped {
		spoken.rename(header, entry.Topic)
	}
	return request, nil
}

// rename gives the header of a delivery the names that its receiver expects.
func (s dialect) rename(header http.Header, topic string) {
	if hook := s.names.Topic(topic); hook != topic {
		header.Set(HeaderTopic, hook)
		_, event, _ := strings.Cut(hook, ".")
		header.Set(HeaderEvent, event)
	}
	s.names.RenameHeaders(header)
	if s.userAgent != "" {
		header.Set("User-Agent", s.userAgent)
	}
}

// signature signs the body, unless it is to be wrong on purpose.
func (e *Delivery) signature(secret string) string {
	if e.forged {
		return Sign("not "+secret, e.Body)
	}
	return Sign(secret, e.Body)
}

// withCredentials turns user and password of the address into a header. They are not logged.
func withCredentials(request *http.Request) {
	if user := request.URL.User; user != nil {
		password, _ := user.Password()
		request.SetBasicAuth(user.Username(), password)
	}
}

// exchange sends a request and reads the beginning of the answer. Redirects are not followed.
func (d *Dispatcher) exchange(request *http.Request) (Answer, error) {
	response, err := d.outward().transport.RoundTrip(request)
	if err != nil {
		return Answer{}, err
	}
	defer response.Body.Close()
	if response.StatusCode == http.StatusSwitchingProtocols { // its body is the connection, which no deadline ends any more
		return Answer{Status: response.StatusCode, Header: response.Header}, nil
	}
	body, err := io.ReadAll(io.LimitReader(response.Body, MaxAnswer))
	return Answer{response.StatusCode, response.Header, body}, err
}

// verdict says what an answer means: success is a status from 200 to 302.
func (d *Dispatcher) verdict(answer Answer, err error) (State, string) {
	var refused refusal
	switch {
	case errors.As(err, &refused):
		return Failed, refused.Error()
	case errors.Is(err, context.DeadlineExceeded):
		return Failed, fmt.Sprintf("no complete answer within %s", d.options.Timeout)
	case err != nil:
		return Failed, withoutURL(err).Error()
	case answer.Status < http.StatusOK || answer.Status > http.StatusFound:
		return Failed, fmt.Sprintf("answered with status %d", answer.Status)
	}
	return Delivered, ""
}

// withoutURL takes the address off an error, which may hold a password.
func withoutURL(err error) error {
	var withURL *url.Error
	if errors.As(err, &withURL) {
		return withURL.Err
	}
	return err
}
