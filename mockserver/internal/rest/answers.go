package rest

import (
	"bytes"
	"net/http"
	"strings"

	lru "github.com/hashicorp/golang-lru/v2"

	"shopcheck/mockserver/internal/shop"
)

// Answers are the lists that one shop answered lately, and the reads that came more than once, each beside what it was made from: nothing
// need be forgotten when the shop changes. It is safe for concurrent use.
type Answers struct {
	lists *lru.Cache[listAddress, *keptList]
	reads *lru.Cache[readAddress, *keptRead]
}

// listAddress is all that a list depends on besides the shop.
type listAddress struct {
	endpoint    *Endpoint
	path, query string
	site        Site
}

type keptList struct {
	basis  shop.Basis
	body   *Constant
	paging pageValues
}

// pageValues are the values of pagingHeaders, "" for none.
type pageValues [len(pagingHeaders)]string

func pagingOf(header http.Header) (p pageValues) {
	for i, name := range pagingHeaders {
		p[i] = header.Get(name)
	}
	return p
}

func (p *pageValues) set(header http.Header) {
	if *p == (pageValues{}) {
		return
	}
	own := *p // who maps the names of an answer changes them in place
	for i, value := range own {
		if value != "" {
			header[pagingHeaders[i]] = own[i : i+1 : i+1]
		}
	}
}

// How many lists and reads are kept, and how long a list and its query may be.
const (
	maxKeptLists = 128
	maxKeptReads = 256
	maxKeptList  = 32 << 10 // bytes
	maxKeptQuery = 256      // bytes
)

// NewAnswers makes what keeps the answers of a shop.
func NewAnswers() *Answers {
	lists, _ := lru.New[listAddress, *keptList](maxKeptLists) // fails for sizes below 1 only
	reads, _ := lru.New[readAddress, *keptRead](maxKeptReads) // see above
	return &Answers{lists, reads}
}

// saysAll reports whether the address of a request is all that it says besides its headers, and no credentials are in it.
func saysAll(r *http.Request) bool {
	query := r.URL.RawQuery
	return (r.Body == nil || r.Body == http.NoBody) && len(query) <= maxKeptQuery &&
		(query == "" || !strings.Contains(query, "consumer_") && !strings.Contains(query, "oauth_"))
}

// keepsAnswer reports whether the call asks for a list that is kept, by its address alone.
func (r *Request) keepsAnswer() bool {
	return r.Endpoint.Keeps && r.Answers != nil && !r.ValidateOnly && saysAll(r.HTTP)
}

func (r *Request) address() listAddress {
	return listAddress{r.Endpoint, r.HTTP.URL.Path, r.HTTP.URL.RawQuery, r.Site}
}

// keptAnswer returns the list that the call asks for, if it is known and made from what the shop is now.
func (r *Request) keptAnswer() (Answer, bool) {
	list, known := r.Answers.lists.Get(r.address())
	if !known || list.basis != r.View.Basis() {
		return Answer{}, false
	}
	list.paging.set(r.Header)
	r.lasting = true
	return Answer{Body: list.body}, true
}

// keeping keeps a list, unless it is long or will be another one next time. What is kept is what is written, too.
func (r *Request) keeping(answer Answer) Answer {
	if r.fleeting {
		return answer
	}
	scratch := borrowBuffer()
	scratch.bytes = AppendAny(scratch.bytes, answer.Body)
	if len(scratch.bytes) > maxKeptList {
		answer.Body = scratch
		return answer
	}
	defer scratch.giveBack()
	list := &keptList{basis: r.View.Basis(), body: NewConstant(Tagged(bytes.Clone(scratch.bytes))), paging: pagingOf(r.Header)}
	r.Answers.lists.Add(r.address(), list)
	answer.Body = list.body
	return answer
}
