package defects

// The proof: each defect is laid over a shop, and the suites say what they find.

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"runtime/debug"
	"slices"
	"strings"
	"time"

	"shopcheck/reports"
	"shopcheck/suites"
	"shopcheck/suites/contract"
	"shopcheck/suites/profile"
	"shopcheck/suites/spec"
)

// Testbed is what defects are proved and variants judged with: a shop that conforms, and the suites.
type Testbed struct {
	Profile profile.Profile // fits the shop; its target is never dialled
	Topics  []spec.Topic
	Dialect string // in which the suites talk to the shop, a preset or a file; "" is the profile's, with nothing in between
	// Shop makes a new shop that conforms. Each run gets one of its own.
	Shop func(Setup) (http.Handler, error)
}

// taxedShop makes a shop that charges taxes: tax lines can be seen only there.
func (t Testbed) taxedShop() (http.Handler, error) {
	shop, err := t.Shop(Setup{})
	if err != nil {
		return nil, err
	}
	m := manager{shop, t.Profile.Credentials.ReadWrite}
	return shop, errors.Join(setTo("general/shop_calc_taxes", "yes")(m), m.taxShipping())
}

// Control runs the suites over the shop without any defect. They must find it conformant: then what they find with one is
// the defect.
func (t Testbed) Control(ctx context.Context) (*reports.Report, error) {
	shop, err := t.taxedShop()
	if err != nil {
		return nil, err
	}
	o, err := t.options(t.Profile, shop, nil)
	if err != nil {
		return nil, err
	}
	return suites.Run(ctx, o)
}

// provingPatience is how long a webhook request may take: a shop of this process sends it at once, or a defect keeps it back.
const provingPatience = 500 * time.Millisecond

// Proof says how the suites answered one defect, for one requirement that it breaks.
type Proof struct {
	Defect      Defect
	Requirement contract.Requirement
	Outcome     reports.Outcome // of the requirement; Failed, or for a should Warned, when the defect was caught
	Reason      string          // why the requirement is untested, could not run …
	Specs       []string        // ids of the specs that caught it
	Changed     bool            // it changed an exchange of the run, or a delivery
}

// Caught reports whether the requirement itself was reported as broken, not another by accident, and by what the defect did.
func (p Proof) Caught() bool {
	if !p.Changed {
		return false
	}
	if p.Requirement.Level == reports.Should {
		return p.Outcome == reports.Warned
	}
	return p.Outcome == reports.Failed
}

// Prove lays each defect over a shop of its own and runs the specs that verify what it breaks. proved gets each proof as it is
// made. An error means that the proof itself went wrong: a run could not begin, or ctx ended.
func (t Testbed) Prove(ctx context.Context, list []Defect, proved func(Proof)) error {
	defer debug.SetGCPercent(debug.SetGCPercent(400)) // a thousand short lives: collect less often
	specs, err := suites.List(t.Topics)
	if err != nil {
		return err
	}
	verifiers := topicsByRequirement(t.Topics, specs)
	for _, d := range list {
		for _, id := range d.Breaks {
			proof, err := t.prove(ctx, d, id, verifiers[id])
			if err != nil {
				return fmt.Errorf("the defect %s (%s): %w", d.ID, d.What, err)
			}
			proved(proof)
		}
	}
	return nil
}

func (t Testbed) prove(ctx context.Context, d Defect, requirement string, topics []spec.Topic) (Proof, error) {
	declared, known := contract.All().Get(requirement)
	if !known {
		return Proof{}, fmt.Errorf("it breaks the unknown requirement %s", requirement)
	}
	report, changed, err := t.run(ctx, d, topics, "req:"+requirement)
	if err != nil {
		return Proof{}, err
	}
	proof := Proof{Defect: d, Requirement: declared, Specs: accusers(report, requirement), Changed: changed}
	for _, q := range report.Requirements {
		if q.ID == requirement {
			proof.Outcome, proof.Reason = q.Outcome, q.Reason
		}
	}
	return proof, nil
}

// Find lays a defect over a shop and runs all specs.
func (t Testbed) Find(ctx context.Context, d Defect) (*reports.Report, error) {
	report, _, err := t.run(ctx, d, t.Topics, "")
	return report, err
}

// run runs specs over a shop with a defect, and reports whether the defect changed anything.
func (t Testbed) run(ctx context.Context, d Defect, topics []spec.Topic, label string) (report *reports.Report, changed bool, err error) {
	shop, err := t.taxedShop()
	if err != nil {
		return nil, false, err
	}
	var w witness
	p := t.Profile
	p.Webhooks.Patience = provingPatience
	if d.encrypted {
		p.Target = strings.Replace(p.Target, "http:", "https:", 1)
	}
	o, err := t.options(p, w.watched(d.bend)(shop), w.watched(d.deliveries))
	if err != nil {
		return nil, false, err
	}
	o.Topics, o.Label = topics, label
	report, err = suites.Run(ctx, o)
	if err == nil {
		err = ctx.Err()
	}
	return report, w.changed.Load(), err
}

// accusers are the specs that report the requirement as broken.
func accusers(report *reports.Report, requirement string) []string {
	var out []string
	for _, spec := range report.Specs {
		if slices.ContainsFunc(spec.Findings, func(f reports.Finding) bool { return f.Requirement == requirement }) {
			out = append(out, spec.ID)
		}
	}
	return out
}

// topicsByRequirement knows which topics have specs for a requirement.
func topicsByRequirement(topics []spec.Topic, specs []suites.Planned) map[string][]spec.Topic {
	names := map[string]map[string]bool{}
	for _, spec := range specs {
		for _, id := range spec.Requirements {
			if names[id] == nil {
				names[id] = map[string]bool{}
			}
			names[id][spec.Topic] = true
		}
	}
	out := map[string][]spec.Topic{}
	for id, wanted := range names {
		for _, topic := range topics {
			if wanted[topic.Name] {
				out[id] = append(out[id], topic)
			}
		}
	}
	return out
}
