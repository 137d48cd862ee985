package advice

// One call with its answer, as the rules see it.

import (
	"errors"
	"hash/maphash"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"time"

	"shopcheck/mockserver/internal/journal"
	"shopcheck/mockserver/internal/rest"
	"shopcheck/mockserver/internal/shop"
)

// About is what the rules need to know of a call besides itself.
type About struct {
	Secure bool      // it came over HTTPS
	Local  bool      // from this machine
	Cut    bool      // its answer is damaged on purpose
	Came   time.Time // by the observer's clock
	Now    time.Time // by the shop's clock
}

// exchange is a call with its answer. It stands between the answer and its writer, and between the body and its reader.
type exchange struct {
	http.ResponseWriter
	About
	o *Observer

	r           *http.Request
	from        identity
	ended       time.Time
	begun, done int64 // steps
	before      shop.View
	version     uint64 // of the shop when the answer was made

	status     int
	judged     bool   // before the answer goes out, so that calls are seen in their order
	answer     []byte // its beginning, where a rule looks into it
	body       io.ReadCloser
	sent       []byte // its beginning
	sentSize   int
	sentWhole  bool // all of the body was read
	broken     bool // no whole answer goes out
	gone       bool // the client did not wait for the answer
	undeclared rest.Undeclared

	proof  *call
	earned []string
}

const keptBody = 64 << 10 // bytes of a body that rules look into

var exchanges = sync.Pool{New: func() any { return new(exchange) }}

// Serve lets a function answer a call, and looks at both.
func (o *Observer) Serve(
	w http.ResponseWriter, r *http.Request, about About, answer func(http.ResponseWriter, *http.Request, func(rest.Undeclared)),
) {
	x := exchanges.Get().(*exchange)
	*x = exchange{ResponseWriter: w, About: about, o: o, r: r, from: identityOf(r), begun: o.steps.Add(1),
		before: o.shop.ReadAt(about.Now), broken: true, sent: x.sent[:0], answer: x.answer[:0]}
	body := r.Body
	defer func() {
		r.Body = body
		x.end()
		*x = exchange{sent: x.sent, answer: x.answer}
		exchanges.Put(x)
	}()
	if x.sentWhole = body == nil || body == http.NoBody; !x.sentWhole {
		x.body, r.Body = body, x
	}
	answer(x, r, x.notice)
	x.broken = about.Cut
}

// end is called when the answer is made, or the connection was ended without one.
func (x *exchange) end() {
	if !x.judged {
		x.judge()
		if x.status != 0 {
			x.ResponseWriter.WriteHeader(x.status)
		}
	}
}

// judge looks at the call, and says in its answer what it earned.
func (x *exchange) judge() {
	o := x.o
	x.judged, x.ended, x.done, x.version = true, o.clock(), o.steps.Add(1), o.shop.Version()
	x.gone = x.gone || x.r.Context().Err() != nil
	o.mu.Lock()
	o.judge(o.known(), x)
	proof := x.proof
	o.mu.Unlock()
	if proof != nil {
		journal.OnKept(x.ResponseWriter, func(number int64) {
			o.mu.Lock()
			defer o.mu.Unlock()
			proof.number = number
		})
	}
	if len(x.earned) > 0 && o.Mode() == Header {
		x.Header().Set(HeaderName, strings.Join(x.earned, ", "))
	}
}

func (x *exchange) notice(found rest.Undeclared) {
	x.undeclared.Query = append(x.undeclared.Query, found.Query...)
	x.undeclared.Fields = append(x.undeclared.Fields, found.Fields...)
}

// Unwrap lets http.ResponseController reach the socket.
func (x *exchange) Unwrap() http.ResponseWriter { return x.ResponseWriter }

// WriteHeader waits for what is written after it.
func (x *exchange) WriteHeader(status int) {
	if status < http.StatusOK {
		x.ResponseWriter.WriteHeader(status)
		return
	}
	if x.status == 0 {
		x.status = status
	}
}

func (x *exchange) Write(p []byte) (int, error) {
	x.begin(p)
	return x.ResponseWriter.Write(p)
}

// WriteConstant is Write for bytes that nobody will ever change.
func (x *exchange) WriteConstant(p []byte) (int, error) {
	x.begin(p)
	return rest.PassConstant(x.ResponseWriter, p)
}

// begin judges the call before the first bytes of its answer, which are all of it as a rule, go out.
func (x *exchange) begin(p []byte) {
	if x.judged {
		return
	}
	x.WriteHeader(http.StatusOK)
	if x.status >= http.StatusBadRequest || x.isPurchase() {
		x.answer = append(x.answer, p[:min(len(p), keptBody)]...)
	}
	x.broken = x.Cut
	x.judge()
	x.ResponseWriter.WriteHeader(x.status)
}

func (x *exchange) Read(p []byte) (int, error) {
	n, err := x.body.Read(p)
	x.sentSize += n
	x.sent = append(x.sent, p[:min(n, keptBody-len(x.sent))]...)
	x.sentWhole = x.sentWhole || errors.Is(err, io.EOF)
	x.gone = x.gone || err != nil && !x.sentWhole
	return n, err
}

func (x *exchange) Close() error { return x.body.Close() }

// identityOf tells whose call it is.
func identityOf(r *http.Request) identity {
	address, _, err := net.SplitHostPort(r.RemoteAddr)
	if err != nil {
		address = r.RemoteAddr
	}
	return identity{shortened(address), shortened(firstOf(r.Header, "User-Agent"))}
}

func shortened(text string) string { return text[:min(len(text), maxText)] }

// asProof returns the call as proof.
func (x *exchange) asProof() *call {
	if x.proof == nil {
		x.proof = &call{at: x.Came, method: strings.Clone(x.r.Method), target: strings.Clone(shortened(x.r.URL.Path)), status: x.status}
	}
	return x.proof
}

// What a call is.

const (
	storeRoot  = "/shop/store/v1/"
	manageRoot = "/shop/v"
)

func (x *exchange) isStore() bool { return strings.HasPrefix(x.r.URL.Path, storeRoot) }

func (x *exchange) isManagement() bool { return strings.HasPrefix(x.r.URL.Path, manageRoot) }

// inStore returns where in the Store API the call goes: "cart/add-item".
func (x *exchange) inStore() string {
	within, _ := strings.CutPrefix(x.r.URL.Path, storeRoot)
	return within
}

func (x *exchange) isRead() bool {
	return x.r.Method == http.MethodGet || x.r.Method == http.MethodHead
}

func (x *exchange) isCheckout() bool {
	within := x.inStore()
	return within == "checkout" || strings.HasPrefix(within, "checkout/")
}

func (x *exchange) isPurchase() bool { return x.r.Method == http.MethodPost && x.isCheckout() }

// isCartWrite reports whether the call needs a nonce or a cart token because it changes something, or is about the checkout.
func (x *exchange) isCartWrite() bool {
	return x.isCheckout() || !x.isRead() && (strings.HasPrefix(x.inStore(), "cart") || x.inStore() == "batch")
}

// sets reports whether the call says how something is to be: carried out twice, it does what it does once.
func (x *exchange) sets() bool {
	switch x.r.Method {
	case http.MethodPut, http.MethodPatch:
		return true
	case http.MethodPost:
		switch x.inStore() {
		case "cart/update-customer", "cart/update-item", "cart/select-shipping-rate":
			return true
		}
		return x.isManagement() && isNumber(lastSegment(x.r.URL.Path))
	}
	return false
}

// makes reports whether the call makes something new: carried out twice, there are two.
func (x *exchange) makes() bool {
	if x.r.Method != http.MethodPost || x.sets() {
		return false
	}
	return x.isManagement() && !strings.HasSuffix(x.r.URL.Path, "/batch") || x.isPurchase() || x.inStore() == "cart/add-item"
}

func lastSegment(path string) string { return path[strings.LastIndexByte(path, '/')+1:] }

func isNumber(text string) bool { return text != "" && strings.Trim(text, "0123456789") == "" }

// good reports whether the client has a whole answer that is no error.
func (x *exchange) good() bool {
	return !x.broken && x.status >= 200 && x.status < http.StatusBadRequest
}

// content is a number for what the call says: equal calls have equal ones. What each call must bring anew is not in it.
func (x *exchange) content(seed maphash.Seed) uint64 {
	var sum maphash.Hash
	sum.SetSeed(seed)
	for _, text := range [...]string{x.r.Method, " ", x.r.URL.Path, "?"} {
		sum.WriteString(text) //nolint:errcheck // it never fails
	}
	if query := x.r.URL.RawQuery; !strings.Contains(query, "oauth_") {
		sum.WriteString(query) //nolint:errcheck // see above
	} else {
		for pair := range strings.SplitSeq(query, "&") {
			if !strings.HasPrefix(pair, "oauth_") {
				sum.WriteString(pair) //nolint:errcheck // see above
			}
		}
	}
	sum.WriteByte('\n') //nolint:errcheck // see above
	sum.Write(x.sent)   //nolint:errcheck // see above
	return sum.Sum64() + uint64(x.sentSize)
}

// whole is content with whose call it is.
func (x *exchange) whole(seed maphash.Seed, content uint64) uint64 {
	for _, name := range [...]string{"Authorization", "Cart-Token", "Cookie"} {
		if value := x.r.Header.Get(name); value != "" && !strings.HasPrefix(value, "OAuth ") {
			content = content*31 + maphash.String(seed, value)
		}
	}
	return content
}
