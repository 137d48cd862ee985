package shopmock

// What goes wrong with requests on purpose.

import (
	"bytes"
	"cmp"
	"errors"
	"io"
	"net"
	"net/http"
	"strconv"
	"strings"
	"time"

	"shopcheck/mockserver/internal/auth"
	"shopcheck/mockserver/internal/control"
	"shopcheck/mockserver/internal/decimal"
	"shopcheck/mockserver/internal/faults"
	"shopcheck/mockserver/internal/journal"
	"shopcheck/mockserver/internal/rest"
	"shopcheck/mockserver/internal/shop"
)

// guardHeader refuses a request that asks for a fault and may come from a stranger's page.
func (o *origins) guardHeader(w http.ResponseWriter, r *http.Request, dial rest.Dial) (refused bool) {
	if r.Header[faults.Header] == nil || o.mayControl(r, dial) {
		return false
	}
	rest.WriteError(w, strangersPage())
	return true
}

// faultsOf finds what is to happen to a request: what the rules say, and what the request itself asks for.
func (s *Server) faultsOf(r *http.Request) ([]faults.Fault, *rest.Error) {
	if !s.faults.Any() && r.Header[faults.Header] == nil || control.Owns(r.URL.Path) {
		return nil, nil
	}
	found, failed := s.faults.ForRequest(faults.Request{
		Method: r.Method, Path: r.URL.Path, Body: func() []byte { return peek(r) },
		Applies: func(effect faults.Effect) bool { return applies(effect, r) },
	})
	if failed != nil { // whether it happens to this request is not known
		return nil, auth.Alone()
	}
	asked := r.Header.Get(faults.Header)
	if asked == "" {
		return found, nil
	}
	fault, err := faults.ReadHeader(asked)
	if err != nil {
		return nil, rest.InvalidParamf(faults.Header, "%s: %v", faults.Header, err)
	}
	return append([]faults.Fault{fault}, found...), nil
}

// peek reads a body and puts it back.
func peek(r *http.Request) []byte {
	if r.Body == nil || r.Body == http.NoBody {
		return nil
	}
	start, err := io.ReadAll(io.LimitReader(r.Body, rest.MaxBody+1))
	r.Body = &reread{io.MultiReader(bytes.NewReader(start), failing{err}, r.Body), r.Body}
	return start
}

// reread is a body whose beginning was read before.
type reread struct {
	io.Reader
	io.Closer
}

// failing is where reading a body failed before, if it did.
type failing struct{ err error }

func (f failing) Read([]byte) (int, error) { return 0, cmp.Or(f.err, io.EOF) }

// applies reports whether an effect can happen to a request at all.
func applies(effect faults.Effect, r *http.Request) bool {
	switch effect {
	case faults.StaleNonce:
		return r.Header.Get("Nonce") != "" && r.Header.Get("Cart-Token") == ""
	case faults.ExpiredToken:
		_, err := r.Cookie(auth.SessionCookie)
		return err == nil || r.Header.Get("Cart-Token") != "" || strings.HasPrefix(r.Header.Get("Authorization"), "Bearer ")
	case faults.SoldOut, faults.PriceChanged, faults.CouponUsedUp, faults.PaymentDeclined:
		return strings.HasPrefix(r.URL.Path, "/"+storeNamespace+"/")
	}
	return true
}

// serveWithFaults answers a request to which something happens.
func (s *Server) serveWithFaults(found []faults.Fault, w http.ResponseWriter, r *http.Request, host rest.Host) {
	names := make([]string, len(found))
	for i := range found {
		names[i] = found[i].String()
	}
	journal.NoteFault(w, strings.Join(names, ", "))
	peek(r) // what was asked is known however it ends, and who has sent all of it is missed when it leaves
	for i := range found {
		switch fault := &found[i]; fault.Effect {
		case faults.Latency:
			faults.Pause(r.Context(), fault.Wait)
		case faults.Status:
			refuse(w, fault)
			return
		case faults.Reset, faults.Empty, faults.Garbage:
			breakOff(w, r, fault.Effect)
			return
		case faults.Cut, faults.Dribble:
			shape(w, fault)
		case faults.StaleNonce:
			lent := host.Lent.(*services)
			host.Lent = lent.with(lent.visitors().RefusingNonces(), lent.signingIn())
		case faults.ExpiredToken:
			lent := host.Lent.(*services)
			host.Lent = lent.with(lent.visitors().ExpiringTokens(), lent.signingIn().ExpiringTokens())
		default:
			host.Mishap = mishap(host.Mishap, fault)
		}
	}
	routes().Serve(w, r, host)
}

// refuse answers with an error.
func refuse(w http.ResponseWriter, fault *faults.Fault) {
	retry := fault.RetryAfter
	if fault.Status == http.StatusTooManyRequests || fault.Status == http.StatusServiceUnavailable {
		retry = max(retry, 1)
	}
	if retry > 0 {
		w.Header().Set("Retry-After", strconv.Itoa(retry))
	}
	rest.WriteError(w, rest.Errorf(fault.Status, cmp.Or(fault.Code, usualCode(fault.Status)), "%s",
		cmp.Or(fault.Message, "The mock was told to fail: "+http.StatusText(fault.Status)+".")))
}

// usualCode is the code that the contract's errors have with a status, or what many servers say where the contract has none.
func usualCode(status int) string {
	switch status {
	case http.StatusBadRequest:
		return "rest_invalid_param"
	case http.StatusUnauthorized:
		return "shop_rest_authentication_error"
	case http.StatusForbidden:
		return "rest_forbidden"
	case http.StatusNotFound:
		return "rest_no_route"
	case http.StatusConflict:
		return "shop_rest_cart_invalid_key"
	case http.StatusTooManyRequests:
		return "rest_too_many_requests"
	case http.StatusInternalServerError:
		return "internal_server_error"
	}
	return "http_" + strconv.Itoa(status)
}

// breakOff ends a connection without an answer.
func breakOff(w http.ResponseWriter, r *http.Request, how faults.Effect) {
	connection, _, err := http.NewResponseController(w).Hijack()
	if err != nil {
		abort(w, r)
		return
	}
	defer connection.Close()
	switch how {
	case faults.Reset:
		reset(connection)
	case faults.Garbage:
		connection.Write([]byte("\x16\x03\x01\xff\x00 no answer at all\x00\r\n\r\n\x7f")) //nolint:errcheck // it is garbage
	}
	panic(http.ErrAbortHandler) // nobody is to write an answer any more
}

// abort ends an answer where it is. Without a socket there is nothing to end.
func abort(w http.ResponseWriter, r *http.Request) {
	if !inProcess(r) {
		panic(http.ErrAbortHandler) // the server's way to end a connection, or a stream of one
	}
	rest.WriteError(w, rest.Errorf(http.StatusNotImplemented, "mock_needs_a_socket",
		"Connections are broken at servers that listen; this one was called in the process."))
}

// reset ends a connection by a reset, below whatever else is on it: what was not sent is thrown away.
func reset(connection net.Conn) {
	for {
		if socket, found := connection.(interface{ SetLinger(int) error }); found {
			socket.SetLinger(0) //nolint:errcheck // the connection ends anyway
			connection.Close()  //nolint:errcheck // see above
			return
		}
		outer, wraps := connection.(interface{ NetConn() net.Conn })
		if !wraps {
			return
		}
		connection = outer.NetConn()
	}
}

// shapedAnswer sends an answer's body in another way than it is written. It is outside of what renames an answer for its client.
type shapedAnswer struct {
	http.ResponseWriter
	how  faults.Effect // Cut, Dribble, or "" for as it is written
	wait time.Duration // between two pieces
	body bytes.Buffer
}

// Unwrap lets http.ResponseController reach the socket.
func (a *shapedAnswer) Unwrap() http.ResponseWriter { return a.ResponseWriter }

func (a *shapedAnswer) Write(p []byte) (int, error) {
	if a.how == "" {
		return a.ResponseWriter.Write(p)
	}
	return a.body.Write(p)
}

// shaping lets the bodies of answers be cut or dribble. Without faults it is out of the way.
func (s *Server) shaping(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !s.faults.Any() && r.Header[faults.Header] == nil {
			next.ServeHTTP(w, r)
			return
		}
		shaped := &shapedAnswer{ResponseWriter: w}
		next.ServeHTTP(shaped, r)
		switch shaped.how {
		case faults.Cut:
			cutOff(w, r, shaped.body.Bytes())
		case faults.Dribble:
			dribble(w, r, shaped.body.Bytes(), shaped.wait)
		}
	})
}

// shape says how the answer that is written to w is to be sent.
func shape(w http.ResponseWriter, fault *faults.Fault) {
	for {
		if shaped, found := w.(*shapedAnswer); found {
			shaped.how, shaped.wait = fault.Effect, cmp.Or(fault.Wait, usualDrop)
			return
		}
		wrapped, more := w.(interface{ Unwrap() http.ResponseWriter })
		if !more {
			return
		}
		w = wrapped.Unwrap()
	}
}

// cutOff sends the first half of an answer's body.
func cutOff(w http.ResponseWriter, r *http.Request, body []byte) {
	w.Write(body[:len(body)/2]) //nolint:errcheck // it ends here
	flush(http.NewResponseController(w))
	if !inProcess(r) {
		panic(http.ErrAbortHandler)
	}
}

const (
	drops     = 20                    // pieces that an answer dribbles in
	usualDrop = 50 * time.Millisecond // between two of them
)

// dribble sends an answer's body piece by piece.
func dribble(w http.ResponseWriter, r *http.Request, body []byte, wait time.Duration) {
	socket := http.NewResponseController(w)
	for size := len(body)/drops + 1; len(body) > 0; body = body[min(size, len(body)):] {
		if _, err := w.Write(body[:min(size, len(body))]); err != nil {
			return
		}
		flush(socket)
		faults.Pause(r.Context(), wait)
	}
}

// mishap is what happens to whoever calls, after what happens already.
func mishap(before func(*rest.Call, shop.Shopper) shop.Shopper, fault *faults.Fault) func(*rest.Call, shop.Shopper) shop.Shopper {
	return func(call *rest.Call, who shop.Shopper) shop.Shopper {
		if before != nil {
			who = before(call, who)
		}
		var change func(*shop.Tx) error
		switch fault.Effect {
		case faults.PaymentDeclined:
			who.Declined = true
			return who
		case faults.SoldOut:
			change = func(tx *shop.Tx) error { return tx.SellOut(who) }
		case faults.CouponUsedUp:
			change = func(tx *shop.Tx) error { return tx.UseUpCoupons(who) }
		case faults.PriceChanged:
			share := decimal.NewFromFloat(cmp.Or(fault.Percent, usualPercent)).Shift(-2)
			change = func(tx *shop.Tx) error { return tx.Reprice(who, share) }
		}
		if err := call.Write(change); err != nil && !errors.As(err, new(*shop.Fault)) {
			panic(err) // what the domain refuses does not happen; all else is a defect
		}
		return who
	}
}

const usualPercent = 10
