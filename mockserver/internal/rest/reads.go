package rest

// Reads that come again and again. What was answered once is answered again without finding out what the request means and who sent it,
// as long as the shop is what it was then.

import (
	"net/http"
	"strings"

	"shopcheck/mockserver/internal/shop"
)

// readAddress is all that such an answer depends on besides the shop, but for what API.Greet says to each sender.
type readAddress struct {
	path, query   string
	credentials   string // as they were sent: what they are good for is up to the shop, and to how it was reached
	site          Site
	secure, local bool // see Dial
}

type keptRead struct {
	basis  shop.Basis
	api    *API
	allow  []string
	paging pageValues
	body   *Constant
}

// basic begins credentials that prove who sends them at any time. Others run out, or are good for one request.
const basic = "Basic "

// addressOf returns the address of a read that may come again, false for any other request.
func addressOf(r *http.Request, site Site, dial *Dial) (readAddress, bool) {
	sent := r.Header["Authorization"]
	if r.Method != http.MethodGet || len(r.URL.Path) > maxKnownPath || len(sent) > 1 || !saysAll(r) {
		return readAddress{}, false
	}
	address := readAddress{path: r.URL.Path, query: r.URL.RawQuery, site: site, secure: dial.Scheme == "https", local: dial.Local}
	if len(sent) == 1 {
		address.credentials = sent[0]
		return address, strings.HasPrefix(sent[0], basic) && len(sent[0]) <= maxKeptQuery
	}
	return address, true
}

// keepRead keeps the answer to a call that is about to be written, if nothing but the shop can change it.
func (r *Request) keepRead(status int, body any, allow []string) {
	constant, ready := body.(*Constant)
	if !r.lasting || !ready || status != http.StatusOK || r.foreign || r.Answers == nil || r.Mishap != nil {
		return
	}
	if address, again := addressOf(r.HTTP, r.Site, &r.Dial); again {
		r.Answers.reads.Add(address, &keptRead{r.View.Basis(), r.API, allow, pagingOf(r.Header), constant})
	}
}

// answerAgain answers a read that is kept, if it was made from what the shop is now.
func (host *Host) answerAgain(w http.ResponseWriter, r *http.Request, view shop.View) bool {
	if host.Answers == nil || host.Mishap != nil {
		return false
	}
	address, again := addressOf(r, host.Site, &host.Dial)
	if !again {
		return false
	}
	read, known := host.Answers.reads.Get(address)
	if !known || read.basis != view.Basis() {
		return false
	}
	header := w.Header()
	if greet := read.api.Greet; greet != nil {
		if err := greet(host.Lent, view.Now, r.Header, header); err != nil {
			return false // who is asked for the whole answer says what is wrong
		}
	}
	header["Allow"] = read.allow
	read.paging.set(header)
	WriteJSON(new(conditional).answerTo(w, r), http.StatusOK, read.body)
	return true
}
