package advice

// The rules for calls that come again.

import (
	"maps"
	"net/http"
	"slices"
	"strconv"
	"time"
)

// sent is a call that may come again.
type sent struct {
	at       *call
	done     int64
	ended    time.Time
	status   int
	broken   bool
	conflict bool      // it was refused with the cart as it is
	until    time.Time // refused with 429 or 503: it is to wait so long
	version  uint64    // of the shop when it was answered
	before   int       // equal calls that went well before
	same     int       // equal calls before it that were answered alike, with nothing changed in between
	early    int       // equal calls before it that came too soon
}

// staleNonce is the code of a call that is refused for its nonce.
const staleNonce = "shop_rest_invalid_nonce"

// refusals are calls that were refused for a while and are to be sent again.
type refusals struct {
	open    map[uint64]*call // by their content
	all     int
	retried int
	until   time.Time // when the last one could be sent again
}

func (r *refusals) add(content uint64, at *call, until time.Time) {
	if r.open == nil {
		r.open = map[uint64]*call{}
	}
	if len(r.open) < maxRepeated {
		r.open[content] = at
	}
	r.all++
	r.until = until
}

// again notes that a call came again.
func (r *refusals) again(content uint64) {
	if r.open[content] != nil {
		delete(r.open, content)
		r.retried++
	}
}

// given up are those of which none was ever sent again, if they are enough to tell.
func (r *refusals) givenUp(enough int) []*call {
	if r.retried > 0 || r.all < enough {
		return nil
	}
	return slices.SortedFunc(maps.Values(r.open), func(a, b *call) int { return a.at.Compare(b.at) })
}

// judgeRepeats looks at calls that came before. Reads may be repeated: they are remembered only when they were refused for a while.
func (c *client) judgeRepeats(m *memory, x *exchange) {
	busy := x.status == http.StatusTooManyRequests || x.status == http.StatusServiceUnavailable
	stale := x.status == http.StatusForbidden && codeOf(x) == staleNonce
	if !x.sentWhole { // nobody knows what it was to say
		return
	}
	if x.isRead() && !busy && !stale && len(c.busy.open)+len(c.stale.open) == 0 {
		return
	}
	content := x.content(m.seed)
	key := x.whole(m.seed, content)
	now := &sent{done: x.done, ended: x.ended, status: x.status, broken: x.broken, version: x.version,
		conflict: x.status == http.StatusConflict && holdsCart(x)}
	if old, known := c.repeated.Get(key); known && old.done < x.begun {
		c.judgeRepeat(old, now, x)
	}
	c.busy.again(content)
	c.stale.again(content)
	c.noteChances(x)
	switch {
	case busy:
		now.until = x.ended.Add(retryAfter(x))
		c.busy.add(content, x.asProof(), now.until)
	case stale:
		c.stale.add(content, x.asProof(), x.ended)
	case x.isRead():
		c.repeated.Remove(key)
		return
	}
	if !now.good() || now.same > 0 { // else it proves nothing yet
		now.at = x.asProof()
	}
	c.repeated.Add(key, now)
}

// noteChances notes what could be seen if the call came again.
func (c *client) noteChances(x *exchange) {
	switch {
	case x.sets() && x.good():
		c.chance(writeRepeated)
	case x.makes() && noAnswer(x.broken, x.status):
		c.chance(retryUnsafe)
	case isRefusal(x.status) && !x.isRead() && codeOf(x) != staleNonce:
		c.chance(retryRefused)
	}
}

// noAnswer reports whether nobody knows if a call was carried out.
func noAnswer(broken bool, status int) bool {
	return broken || status >= http.StatusInternalServerError && status != http.StatusServiceUnavailable
}

// isRefusal reports whether a status means that the call is wrong and stays so.
func isRefusal(status int) bool {
	return status == http.StatusBadRequest || status == http.StatusUnauthorized || status == http.StatusForbidden ||
		status == http.StatusNotFound
}

// judgeRepeat compares a call with an equal one before it.
func (c *client) judgeRepeat(old, now *sent, x *exchange) {
	knew := x.Came.Sub(old.ended) >= deliberate
	if old.good() {
		now.before = old.before + 1
	}
	unchanged := x.before.Version == old.version
	switch {
	case !old.until.IsZero():
		c.chance(retryTooSoon)
		if x.Came.Before(old.until) {
			now.early = old.early + 1
			if knew || !x.isRead() || now.early > 1 {
				c.earn(x, retryTooSoon, "", old.at, x.asProof())
			}
		}
	case old.conflict:
		now.same = old.same + 1
		if c.lastCartWrite < old.done && (knew || now.same > 1) {
			c.earn(x, conflictIgnored, "", old.at, x.asProof())
		}
	case noAnswer(old.broken, old.status):
		looked := c.lastRead > old.done
		if x.makes() && old.before == 0 && !looked && x.Came.Sub(old.ended) < atOnce && x.r.Header.Get("Idempotency-Key") == "" {
			c.earn(x, retryUnsafe, "", old.at, x.asProof())
		}
	case isRefusal(old.status) && old.status == x.status && unchanged && codeOf(x) != staleNonce:
		if now.same = old.same + 1; now.same > 1 {
			c.earn(x, retryRefused, "", old.at, x.asProof())
		}
	case old.good() && x.good() && x.sets() && unchanged:
		if now.same = old.same + 1; now.same > 1 {
			c.earn(x, writeRepeated, "", old.at, x.asProof())
		}
	}
}

func (s *sent) good() bool { return !s.broken && s.status >= 200 && s.status < http.StatusBadRequest }

// retryAfter is how long the answer says to wait.
func retryAfter(x *exchange) time.Duration {
	seconds, err := strconv.Atoi(x.Header().Get("Retry-After"))
	if err != nil || seconds < 0 {
		return 0
	}
	return time.Duration(min(seconds, 86400)) * time.Second
}
