package spec

// Records made ahead. Specs are given records of their own, and many of these are alike. The first of a kind is made when it is asked for,
// those after it several at a time: by a batch, and a list that proves them. A shop far away answers slowly.

import (
	"context"
	"encoding/json"
	"fmt"
	"strconv"

	"github.com/tidwall/gjson"

	"shopcheck/reports"
	"shopcheck/suites/client"
)

// ahead are the records of one kind that no spec has been given yet.
type ahead struct {
	size      int // how many are made at a time
	ready     []madeRecord
	exchanges []reports.Exchange // that those that are ready were made by; the records' own count from the first
	told      string             // the spec whose record holds the exchanges
	at        int                // the place of the first there
}

// tell makes sure that the record of the running spec holds the exchanges, and returns the place of the first.
func (a *ahead) tell(r *Run) int {
	if id := r.running(); id != a.told {
		a.told, a.at = id, r.recordShared(a.exchanges)
	}
	return a.at
}

// madeRecord is a record as the target shows it, and the body that it was made of.
type madeRecord struct {
	*client.Answer
	Body Fields
}

func (r madeRecord) moved(by int) madeRecord { return madeRecord{r.Answer.Moved(by), r.Body} }

const (
	growthAhead = 4  // how many more are made the next time
	mostAhead   = 16 // how many are made at a time at most
)

// given is Given, with the body that the record was made of.
func (e *Env) given(ctx context.Context, records Resource, requirement string, kind any, body func() Fields) madeRecord {
	made := e.make(ctx, records, kind, body)
	e.run.Expect(requirement, made.Answer, BeSuccess())
	return made
}

// Given returns a record of the spec's own, made just now or ahead. Those of one kind have bodies that differ in words of their own only.
// A refusal breaks the requirement.
func (e *Env) Given(ctx context.Context, records Resource, requirement string, kind any, body func() Fields) *client.Answer {
	return e.given(ctx, records, requirement, kind, body).Answer
}

// make is given, whatever the target says to it.
func (e *Env) make(ctx context.Context, records Resource, kind any, body func() Fields) madeRecord {
	if a := e.aheadOf(records, kind); a != nil {
		if len(a.ready) == 0 {
			e.makeAhead(ctx, records, a, body)
		}
		if len(a.ready) > 0 {
			record := a.ready[0]
			a.ready = a.ready[1:]
			e.run.Made.use([]string{recordPath(records.Path(), record.ID())})
			return record.moved(a.tell(e.run))
		}
	}
	one := body()
	return madeRecord{records.Create(ctx, one), one}
}

// aheadOf returns the records of a kind that were made ahead. It is nil where none are to be: for the first of a kind.
func (e *Env) aheadOf(records Resource, kind any) *ahead {
	text, _ := json.Marshal(kind) // of fields, which are JSON
	name := records.path + string(text)
	switch known := e.ahead[name]; {
	case e.fresh, e.run.Made.mark.Match(text): // there is no second one with the same word
		return nil
	case known == nil:
		e.ahead[name] = &ahead{size: 1}
		return nil
	default:
		return known
	}
}

// makeAhead makes more records of a kind, where the target makes them so.
func (e *Env) makeAhead(ctx context.Context, records Resource, a *ahead, body func() Fields) {
	a.size = min(a.size*growthAhead, mostAhead)
	bodies := make([]Fields, a.size)
	for i := range bodies {
		bodies[i] = body()
	}
	a.told, a.at = e.run.running(), e.run.exchangeCount()
	for i, record := range e.createSome(ctx, records, bodies) {
		a.ready = append(a.ready, madeRecord{record.Moved(-a.at), bodies[i]})
	}
	a.exchanges = e.run.exchangesFrom(a.at)
}

// givenSome makes a record of each body, oldest first. Where a batch does not make them as they are wanted, nobody knows what it has
// made: others are made of new bodies, one by one. A refusal breaks the requirement.
func (e *Env) givenSome(ctx context.Context, records Resource, requirement string, bodiesOf func() []Fields) []madeRecord {
	bodies := bodiesOf()
	made := make([]madeRecord, len(bodies))
	if len(bodies) > 1 {
		if answers := e.createSome(ctx, records, bodies); answers != nil {
			for i, answer := range answers {
				made[i] = madeRecord{answer, bodies[i]}
			}
			return made
		}
		bodies = bodiesOf()
	}
	for i, body := range bodies {
		made[i] = madeRecord{records.Create(ctx, body), body}
		e.run.Expect(requirement, made[i].Answer, BeSuccess())
	}
	return made
}

// createSome makes records by one batch, and returns them as a list shows them, which proves that they are the run's. What a batch
// answers is not documented: it returns nil where the records do not come as they are wanted, or are too large to be kept, and does not
// try that again.
func (e *Env) createSome(ctx context.Context, records Resource, bodies []Fields) []*client.Answer {
	if e.unbatched[records.path] {
		return nil
	}
	e.unbatched[records.path] = true // until it is known better
	ids := integers(records.Batch(ctx, Fields{"create": bodies}).Get("create.#.id"))
	if len(ids) != len(bodies) {
		return nil
	}
	list := records.List(ctx, Query{"include": joined(ids), "per_page": strconv.Itoa(sweptPage)})
	if len(list.Body) > mostShared { // each of the records would keep all of it
		return nil
	}
	made := make([]*client.Answer, len(ids))
	for i, id := range ids {
		made[i] = list.Part(fmt.Sprintf("#(id==%d)", id))
		if !e.isMade(recordPath(records.Path(), id), made[i].JSON(), bodies[i]) {
			return nil
		}
	}
	e.unbatched[records.path] = false
	return made
}

// isMade reports whether a record is proven to be the run's, and made of a body, as far as its plain values tell.
func (e *Env) isMade(path string, record gjson.Result, body Fields) bool {
	for field, value := range body {
		switch value.(type) {
		case string, bool, int:
			if record.Get(field).String() != fmt.Sprint(value) {
				return false
			}
		}
	}
	s := e.run.Made.standing(path)
	return s.proven && !s.twice
}

func integers(list gjson.Result) []int64 {
	values := []int64{}
	for _, value := range list.Array() {
		values = append(values, value.Int())
	}
	return values
}

// Fresh gives what is made for it alone and just now: a spec that awaits the making, or several that share what is made.
func Fresh[T any](e *Env, give func() T) T {
	before := e.fresh
	e.fresh = true
	defer func() { e.fresh = before }()
	return give()
}
