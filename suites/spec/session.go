package spec

// A visitor of the store: what keeps a cart between requests.

import (
	"context"
	"net/http"
	"slices"
	"strings"

	"shopcheck/suites/client"
)

// Mode is what a session sends to be recognised.
type Mode int

const (
	ByToken Mode = iota // Cart-Token only
	ByNonce             // the newest Nonce, and cookies
	Bare                // cookies only: neither nonce nor token
)

// Session is one visitor of the store. It keeps the newest nonce, the cart token and the cookies.
type Session struct {
	env     *Env
	Mode    Mode
	Nonce   string
	Token   string
	cookies map[string]string
	spoil   func() // of a shared visitor: called when something was changed for it, which no spec should succeed in; else nil
}

// NewSession is a visitor who has not yet asked for anything.
func (e *Env) NewSession(mode Mode) *Session {
	return &Session{env: e, Mode: mode, cookies: map[string]string{}}
}

// In is the same visitor in another mode. Nonce, token and cookies are those of now.
func (s *Session) In(mode Mode) *Session {
	twin := *s
	twin.Mode = mode
	twin.cookies = map[string]string{}
	for name, value := range s.cookies {
		twin.cookies[name] = value
	}
	return &twin
}

// Get reads from the Store API. path is below /shop/store/v1: "/cart".
func (s *Session) Get(ctx context.Context, path string, query Query) *client.Answer {
	return s.Send(ctx, client.Request{Method: http.MethodGet, Path: path, Query: query.values()})
}

// Post sends a JSON body.
func (s *Session) Post(ctx context.Context, path string, body Fields) *client.Answer {
	return s.Send(ctx, client.Request{Method: http.MethodPost, Path: path, Body: body})
}

// PostQuery sends the inputs as query parameters, without a body.
func (s *Session) PostQuery(ctx context.Context, path string, query Query) *client.Answer {
	return s.Send(ctx, client.Request{Method: http.MethodPost, Path: path, Query: query.values()})
}

// Put sends a JSON body.
func (s *Session) Put(ctx context.Context, path string, query Query, body Fields) *client.Answer {
	return s.Send(ctx, client.Request{Method: http.MethodPut, Path: path, Query: query.values(), Body: body})
}

// Send sends any request of this visitor. Its path is below /shop/store/v1, unless it starts with /shop/. Headers
// that the request has itself are kept.
func (s *Session) Send(ctx context.Context, req client.Request) *client.Answer {
	if !strings.HasPrefix(req.Path, "/shop/") && !strings.HasPrefix(req.Path, "/?") {
		req.Path = client.Store + req.Path
	}
	req.Header = s.headers(req.Header)
	answer := s.env.run.Do(ctx, req)
	s.remember(answer)
	if s.spoil != nil && req.Method != http.MethodGet && !answer.Refused() { // a draft that GET makes is the cart's, as others are
		s.spoil()
	}
	return answer
}

func (s *Session) headers(own http.Header) http.Header {
	h := http.Header{}
	if s.Mode == ByToken && s.Token != "" {
		h.Set("Cart-Token", s.Token)
	}
	if s.Mode == ByNonce && s.Nonce != "" {
		h.Set("Nonce", s.Nonce)
	}
	if s.Mode != ByToken && len(s.cookies) > 0 {
		h.Set("Cookie", s.cookieLine())
	}
	for name, values := range own {
		h[http.CanonicalHeaderKey(name)] = values
	}
	return h
}

func (s *Session) cookieLine() string {
	var pairs []string
	for name, value := range s.cookies {
		pairs = append(pairs, name+"="+value)
	}
	slices.Sort(pairs)
	return strings.Join(pairs, "; ")
}

func (s *Session) remember(a *client.Answer) {
	if nonce := a.Header.Get("Nonce"); nonce != "" {
		s.Nonce = nonce
	}
	if token := a.Header.Get("Cart-Token"); token != "" {
		s.Token = token
	}
	for _, line := range a.Header.Values("Set-Cookie") {
		cookie, err := http.ParseSetCookie(line)
		switch {
		case err != nil:
		case cookie.MaxAge < 0:
			delete(s.cookies, cookie.Name)
		default:
			s.cookies[cookie.Name] = cookie.Value
		}
	}
}
