package suites

// The tree of specs: how a spec names what it verifies, and how the tree is built and vetted.

import (
	"fmt"
	"slices"
	"strings"

	"github.com/onsi/ginkgo/v2"
	"github.com/onsi/ginkgo/v2/types"

	"shopcheck/reports"
	"shopcheck/suites/contract"
	"shopcheck/suites/spec"
)

// Labels of specs. Topics and levels are labels by their bare names.
const (
	requirementLabel = "req:"
	featureLabel     = "feature:"
)

// builder vets specs as they are declared and turns their decorators into labels.
type builder struct {
	problems []string
}

func (b *builder) problem(format string, args ...any) {
	text := fmt.Sprintf(format, args...)
	if !slices.Contains(b.problems, text) {
		b.problems = append(b.problems, text)
	}
}

// transform is ginkgo's hook on every node of the tree.
func (b *builder) transform(kind types.NodeType, _ ginkgo.Offset, text string, args []any) (string, []any, []error) {
	var requirements, features []string
	rest := make([]any, 0, len(args))
	for _, arg := range args {
		switch decorator := arg.(type) {
		case spec.Requirements:
			requirements = append(requirements, decorator.IDs...)
		case spec.Features:
			features = append(features, decorator.Names...)
		default:
			if arg == any(ginkgo.Focus) || arg == any(ginkgo.Pending) {
				b.problem("%q is focused or pending; a conformance run has neither", text)
				continue
			}
			rest = append(rest, arg)
		}
	}
	if !kind.Is(types.NodeTypeIt) {
		if len(requirements)+len(features) > 0 {
			b.problem("%q: Req and Needs belong to It", text)
		}
		return text, rest, nil
	}
	return text, append(rest, ginkgo.Label(b.labels(text, requirements, features)...)), nil
}

func (b *builder) labels(text string, requirements, features []string) []string {
	if len(requirements) == 0 {
		b.problem("%q names no requirement; give it Req(\"…\")", text)
	}
	var labels []string
	add := func(label string) {
		if !slices.Contains(labels, label) {
			labels = append(labels, label)
		}
	}
	for _, id := range requirements {
		r, known := contract.All().Get(id)
		if !known {
			b.problem("%q names the unknown requirement %s", text, id)
			continue
		}
		if r.Untestable != "" {
			b.problem("%q names %s, of which the catalogue says that it cannot be tested", text, id)
		}
		add(requirementLabel + id)
		add(string(r.Level))
		if r.Feature != "" {
			add(featureLabel + r.Feature)
		}
	}
	for _, name := range features {
		if !slices.ContainsFunc(contract.Features(), func(f contract.Feature) bool { return f.Name == name }) {
			b.problem("%q needs the unknown feature %s", text, name)
		}
		add(featureLabel + name)
	}
	return labels
}

// Planned is one spec of the tree, before it runs.
type Planned struct {
	ID           string   `json:"id"`
	Topic        string   `json:"topic"`
	Texts        []string `json:"texts"` // container texts, then the spec's own
	Requirements []string `json:"requirements"`
	Features     []string `json:"features"` // all that it needs
}

// record returns the record of the spec before it runs.
func (p Planned) record() *spec.Record {
	return &spec.Record{Spec: reports.Spec{ID: p.ID, Topic: p.Topic, Texts: p.Texts, Requirements: p.Requirements, Attempts: 1}}
}

// plannedSpec reads what the builder has written into a spec's labels.
func plannedSpec(r types.SpecReport) Planned {
	texts := append(slices.Clone(r.ContainerHierarchyTexts), r.LeafNodeText)
	planned := Planned{ID: slug(texts), Topic: texts[0], Texts: texts[1:]}
	for _, label := range r.LeafNodeLabels {
		if id, ok := strings.CutPrefix(label, requirementLabel); ok {
			planned.Requirements = append(planned.Requirements, id)
		}
		if name, ok := strings.CutPrefix(label, featureLabel); ok {
			planned.Features = append(planned.Features, name)
		}
	}
	return planned
}

// slug makes a stable id of a spec's texts: cart.add-item.adds-the-product.
func slug(texts []string) string {
	parts := make([]string, len(texts))
	for i, text := range texts {
		words := strings.FieldsFunc(strings.ToLower(text), func(r rune) bool {
			return (r < 'a' || r > 'z') && (r < '0' || r > '9') && r != '_'
		})
		parts[i] = strings.Join(words, "-")
	}
	return strings.Join(parts, ".")
}

// plan is the tree as ginkgo previews it: all specs, and which of them are selected.
type plan struct {
	all      []Planned
	byID     map[string]Planned
	byTexts  map[string]string // texts → id
	selected map[string]bool
	shard    *reports.Shard   // nil: it is the whole selection
	leftOut  *reports.LeftOut // what the selection lacks because the run may only read; nil where it may write
	unread   []string         // requirements that only specs verify that are left out for that
}

// of finds the spec that ginkgo reports on.
func (p plan) of(r types.SpecReport) Planned { return p.byID[p.byTexts[textsOf(r)]] }

// textsOf are the texts of a spec, as one.
func textsOf(r types.SpecReport) string {
	return strings.Join(r.ContainerHierarchyTexts, "\x00") + "\x00" + r.LeafNodeText
}

// chosen returns the selected specs.
func (p plan) chosen() []Planned {
	var out []Planned
	for _, planned := range p.all {
		if p.selected[planned.ID] {
			out = append(out, planned)
		}
	}
	return out
}

// round is the order in which one of several workers goes through the topics. All go round, from places that are as far apart as they
// can be. The first begins with the specs that await webhooks, for no other one may run them.
func (p plan) round(number, workers int) []string {
	chosen := p.chosen()
	first := max(0, slices.IndexFunc(chosen, func(s Planned) bool { return slices.Contains(s.Features, contract.FeatureWebhooks) }))
	var topics []string
	for _, s := range chosen {
		if !slices.Contains(topics, s.Topic) {
			topics = append(topics, s.Topic)
		}
	}
	begin := slices.Index(topics, chosen[(first+number*len(chosen)/workers)%len(chosen)].Topic)
	return slices.Concat(topics[begin:], topics[:begin])
}

// preview lists the specs of the tree that is built, and says what is wrong with it.
func (b *builder) preview(config types.SuiteConfig) (plan, error) {
	report := ginkgo.PreviewSpecs(suiteName, config, reporterConfig())
	p := plan{byID: map[string]Planned{}, byTexts: map[string]string{}, selected: map[string]bool{}}
	for _, r := range report.SpecReports.WithLeafNodeType(types.NodeTypeIt) {
		planned := plannedSpec(r)
		if _, twice := p.byID[planned.ID]; twice {
			b.problem("two specs have the id %s; change one's text", planned.ID)
		}
		p.all, p.byID[planned.ID], p.byTexts[textsOf(r)] = append(p.all, planned), planned, planned.ID
		if r.State.Is(types.SpecStatePassed) {
			p.selected[planned.ID] = true
		}
	}
	if len(b.problems) > 0 {
		return plan{}, fmt.Errorf("the suites are not sound:\n  %s", strings.Join(b.problems, "\n  "))
	}
	return p, nil
}
