package advice

// What was seen, told.

import (
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/tidwall/gjson"
)

// Report is what was seen of the clients of a shop.
type Report struct {
	Mode      Mode
	Advice    []Advice // all that there is, in the order of Kinds
	Clients   []Client // in the order in which they came
	Forgotten int      // clients that made room for others
}

// Advice is a kind with what was seen of it.
type Advice struct {
	Kind
	Chances int        // times that a client could have earned it; 0: it could not be judged
	Count   int        // times that one did
	Seen    []Sighting // the first ones of each client
}

// Sighting is one time that an advice was earned.
type Sighting struct {
	Client int
	Note   string
	Calls  []Call
	calls  []*call
}

// Call is a call as proof.
type Call struct {
	Request  int64 // its number in the journal; 0: it is not there
	Delivery int64 // of a webhook; 0: it is none
	Time     time.Time
	Method   string
	Path     string // as the contract writes it
	Status   int    // 0: the connection was ended without an answer
}

// Client is who called, as far as that can be told: an address with a program.
type Client struct {
	Number      int // from 1, in the order in which they came
	Address     string
	Agent       string
	Requests    int
	First, Last time.Time
	Earned      []string // ids
}

// Report tells what was seen. done says that the clients have ended: what they have left open they will not do any more.
func (o *Observer) Report(done bool) Report {
	o.mu.Lock()
	defer o.mu.Unlock()
	report := Report{Mode: o.Mode(), Forgotten: o.forgotten, Clients: []Client{}, Advice: make([]Advice, kindCount)}
	for i := range report.Advice {
		report.Advice[i].Kind = catalogue[i]
	}
	if o.memory == nil {
		return report
	}
	now := o.clock()
	if done {
		o.memory.settle()
	}
	clients := o.memory.clients.Values()
	slices.SortFunc(clients, func(a, b *client) int { return a.number - b.number })
	for _, c := range clients {
		report.add(c, now, done)
	}
	return report
}

// settle judges what was left open.
func (m *memory) settle() {
	for _, left := range m.redirects.Values() {
		left.c.chance(redirectNotFollowed)
		left.c.earn(nil, redirectNotFollowed, "", left.at)
	}
	m.redirects.Purge()
	for _, c := range m.clients.Values() {
		for _, list := range c.lists.Values() {
			if list.at != nil && c.several {
				c.leavePages(nil, list)
			}
		}
		c.whole.settle(c, nil)
	}
}

// add adds what was seen of a client.
func (r *Report) add(c *client, now time.Time, done bool) {
	shown := Client{Number: c.number, Address: c.address, Agent: c.agent, Requests: c.requests, First: c.first.UTC(), Last: c.last.UTC(),
		Earned: []string{}}
	tallies := c.tallies
	tallies[nonceNotRetried] = c.stale.tally(2, done || now.Sub(c.stale.until) > moment)
	tallies[retryNone] = c.busy.tally(3, done || now.Sub(c.busy.until) > moment)
	for i, t := range tallies {
		advice := &r.Advice[i]
		advice.Chances += t.chances
		advice.Count += t.count
		for _, seen := range t.seen {
			advice.Seen = append(advice.Seen, Sighting{Client: c.number, Note: seen.Note, Calls: told(seen.calls)})
		}
		if t.count > 0 {
			shown.Earned = append(shown.Earned, advice.ID)
		}
	}
	r.Clients = append(r.Clients, shown)
}

// tally judges refusals: one is enough to have a chance once it was sent again, and some to be accused if none was.
func (r *refusals) tally(enough int, over bool) tally {
	if r.retried > 0 {
		return tally{chances: r.all}
	}
	left := r.givenUp(enough)
	if !over || len(left) == 0 {
		return tally{}
	}
	return tally{chances: r.all, count: r.all, seen: []Sighting{{calls: left[:min(len(left), maxSeen)]}}}
}

func told(calls []*call) []Call {
	list := make([]Call, len(calls))
	for i, c := range calls {
		list[i] = Call{Request: c.number, Delivery: c.delivery, Time: c.at.UTC(), Method: c.method, Path: c.target, Status: c.status}
	}
	return list
}

// Delivery looks at a delivery of a webhook that was answered. wrong says that it was signed with another secret.
func (o *Observer) Delivery(id int64, address string, status int, wrong bool) {
	to, err := url.Parse(address)
	if !wrong || status == 0 || err != nil || strings.Contains(to.Path, "/_mock/") || o.Mode() == Off {
		return // the mock's own catcher takes all that comes
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	m, now := o.known(), o.clock()
	receiver := identity{shortened(to.Host), "receiver of webhooks"}
	c, known := m.clients.Get(receiver)
	if !known {
		c = m.add(receiver, now, "")
	}
	c.last = now
	c.chance(signatureUnverified)
	if status >= http.StatusOK && status < http.StatusMultipleChoices {
		c.earn(nil, signatureUnverified, "",
			&call{delivery: id, at: now, method: http.MethodPost, target: shortened(to.Path), status: status})
	}
}

// codeOf returns the code of an answer that is an error.
func codeOf(x *exchange) string { return gjson.GetBytes(x.answer, "code").Str }

// The states of an advice.
const (
	Earned    = "earned"
	Sound     = "sound"
	NotJudged = "not_judged"
)

// State says how the clients fare.
func (a *Advice) State() string {
	switch {
	case a.Count > 0:
		return Earned
	case a.Chances > 0:
		return Sound
	}
	return NotJudged
}
