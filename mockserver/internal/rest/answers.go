package rest

import (
	"bytes"
	"net/http"
	"strings"

	lru "github.com/hashicorp/golang-lru/v2"

	"shopcheck/mockserver/internal/shop"
)

// Answers are the lists that one shop answered lately, each beside what it was made from: nothing need be forgotten when the shop
// changes. It is safe for concurrent use.
type Answers struct {
	lists *lru.Cache[listAddress, *keptList]
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
	paging [3]string // values of pagingHeaders, "" for none
}

// How many lists are kept, and how long one and its query may be.
const (
	maxKeptLists = 128
	maxKeptList  = 32 << 10 // bytes
	maxKeptQuery = 256      // bytes
)

// NewAnswers makes what keeps the lists of a shop.
func NewAnswers() *Answers {
	lists, _ := lru.New[listAddress, *keptList](maxKeptLists) // fails for sizes below 1 only
	return &Answers{lists}
}

// keepsAnswer reports whether the call asks for a list that is kept, by its address alone.
func (r *Request) keepsAnswer() bool {
	query := r.HTTP.URL.RawQuery
	return r.Endpoint.Keeps && r.Answers != nil && !r.ValidateOnly && (r.HTTP.Body == nil || r.HTTP.Body == http.NoBody) &&
		len(query) <= maxKeptQuery && !strings.Contains(query, "consumer_") && !strings.Contains(query, "oauth_") // which hold credentials
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
	for i, value := range list.paging {
		if value != "" {
			r.Header[pagingHeaders[i]] = []string{value} // its own: who maps the names of an answer changes it in place
		}
	}
	return Answer{Body: list.body}, true
}

// keeping returns a list that is kept when it is written, unless it is long or will be another one next time.
func (r *Request) keeping(answer Answer) Answer {
	if r.fleeting {
		return answer
	}
	list := &keptList{basis: r.View.Basis()}
	for i, name := range pagingHeaders {
		list.paging[i] = r.Header.Get(name)
	}
	made := answer.Body
	answer.Body = deferred(func(b []byte) []byte {
		start := len(b)
		b = AppendAny(b, made)
		if len(b)-start <= maxKeptList {
			list.body = NewConstant(Tagged(bytes.Clone(b[start:])))
			r.Answers.lists.Add(r.address(), list)
		}
		return b
	})
	return answer
}
