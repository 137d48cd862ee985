package defects

// Independent defects: behaviour that is broken for one field, operation, value, resource or entry at a time. They are made from
// what the contract's own tables document (package documented), not from the catalogue's tables that the specs are made from,
// and break no requirement by name: any failure of the suites catches them.

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"runtime/debug"
	"slices"
	"strings"

	"shopcheck/reports"
	"shopcheck/suites"
	"shopcheck/suites/contract/documented"
	"shopcheck/suites/profile"
	"shopcheck/suites/spec"
)

// Independent is one independent defect.
type Independent struct {
	ID    string // its class, and what is broken: create-field.products.sku
	Class string
	What  string        // what the shop does, in a sentence
	Level reports.Level // should: a warning is all that the contract bears
	topic string        // where the suites look first
	found bool          // the features of the shop are found by the preflight, not known from its profile
	bend  bend
	// deliveries lies over what the shop delivers by itself; nil: nothing does.
	deliveries bend
}

// IndependentDefects lists every independent defect.
func IndependentDefects(keys profile.CredentialSet) []Independent {
	l := &independents{doc: documented.Load(), keys: keyring{keys}}
	l.fields()
	l.addresses()
	l.parameters()
	l.values()
	l.batches()
	l.batchFields()
	l.severalLines()
	l.emptied()
	l.counts()
	l.guards()
	l.nonces()
	l.namespaces()
	l.unknownRecords()
	l.statuses()
	l.bodies()
	l.brokenLists()
	l.staleReads()
	l.amounts()
	l.malformed()
	l.options()
	l.effects()
	l.shown()
	l.carts()
	l.links()
	l.days()
	l.lineIDs()
	l.roots()
	l.deliveries()
	l.rules()
	slices.SortStableFunc(l.list, func(a, b Independent) int { return strings.Compare(a.ID, b.ID) })
	return l.list
}

// independents collects independent defects.
type independents struct {
	doc  *documented.Document
	keys keyring
	list []Independent
}

// add adds a defect of a must. Its id begins with the topic that it is about, unless the class as a whole is one topic's.
func (l *independents) add(class, id, what string, b bend) *Independent {
	topic, _, _ := strings.Cut(id, ".")
	if own, whole := map[string]string{"guard": "auth", "nonce": "auth", "namespace": "versioning", "options": "conventions",
		"malformed": "errorcodes", "unknown": "errorcodes", "batch-entry": "batch",
		"batch-field": "batch", "delivery": "webhooks"}[class]; whole {
		topic = own
	}
	l.list = append(l.list, Independent{ID: class + "." + id, Class: class, What: what, Level: reports.Must, topic: topic, bend: b})
	return &l.list[len(l.list)-1]
}

// Finding says how the suites answered one independent defect.
type Finding struct {
	Defect  Independent
	Outcome Reaction
	Specs   []string // those that failed or warned first
}

// Reaction is what a run makes of an independent defect.
type Reaction string

// The reactions, the best first.
const (
	Accused    Reaction = "caught"     // a must failed
	Warned     Reaction = "warned"     // only a should did
	Incomplete Reaction = "incomplete" // something could not run
	Conformant Reaction = "MISSED"     // the run is green
	Unseen     Reaction = "IDLE"       // the defect changed no exchange
)

// Caught reports whether the suites said as much as the contract bears.
func (f Finding) Caught() bool {
	return f.Outcome == Accused || f.Outcome == Warned && f.Defect.Level == reports.Should
}

// Complaint says what is wrong with a finding: a defect slipped through, or one that is listed as a survivor did not. It is empty
// where all is as it should be.
func (f Finding) Complaint() string {
	_, listed := Survivors()[f.Defect.ID]
	switch {
	case listed && f.Caught():
		return fmt.Sprintf("%s is caught now (by %s): take it off survivors.txt", f.Defect.ID, strings.Join(f.Specs, ", "))
	case !listed && !f.Caught():
		return fmt.Sprintf("%s %s: %s", f.Outcome, f.Defect.ID, f.Defect.What)
	}
	return ""
}

//go:embed survivors.txt
var survivors string

// Survivors lists the independent defects that the suites are known not to catch, by id, with the reason.
func Survivors() map[string]string {
	known := map[string]string{}
	for line := range strings.Lines(survivors) {
		id, reason, _ := strings.Cut(strings.TrimSpace(line), " ")
		if id != "" && !strings.HasPrefix(id, "#") {
			known[id] = strings.TrimSpace(reason)
		}
	}
	return known
}

// Try runs the suites over each defect, first the topic that it is about, then all, until a must fails.
func (t Testbed) Try(ctx context.Context, list []Independent, told func(Finding)) error {
	defer debug.SetGCPercent(debug.SetGCPercent(400)) // a thousand short lives: collect less often
	for _, d := range list {
		near := slices.DeleteFunc(slices.Clone(t.Topics), func(topic spec.Topic) bool { return topic.Name != d.topic })
		found := Finding{Outcome: Unseen}
		for _, topics := range [][]spec.Topic{near, t.Topics} {
			if len(topics) == 0 || found.Outcome == Accused {
				continue
			}
			var err error
			if found, err = t.try(ctx, d, topics); err != nil {
				return err
			}
		}
		told(found)
	}
	return nil
}

// firstFailure ends a run as soon as a spec has failed: more would say no more.
type firstFailure struct {
	suites.Quiet
	stop context.CancelFunc
	spec string
}

// Done implements suites.Progress.
func (f *firstFailure) Done(s reports.Spec) {
	if s.Outcome == reports.Failed && f.spec == "" {
		f.spec = s.ID
		f.stop()
	}
}

func (t Testbed) try(ctx context.Context, d Independent, topics []spec.Topic) (Finding, error) {
	shop, err := t.taxedShop()
	if err != nil {
		return Finding{}, err
	}
	var w witness
	p := t.Profile
	p.Webhooks.Patience = provingPatience
	if d.found {
		p.Features = nil
	}
	running, stop := context.WithCancel(ctx)
	defer stop()
	failed := &firstFailure{stop: stop}
	o, err := t.options(p, w.watched(d.bend)(shop), w.watched(d.deliveries))
	if err != nil {
		return Finding{}, err
	}
	o.Topics, o.Progress = topics, failed
	report, err := suites.Run(running, o)
	switch {
	case ctx.Err() != nil:
		return Finding{}, ctx.Err()
	case failed.spec != "":
		return Finding{d, Accused, []string{failed.spec}}, nil
	case err != nil && !errors.Is(err, context.Canceled):
		return Finding{d, Accused, []string{"preflight: " + err.Error()}}, nil // the run refuses the target altogether
	case !w.changed.Load():
		return Finding{d, Unseen, nil}, nil
	}
	return Finding{d, reaction(report), warnings(report)}, nil
}

func reaction(report *reports.Report) Reaction {
	switch {
	case report.Verdict == reports.NotConformant:
		return Accused
	case slices.ContainsFunc(report.Specs, func(s reports.Spec) bool { return s.Outcome == reports.Warned }):
		return Warned
	case report.Verdict == reports.Incomplete:
		return Incomplete
	}
	return Conformant
}

func warnings(report *reports.Report) []string {
	var out []string
	for _, s := range report.Specs {
		if s.Outcome == reports.Warned || s.Outcome == reports.CouldNotRun {
			out = append(out, s.ID)
		}
	}
	return out
}

// collections are the three documented resources, with the topics that are about them.
func collections() []string { return []string{"products", "orders", "customers"} }

// subject names what an endpoint is about, as the topics do.
func subject(endpoint string) string {
	for _, pair := range [][2]string{{"/shop/v3/products", "products"}, {"/shop/v3/orders", "orders"}, {"/shop/v3/customers", "customers"},
		{"/store/v1/cart", "cart"}, {"/store/v1/batch", "cart"}, {"/store/v1/checkout", "checkout"}, {"/store/v1/order/", "orderlookup"},
		{"/store/v1/products", "catalogue"}, {"/jwt-auth", "auth"}} {
		if strings.Contains(endpoint, pair[0]) {
			return pair[1]
		}
	}
	return "conventions"
}

// named writes an endpoint as the end of an id: GET /shop/v3/products/{id} → products.get-products-id.
func named(endpoint string) string {
	method, path, _ := strings.Cut(endpoint, " ")
	path = strings.NewReplacer("/shop/store/v1/", "", "/shop/v3/", "", "/", "-", "{", "", "}", "").Replace(path)
	return subject(endpoint) + "." + strings.ToLower(method) + "-" + strings.TrimPrefix(path, "-")
}

// managed lists the documented endpoints of the management API.
func (l *independents) managed() []string {
	return slices.DeleteFunc(slices.Clone(l.doc.Endpoints), func(e string) bool { return !strings.Contains(e, " /shop/v3/") })
}

// visited lists the documented endpoints of the Store API.
func (l *independents) visited() []string {
	return slices.DeleteFunc(slices.Clone(l.doc.Endpoints), func(e string) bool { return !strings.Contains(e, " /shop/store/") })
}
