package defects

// Variants: shops that answer otherwise than the reference shop, and conform all the same.

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"reflect"
	"slices"
	"strings"
	"time"

	"shopcheck/reports"
	"shopcheck/suites"
	"shopcheck/suites/contract"
	"shopcheck/suites/profile"
)

// Variant is one liberty that the contract leaves to a shop. Suites that are fair find nothing against it.
type Variant struct {
	ID      string // fair.currency-jpy
	What    string // what the shop does, in a sentence
	setup   Setup
	prepare func(m manager) error    // what is set up before the suites come; nil: nothing
	adapt   func(p *profile.Profile) // what a user would write into the profile for such a shop; nil: nothing
	bend    bend                     // nil: answers go out as they are
	hooks   bend                     // lies over the receiver of the shop's webhooks; nil: these go out as they are
	delay   time.Duration            // how much later each answer comes
	around  func(m manager) func()   // what goes on meanwhile, until the function that it returns is called; nil: nothing
	base    string                   // path of the API's root; empty: the root of the site
	wire    bool                     // the shop is asked over a connection: what it does shows only there
	// features that the shop does not have: the profile says so of those that the contract demands, the preflight finds out the others
	absent []string
}

// Setup says how the shop underneath differs from the usual one.
type Setup struct {
	Site        string           // address under which clients reach the shop, without a trailing slash
	Clock       func() time.Time // nil: the system's
	StableNonce bool             // a session's nonce stays the same for its whole life
}

// Variants lists every variant.
func Variants() []Variant {
	return slices.Concat(wireVariants(), answerVariants(), valueVariants(), sessionVariants(), troubleVariants(), shopVariants(),
		featureVariants(), signInVariants(), liveVariants())
}

// acts reports whether the variant changes what passes, and not only the shop underneath. Where the profile says that a feature is
// off, that nobody asks for it is just what is to be seen.
func (v Variant) acts() bool {
	off := slices.ContainsFunc(contract.Features(),
		func(f contract.Feature) bool { return f.Demanded && slices.Contains(v.absent, f.Name) })
	return !off && (v.bend != nil || v.hooks != nil)
}

// Judgement is what the suites have to say of a variant.
type Judgement struct {
	Report *reports.Report
	Idle   bool // the variant was to change exchanges, and changed none: nothing is proved
}

// Judge runs the suites against a variant.
func (t Testbed) Judge(ctx context.Context, v Variant) (Judgement, error) {
	var w witness
	acts := v.acts()
	v.bend, v.hooks = w.watched(v.bend), w.watched(v.hooks)
	report, err := t.report(ctx, v)
	return Judgement{Report: report, Idle: acts && !w.changed.Load()}, err
}

// sharing is how many variants share a shop when they are judged together.
const sharing = 5

// JudgeAll judges variants, and calls judged for each. Together, those that only rewrite answers share shops: that takes less time,
// but one may hide what another would be accused of, so that what is new is to be judged alone as well. Where the suites say anything
// against a shared shop, each of its variants is judged alone: a judgement names who is meant.
func (t Testbed) JudgeAll(ctx context.Context, list []Variant, together bool, judged func(Variant, Judgement)) error {
	groups := slices.Collect(slices.Chunk(list, 1))
	if together {
		groups = grouped(list)
	}
	for _, group := range groups {
		judgements, err := t.judgeGroup(ctx, group)
		if err == nil {
			err = ctx.Err()
		}
		if err != nil {
			return fmt.Errorf("the variant %s (%s): %w", group[0].ID, group[0].What, err)
		}
		for i, v := range group {
			judged(v, judgements[i])
		}
	}
	return nil
}

// grouped says which variants share a shop. Neighbours in the list are often two ways of the same liberty, so that those who share are as
// far apart as the list allows.
func grouped(list []Variant) [][]Variant {
	var groups [][]Variant
	var sharers []Variant
	for _, v := range list {
		if v.onlyRewrites() {
			sharers = append(sharers, v)
		} else {
			groups = append(groups, []Variant{v})
		}
	}
	count := (len(sharers) + sharing - 1) / sharing
	for first := range count {
		var group []Variant
		for i := first; i < len(sharers); i += count {
			group = append(group, sharers[i])
		}
		groups = append(groups, group)
	}
	return groups
}

// onlyRewrites reports whether the variant changes what passes, and nothing of the shop, the profile or the connection.
func (v Variant) onlyRewrites() bool {
	bends := v.bend != nil
	v.ID, v.What, v.bend = "", "", nil
	return bends && reflect.ValueOf(v).IsZero()
}

func (t Testbed) judgeGroup(ctx context.Context, group []Variant) ([]Judgement, error) {
	if len(group) > 1 {
		judgements, err := t.judgeShared(ctx, group)
		accused := func(j Judgement) bool { return len(j.Accusations()) > 0 }
		if err != nil || !slices.ContainsFunc(judgements, accused) {
			return judgements, err
		}
	}
	var judgements []Judgement
	for _, v := range group {
		j, err := t.Judge(ctx, v)
		if err != nil {
			return nil, err
		}
		judgements = append(judgements, j)
	}
	return judgements, nil
}

// judgeShared runs the suites against one shop with all variants of a group over it.
func (t Testbed) judgeShared(ctx context.Context, group []Variant) ([]Judgement, error) {
	witnesses := make([]witness, len(group))
	var bends []bend
	for i, v := range slices.Backward(group) { // the list begins with what is done to the text of an answer: that comes last
		bends = append(bends, witnesses[i].watched(v.bend))
	}
	report, err := t.report(ctx, Variant{bend: all(bends...)})
	var judgements []Judgement
	for i := range group {
		judgements = append(judgements, Judgement{Report: report, Idle: !witnesses[i].changed.Load()})
	}
	return judgements, err
}

func (t Testbed) report(ctx context.Context, v Variant) (*reports.Report, error) {
	if v.wire {
		return t.judgeServed(ctx, v)
	}
	v.setup.Site = t.Profile.Target + v.base
	handler, shop, err := t.build(v)
	if err != nil {
		return nil, err
	}
	return t.judge(ctx, v, shop, Transport(handler))
}

// judgeServed serves the variant on a port of this machine.
func (t Testbed) judgeServed(ctx context.Context, v Variant) (*reports.Report, error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	v.setup.Site = "http://" + listener.Addr().String() + v.base
	handler, shop, err := t.build(v)
	if err != nil {
		return nil, errors.Join(err, listener.Close())
	}
	server := &http.Server{Handler: handler, ReadHeaderTimeout: 10 * time.Second}
	served := make(chan error, 1)
	go func() { served <- server.Serve(listener) }()
	report, err := t.judge(ctx, v, shop, nil)
	closing := server.Close()
	if ended := <-served; !errors.Is(ended, http.ErrServerClosed) {
		closing = errors.Join(closing, ended)
	}
	return report, errors.Join(err, closing)
}

func (t Testbed) judge(ctx context.Context, v Variant, shop manager, transport http.RoundTripper) (*reports.Report, error) {
	if v.around != nil {
		defer v.around(shop)()
	}
	d, err := t.dialect()
	if err != nil {
		return nil, err
	}
	return suites.Run(ctx, suites.Options{Profile: t.profileFor(v), Topics: t.Topics, Transport: transport,
		Deliveries: renamed(d, v.hooks)})
}

// build makes the shop with the variant over it, and who manages the shop.
func (t Testbed) build(v Variant) (http.Handler, manager, error) {
	inner, err := t.Shop(v.setup)
	if err != nil {
		return nil, manager{}, fmt.Errorf("%s: %w", v.ID, err)
	}
	m := manager{inner, t.Profile.Credentials.ReadWrite}
	if v.prepare != nil {
		if err := v.prepare(m); err != nil {
			return nil, manager{}, fmt.Errorf("%s: %w", v.ID, err)
		}
	}
	d, err := t.dialect()
	if err != nil {
		return nil, manager{}, err
	}
	layers := []bend{delayed(v.delay), v.bend, func(shop http.Handler) http.Handler { return speaking(d, shop) }}
	if v.wire { // what is done to the connection comes last
		slices.Reverse(layers[1:])
	}
	outer := inner
	for _, layer := range layers {
		if layer != nil {
			outer = layer(outer)
		}
	}
	return http.StripPrefix(v.base, outer), m, nil
}

// profileFor knows of the variant what its owner would write down. All features must be there but those that it lacks.
func (t Testbed) profileFor(v Variant) profile.Profile {
	p := t.Profile
	p.Target = v.setup.Site
	p.Dialect = cmp.Or(t.Dialect, p.Dialect)
	p.Features = map[string]string{}
	for _, f := range contract.Features() {
		p.Features[f.Name] = "on"
		if slices.Contains(v.absent, f.Name) {
			p.Features[f.Name] = "auto"
			if f.Demanded {
				p.Features[f.Name] = "off"
			}
		}
	}
	if v.adapt != nil {
		v.adapt(&p)
	}
	return p
}

// Accusations are what the suites have against a shop that conforms: there should be none.
func (j Judgement) Accusations() []string {
	var out []string
	r := j.Report
	if j.Idle {
		out = append(out, "it changed no exchange of the run, so that nothing is proved by it")
	}
	for _, spec := range r.Specs {
		switch spec.Outcome {
		case reports.Passed, reports.NotApplicable:
			continue
		}
		said := fmt.Sprintf("%s %s %s", strings.ReplaceAll(string(spec.Outcome), "_", " "), spec.ID, spec.Reason)
		for _, f := range spec.Findings {
			said += fmt.Sprintf("\n    %s: %s at %q, wanted %s, got %s", f.Requirement, f.Message, f.Path, f.Want, f.Got)
		}
		out = append(out, said)
	}
	for _, left := range r.Leftovers {
		out = append(out, "left behind: "+left)
	}
	if len(out) == 0 && r.Verdict != reports.Conformant {
		out = append(out, fmt.Sprintf("%s: %s", r.Verdict, strings.Join(r.Reasons, "; ")))
	}
	return out
}

// all lays several bends over each other, the first innermost.
func all(bends ...bend) bend {
	return func(inner http.Handler) http.Handler {
		for _, b := range bends {
			inner = b(inner)
		}
		return inner
	}
}

// rewritten changes every JSON body on its way out.
func rewritten(edit func(tree any) any) bend {
	return answered(anywhere, func(_ *http.Request, a *answer) {
		if tree := a.tree(); tree != nil {
			a.setTree(edit(tree))
		}
	})
}

// everywhere calls visit for every object in a tree, outermost first.
func everywhere(tree any, visit func(object map[string]any)) {
	switch node := tree.(type) {
	case []any:
		for _, item := range node {
			everywhere(item, visit)
		}
	case map[string]any:
		visit(node)
		for _, value := range node {
			everywhere(value, visit)
		}
	}
}

// members changes all values that have one of the names, wherever they are.
func members(names []string, change func(old any) any) bend {
	return rewritten(func(tree any) any {
		everywhere(tree, func(object map[string]any) {
			for _, name := range names {
				if old, there := object[name]; there {
					object[name] = change(old)
				}
			}
		})
		return tree
	})
}
