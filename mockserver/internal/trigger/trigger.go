// Package trigger brings topics of webhooks about: it makes real records, by the rules of the management API, and does with them what the
// topic tells of.
package trigger

import (
	"net/http"
	"slices"
	"strings"

	"github.com/tidwall/gjson"

	"shopcheck/mockserver/internal/rest"
	"shopcheck/mockserver/internal/shop"
)

// Wanted is what a caller wants to happen.
type Wanted struct {
	Topic string         `json:"topic"`
	Set   map[string]any `json:"set"` // values by their place in the record: "billing.email", "line_items.0.quantity"
}

// Made is a record that was made.
type Made struct {
	Resource string `json:"resource"`
	ID       int64  `json:"id"`
}

// Staff calls the management API of a shop, with an address below its namespace, and returns the body of a good answer. The error is a
// *rest.Error.
type Staff func(method, address string, body any) (gjson.Result, error)

// Shop is where something is to happen.
type Shop struct {
	Staff Staff
	View  shop.View
	API   *rest.API    // which the staff calls
	Copy  func() Staff // of a copy of the shop, that nobody else sees
}

// Do makes what a topic tells of, and returns the records that it has made and the last answer about the one that is meant. It rehearses
// all of it in a copy of the shop first: what is refused there has changed nothing. The error is a *rest.Error.
func Do(in Shop, wanted Wanted) ([]Made, gjson.Result, error) {
	event, err := eventOf(wanted.Topic)
	if err != nil {
		return nil, gjson.Result{}, err
	}
	p, err := newPlan(in, event, wanted.Set)
	if err != nil {
		return nil, gjson.Result{}, err
	}
	if err := p.dryRun(); err != nil {
		return nil, gjson.Result{}, err
	}
	return p.run(in.Staff)
}

// Topics lists what can be triggered.
func Topics() []string {
	var all []string
	for _, event := range shop.Events() {
		if event != neverRestored {
			topics := event.Topics()
			all = append(all, topics[:]...)
		}
	}
	slices.Sort(all)
	return all
}

// neverRestored does not happen: customers have no trash.
var neverRestored = shop.Event{Resource: "customer", Action: "restored"}

// eventOf finds what a topic tells of: order.created, and action.shop_new_order for the same.
func eventOf(topic string) (shop.Event, error) {
	for _, event := range shop.Events() {
		topics := event.Topics()
		switch {
		case !slices.Contains(topics[:], topic):
		case event == neverRestored:
			return event, rest.InvalidParamf("topic", "Customers have no trash, so that none is ever restored: customer.deleted can be.")
		default:
			return event, nil
		}
	}
	meant := "known are " + strings.Join(Topics(), ", ") + "."
	if near := rest.Nearest(Topics(), topic); len(near) > 0 {
		meant = "did you mean " + strings.Join(near, " or ") + "?"
	}
	return shop.Event{}, rest.InvalidParamf("topic", "The shop never tells of the topic %.80q; %s", topic, meant)
}

// plan is what is to be done for an event.
type plan struct {
	shop   Shop
	event  shop.Event
	kind   kind
	sets   []setting
	total  *shop.Amount // that the order is to have; nil: whatever follows
	line   shop.Amount  // what its first line costs, without tax, so that it has that
	excess shop.Amount  // what an untaxed fee adds

	writable, shown *rest.Param // what clients may write of the record, and what it shows
}

func newPlan(in Shop, event shop.Event, set map[string]any) (*plan, error) {
	p := &plan{shop: in, event: event, kind: kindOf(event.Resource)}
	p.writable, p.shown = p.declared()
	if err := p.takeTotal(set); err != nil {
		return nil, err
	}
	for place, value := range set {
		if strings.Count(place, ".") > deepest {
			return nil, rest.InvalidParamf("set", "%.80s… is too deep: take at most %d names.", place, deepest+1)
		}
		if place != totalPlace || p.total == nil {
			p.sets = append(p.sets, setting{strings.Split(place, "."), value})
		}
	}
	slices.SortFunc(p.sets, inOrder)
	return p, nil
}

const deepest = 15 // dots in a place

// dryRun does all of it in a copy of the shop.
func (p *plan) dryRun() error {
	if p.total != nil {
		return p.findTotal()
	}
	_, _, err := p.run(p.shop.Copy())
	return err
}

// run does what is planned.
func (p *plan) run(staff Staff) ([]Made, gjson.Result, error) {
	r := &run{plan: p, staff: staff}
	body, err := p.kind.fresh(r)
	if err != nil {
		return r.made, gjson.Result{}, err
	}
	if p.event.Action != "updated" {
		if body, err = p.applied(body); err != nil {
			return r.made, gjson.Result{}, err
		}
	}
	record, err := r.make(p.event.Resource, body)
	if err != nil {
		return r.made, record, err
	}
	address := p.kind.collection + "/" + record.Get("id").String()
	switch p.event.Action {
	case "updated":
		return r.change(address, record)
	case "deleted":
		record, err = staff(http.MethodDelete, address+"?force=true", nil)
	case "restored":
		if record, err = staff(http.MethodDelete, address, nil); err == nil {
			record, err = staff(http.MethodPut, address, map[string]any{"status": p.kind.restored})
		}
	}
	return r.made, record, err
}

// run is one way through a plan.
type run struct {
	*plan
	staff Staff
	made  []Made
}

// make makes a record.
func (r *run) make(resource string, body any) (gjson.Result, error) {
	record, err := r.staff(http.MethodPost, kindOf(resource).collection, body)
	if err == nil {
		r.made = append(r.made, Made{resource, record.Get("id").Int()})
	}
	return record, err
}

// change updates a record.
func (r *run) change(address string, record gjson.Result) ([]Made, gjson.Result, error) {
	changes := map[string]any{}
	if len(r.sets) == 0 && r.total == nil {
		changes = r.kind.changed
	}
	for _, set := range r.sets {
		begin(changes, record, set.place[0])
	}
	if r.total != nil {
		begin(changes, record, "line_items")
	}
	body, err := r.applied(changes)
	if err != nil {
		return r.made, record, err
	}
	record, err = r.staff(http.MethodPut, address, body)
	return r.made, record, err
}

// begin lets a list of a change begin with the entries that the record has: by their ids, where they have some, so that what is not set
// stays.
func begin(changes map[string]any, record gjson.Result, name string) {
	list := record.Get(gjson.Escape(name))
	if !list.IsArray() || changes[name] != nil {
		return
	}
	entries := []any{}
	for _, entry := range list.Array() {
		if id := entry.Get("id"); id.Int() != 0 {
			entries = append(entries, map[string]any{"id": id.Int()})
		} else {
			entries = append(entries, entry.Value())
		}
	}
	changes[name] = entries
}
