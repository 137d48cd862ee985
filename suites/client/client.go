package client

// The HTTP client: one for a run. It authenticates, limits its rate, retries what may be retried, and records.

import (
	"cmp"
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"time"

	"github.com/go-resty/resty/v2"
	"golang.org/x/time/rate"

	"shopcheck/fixtures/dialects"
	"shopcheck/reports"
	"shopcheck/suites/profile"
)

const (
	maxAnswer = 32 << 20 // bytes of a body that are read; more is an error of the target
)

// ErrReadOnly is the answer's error for a request that would write where the profile does not allow it.
var ErrReadOnly = errors.New("writing to this target is not allowed (allow_writes in the profile, or --allow-writes; " +
	"--read-only leaves out what writes)")

// Recorder keeps an exchange and tells its place among those of the running spec.
type Recorder func(reports.Exchange) int

// Client calls one target.
type Client struct {
	profile   profile.Profile
	access    Access
	toWire    *dialects.Names
	fromWire  *dialects.Names
	redactor  *Redactor
	record    Recorder
	resty     *resty.Client
	transport http.RoundTripper
	patience  *patience
	pace      pace
	tokens    tokens
	turn      func(context.Context) error // waits until a request may be sent; nil: at once
}

// New makes a client for the profile. transport may be nil: a socket is used then.
func New(p profile.Profile, redactor *Redactor, record Recorder, transport http.RoundTripper) *Client {
	if transport == nil {
		transport = newTransport(p)
	}
	c := &Client{profile: p, redactor: redactor, record: record, transport: transport, patience: newPatience(p.Limits)}
	c.Use(Access{})
	followNone := resty.RedirectPolicyFunc(func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse })
	c.resty = resty.NewWithClient(&http.Client{}) // no cookie jar: each session keeps its own cookies
	c.resty.SetTransport(newWholeReader(transport)).
		SetLogger(silence{}).
		SetDisableWarn(true).
		SetTimeout(p.Limits.Timeout).
		SetResponseBodyLimit(maxAnswer).
		SetAllowGetMethodPayload(true).
		SetRedirectPolicy(followNone).
		SetRetryCount(p.Limits.Retries).
		SetRetryWaitTime(p.Limits.RetryWait).
		SetRetryMaxWaitTime(max(p.Limits.LongestWait, p.Limits.RetryWait)).
		SetRetryAfter(c.retryAfter).
		AddRetryCondition(c.worthRetrying).
		SetPreRequestHook(func(_ *resty.Client, r *http.Request) error { return signWhereAsked(r.Context(), r) }).
		SetHeader("User-Agent", "shopcheck")
	if p.Gate.Given() {
		c.resty.SetHeader(p.Gate.Header, p.Gate.Secret)
	}
	if p.Limits.RequestsPerSecond > 0 {
		c.turn = rate.NewLimiter(rate.Limit(p.Limits.RequestsPerSecond), 1).Wait
		c.resty.OnBeforeRequest(func(_ *resty.Client, r *resty.Request) error { return c.turn(r.Context()) })
	}
	return c
}

func newTransport(p profile.Profile) *http.Transport {
	l := p.Limits
	roots, err := Roots(p)
	if err != nil {
		roots = x509.NewCertPool() // nothing is trusted; Validate has said why
	}
	return &http.Transport{
		Proxy:                 http.ProxyFromEnvironment,
		DialContext:           (&net.Dialer{Timeout: l.Timeout}).DialContext,
		MaxConnsPerHost:       l.Concurrency,
		MaxIdleConnsPerHost:   max(l.Concurrency, 2),
		IdleConnTimeout:       30 * time.Second,
		TLSHandshakeTimeout:   10 * time.Second,
		TLSClientConfig:       &tls.Config{RootCAs: roots},
		ResponseHeaderTimeout: l.Timeout,
		ForceAttemptHTTP2:     true,
	}
}

// silence keeps resty from logging: its lines would name URLs with secrets.
type silence struct{}

func (silence) Errorf(string, ...any) {}
func (silence) Warnf(string, ...any)  {}
func (silence) Debugf(string, ...any) {}

// Close ends the idle connections.
func (c *Client) Close() {
	if closer, ok := c.transport.(interface{ CloseIdleConnections() }); ok {
		closer.CloseIdleConnections()
	}
}

// Do sends the request and returns its answer, never nil. What went wrong on the way is in the answer's Err.
func (c *Client) Do(ctx context.Context, req Request) *Answer {
	answer := &Answer{Method: req.Method, Path: req.Path, Header: http.Header{}, Exchange: -1}
	if req.Writes() && !c.profile.MayWrite() {
		answer.Err = ErrReadOnly
		return answer
	}
	body, err := req.content()
	if err != nil {
		answer.Err = err
		return answer
	}
	body = c.toWire.Request(body, req.Path)
	if req.Auth.Way == AnyWay {
		req.Auth = c.safeAuth(req.Auth)
	}
	began, endpoint := time.Now(), Endpoint(req.Method, req.Path+"?"+req.Query.Encode())
	sent := c.wire(req)
	var got string
	response, err := c.send(withBody(ctx, &got), sent, body, c.patience.limit(endpoint))
	answer.take(response, got, err)
	c.patience.note(endpoint, answer, time.Since(began))
	c.pace.note(answer, time.Since(began))
	exchange := c.exchange(sent, body, answer, response, time.Since(began))
	exchange.Endpoint = endpoint
	answer.Exchange = c.record(exchange)
	return c.read(answer, req)
}

// safeAuth sends a key in the way that this target takes.
func (c *Client) safeAuth(auth Auth) Auth {
	switch {
	case c.access.Keys == SignedWay:
		return ByOAuth(OAuth{Consumer: auth.Credentials})
	case c.access.Keys != NoAuth:
		auth.Way = c.access.Keys
	case c.profile.Secure():
		auth.Way = BasicWay
	default:
		auth.Way = QueryWay
	}
	return auth
}

// idempotentKey marks a request that may be sent again.
type idempotentKey struct{}

// hurriedKey marks a request that is sent once.
type hurriedKey struct{}

// send sends a request, and again as the limits say; with a limit above zero once, for that long.
func (c *Client) send(ctx context.Context, req Request, body []byte, limit time.Duration) (*resty.Response, error) {
	if limit > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(context.WithValue(ctx, hurriedKey{}, true), limit)
		defer cancel()
	}
	ctx = context.WithValue(ctx, idempotentKey{}, req.idempotent())
	ctx = context.WithValue(ctx, oauthKey{}, req.Auth.OAuth)
	r := c.resty.R().SetContext(ctx)
	if body != nil {
		r.SetBody(body).SetHeader("Content-Type", req.mediaType())
	}
	for name, values := range req.Header {
		r.Header[http.CanonicalHeaderKey(name)] = values
	}
	switch req.Auth.Way {
	case BasicWay:
		r.SetBasicAuth(req.Auth.Key, req.Auth.Secret)
	case BearerWay:
		r.SetAuthToken(req.Auth.Secret)
	}
	return r.Execute(req.Method, req.address(c.profile.Target))
}

func (a *Answer) take(response *resty.Response, body string, err error) {
	a.Err = bareError(err)
	if response == nil {
		return
	}
	a.Retries = max(0, response.Request.Attempt-1)
	if response.RawResponse == nil {
		return
	}
	a.Status = response.StatusCode()
	a.Header = response.Header()
	a.Body = cmp.Or(body, string(response.Body())) // the latter of one that was compressed
}

// errLate is the error of an answer that is not whole when its time is over. Which of several clocks ends a request, each in words of its
// own, is a matter of chance.
var errLate = fmt.Errorf("no whole answer in time: %w", context.DeadlineExceeded)

// bareError is the cause without the request around it: that repeats the address, with the credentials in its query.
func bareError(err error) error {
	if errors.Is(err, context.DeadlineExceeded) {
		return errLate
	}
	var around *url.Error
	if errors.As(err, &around) {
		return around.Err
	}
	return err
}

func (c *Client) exchange(req Request, body []byte, a *Answer, response *resty.Response, took time.Duration) reports.Exchange {
	sent, address := http.Header{}, req.address(c.profile.Target)
	signed := address
	if response != nil && response.Request.RawRequest != nil {
		sent, signed = response.Request.RawRequest.Header, response.Request.RawRequest.URL.String()
	}
	c.redactor.learnFrom(sent)
	c.redactor.learnFrom(a.Header)
	c.redactor.learnPasswords(body)
	c.redactor.learnToken(a)
	e := reports.Exchange{
		Method:     req.Method,
		URL:        c.redactor.Text(signed),
		Request:    c.redactor.message(sent, string(body)),
		Status:     a.Status,
		Response:   c.redactor.message(a.Header, a.Body),
		DurationMS: float64(took.Microseconds()) / 1000,
		Retries:    a.Retries,
		Curl:       c.redactor.curlLine(req, address, sent, body),
	}
	e.SentToken, e.GivenToken = c.tokens.number(c.Header(sent)), c.tokens.number(c.Header(a.Header))
	if a.Err != nil {
		e.Error = c.redactor.Brief(a.Err.Error(), recordedValue)
	}
	return e
}

// Delivered is a request that the target has sent to the harness, in the form of an answer, so that it is recorded and
// matched like one. The names in its header are mapped, and its body is as it came: that is what was signed.
// took is how long it was awaited.
func (c *Client) Delivered(topic, method, address string, h http.Header, body []byte, took time.Duration) *Answer {
	a := &Answer{Method: method, Path: "webhook " + topic, Status: http.StatusOK, Header: c.Header(h), Body: string(body)}
	a.Exchange = c.record(reports.Exchange{
		Method: a.Method, URL: c.redactor.Text(address), Endpoint: a.Path, Status: a.Status,
		Request: c.redactor.message(h, a.Body), Response: c.redactor.message(nil, ""),
		DurationMS: float64(took.Microseconds()) / 1000,
	})
	return a
}

// worthRetrying: only what may be sent twice, and only where trying again can help.
func (c *Client) worthRetrying(response *resty.Response, err error) bool {
	if response == nil || response.Request == nil {
		return false
	}
	ctx := response.Request.Context()
	if hurried, _ := ctx.Value(hurriedKey{}).(bool); hurried || ctx.Err() != nil {
		return false
	}
	if err == nil && turnedAway(response.StatusCode(), response.Header()) {
		return askedWait(response.Header()) <= c.profile.Limits.LongestWait
	}
	if idempotent, _ := ctx.Value(idempotentKey{}).(bool); !idempotent {
		return false
	}
	if err != nil {
		return !errors.Is(err, resty.ErrResponseBodyTooLarge) && !isTimeout(err)
	}
	switch response.StatusCode() {
	case http.StatusBadGateway, http.StatusServiceUnavailable, http.StatusGatewayTimeout:
		return true
	}
	return false
}

// turnedAway: the target says that it has not looked at the request, and asks for it again. That may be done with any method.
func turnedAway(status int, h http.Header) bool {
	switch status {
	case http.StatusTooManyRequests:
		return true
	case http.StatusServiceUnavailable:
		return h.Get("Retry-After") != ""
	}
	return false
}

func isTimeout(err error) bool {
	var timeout interface{ Timeout() bool }
	return errors.As(err, &timeout) && timeout.Timeout()
}

// retryAfter honours the header of that name; 0 leaves the wait to the backoff.
func (c *Client) retryAfter(_ *resty.Client, response *resty.Response) (time.Duration, error) {
	wait := askedWait(response.Header())
	if wait >= worthTelling {
		c.patience.tellOf("%s %s is answered with %d: waiting %v, as its Retry-After asks", response.Request.Method,
			response.Request.RawRequest.URL.Path, response.StatusCode(), wait.Round(time.Second))
	}
	return wait, nil
}

// askedWait is what Retry-After asks for, 0 where it asks for nothing that can be read.
func askedWait(h http.Header) time.Duration {
	value := h.Get("Retry-After")
	if seconds, err := strconv.ParseFloat(value, 64); err == nil && seconds > 0 {
		return time.Duration(min(seconds, farAway.Seconds()) * float64(time.Second))
	}
	if date, err := http.ParseTime(value); err == nil {
		return max(0, time.Until(date))
	}
	return 0
}
