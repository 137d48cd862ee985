package advice

// The rules for what can be seen of a call alone, or by what was given to its client before.

import (
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/tidwall/gjson"

	"shopcheck/mockserver/internal/rest"
)

// judge looks at a call. The lock is held.
func (o *Observer) judge(m *memory, x *exchange) {
	c := m.clientOf(x)
	switch {
	case x.isStore():
		c.judgeNonce(m, x)
		c.judgeConflict(x)
		c.judgeRedirect(m, x)
	case x.isManagement():
		c.judgeNamespace(x)
		c.judgeAmounts(x)
	case strings.HasPrefix(x.r.URL.Path, rest.PayPage):
		m.openPage(x.r.URL.Path)
		return
	case !strings.HasPrefix(x.r.URL.Path, "/jwt-auth/"):
		return
	}
	c.judgeNames(x)
	c.judgeSecrets(x)
	c.judgeWaiting(x)
	c.judgeRepeats(m, x)
	c.judgeLists(x)
	switch {
	case x.isRead():
		c.lastRead = x.done
	case x.isStore() && x.good() && !x.isPurchase():
		c.lastCartWrite = x.done
	}
}

// givenNonce is a nonce that an answer brought together with a cart token, or that a call was made with.
type givenNonce struct {
	token bool      // the answer brought a cart token, too
	used  *call     // the call that sent it and was answered with another one
	done  int64     // step at which that call was answered
	ended time.Time // and when
}

func (c *client) judgeNonce(m *memory, x *exchange) {
	if firstOf(x.r.Header, "Cart-Token") != "" {
		if x.isCartWrite() {
			c.chance(cartTokenDropped)
		}
		return // whoever has a token needs no nonce
	}
	sent, given := firstOf(x.r.Header, "Nonce"), firstOf(x.Header(), "Nonce")
	if sent != "" {
		known, kept := m.nonces.Get(m.keyOf(sent))
		if !kept {
			known = &givenNonce{}
			m.nonces.Add(m.keyOf(sent), known)
		}
		c.judgeSentNonce(known, sent, given, x)
	}
	if given != "" && given != sent && firstOf(x.Header(), "Cart-Token") != "" {
		m.nonces.Add(m.keyOf(given), &givenNonce{token: true})
	}
}

func (c *client) judgeSentNonce(known *givenNonce, sent, given string, x *exchange) {
	if x.isCartWrite() {
		kept := x.r.Header.Get("Cookie") != ""
		if known.token || kept {
			c.chance(cartTokenDropped)
		}
		if known.token && !kept {
			c.earn(x, cartTokenDropped, "", x.asProof())
		}
	}
	c.chance(nonceReused)
	switch {
	case known.used == nil:
		if given != "" && given != sent && !x.broken {
			known.used, known.done, known.ended = x.asProof(), x.done, x.ended
		}
	case known.done > x.begun: // both were under way at once
	default:
		if x.Came.Sub(known.ended) >= deliberate || c.reused != nil && c.reused != known {
			c.earn(x, nonceReused, "", known.used, x.asProof())
		}
		c.reused = known
	}
}

func (c *client) judgeNamespace(x *exchange) {
	c.chance(namespaceDeprecated)
	c.chance(namespaceLegacy)
	switch {
	case strings.HasPrefix(x.r.URL.Path, "/shop/v1/"):
		c.earn(x, namespaceDeprecated, "", x.asProof())
	case strings.HasPrefix(x.r.URL.Path, "/shop/v2/"):
		c.earn(x, namespaceLegacy, "", x.asProof())
	}
}

func (c *client) judgeNames(x *exchange) {
	if x.r.URL.RawQuery != "" {
		c.chance(parameterUnknown)
	}
	if x.sentSize > 0 {
		c.chance(fieldUnknown)
	}
	if names := x.undeclared.Query; len(names) > 0 {
		c.earn(x, parameterUnknown, "unknown: "+shortened(strings.Join(names, ", ")), x.asProof())
	}
	if names := x.undeclared.Fields; len(names) > 0 {
		c.earn(x, fieldUnknown, "unknown: "+shortened(strings.Join(names, ", ")), x.asProof())
	}
}

// judgeSecrets looks for secrets in the address. Over plain HTTP the contract takes a key there, from other machines nowhere else.
func (c *client) judgeSecrets(x *exchange) {
	query := x.r.URL.RawQuery
	if firstOf(x.r.Header, "Authorization") != "" || strings.Contains(query, "consumer_") {
		c.chance(secretInQuery)
	}
	for pair := range strings.SplitSeq(query, "&") {
		name, value, _ := strings.Cut(pair, "=")
		switch name {
		case "consumer_secret":
			if !x.Secure && !x.Local {
				continue
			}
		case "password", "customer_password", "token", "access_token", "cart_token", "Cart-Token", "authorization":
		default:
			continue
		}
		if value != "" {
			c.earn(x, secretInQuery, "in the query: "+name, x.asProof())
		}
	}
}

// judgeWaiting looks whether the client gives up at some time.
func (c *client) judgeWaiting(x *exchange) {
	switch took := x.ended.Sub(x.Came); {
	case x.gone && took >= gaveUp:
		c.chance(timeoutNone)
	case !x.gone && !x.broken && took >= tooLong:
		c.chance(timeoutNone)
		c.earn(x, timeoutNone, "", x.asProof())
	}
}

// redirect is a page on which a payment is completed, and that nobody has opened yet.
type redirect struct {
	c  *client
	at *call
	by int // calls of the client until then
}

func (c *client) judgeRedirect(m *memory, x *exchange) {
	if !x.isPurchase() || !x.good() {
		return
	}
	result := gjson.GetBytes(x.answer, "payment_result")
	page, err := url.Parse(result.Get("redirect_url").Str)
	if err != nil || result.Get("payment_status").Str != "pending" {
		return
	}
	if at := strings.Index(page.Path, rest.PayPage); at >= 0 {
		m.redirects.Add(strings.TrimSuffix(page.Path[at:], "/"), &redirect{c, x.asProof(), c.requests})
	}
}

// openPage notes that somebody opened the page of a payment: a browser, or whoever stands for one.
func (m *memory) openPage(path string) {
	if opened, known := m.redirects.Peek(path); known {
		opened.c.chance(redirectNotFollowed)
		m.redirects.Remove(path)
	}
}

func (c *client) judgeConflict(x *exchange) {
	if x.status == http.StatusConflict && holdsCart(x) {
		c.chance(conflictIgnored)
	}
}

func holdsCart(x *exchange) bool { return gjson.GetBytes(x.answer, "data.cart").IsObject() }
