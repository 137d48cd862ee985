package suites

// Which specs run: those that a label filter and a focus leave, of these the ones that are named, of these those that only read where
// no others may run, and of these a shard.

import (
	"cmp"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/onsi/ginkgo/v2/types"

	"shopcheck/reports"
	"shopcheck/suites/contract"
	"shopcheck/suites/suggest"
)

// Shard is the part of a run that one of several processes takes on, none of which knows of the others.
type Shard struct {
	Number, Count int // the number begins at 1
	// Durations are those of an earlier run, in milliseconds by id of the spec; without any all specs count alike.
	Durations map[string]float64
}

func checkSelection(o Options) error {
	// ginkgo's words for it are many, coloured, and about ginkgo
	if _, err := types.ParseLabelFilter(o.Label); o.Label != "" && err != nil {
		return fmt.Errorf("%w: the label filter %q does not parse; write labels joined by &&, ||, ! and brackets, such as 'cart && "+
			"!should'", ErrSelection, o.Label)
	}
	if _, err := regexp.Compile(o.Focus); err != nil {
		return fmt.Errorf("%w: the focus %q is no regular expression: %w", ErrSelection, o.Focus, err)
	}
	if s := o.Shard; s != nil && (s.Number < 1 || s.Number > s.Count) {
		return fmt.Errorf("%w: there is no shard %d of %d", ErrSelection, s.Number, s.Count)
	}
	return nil
}

// selection names what was asked for.
func (o Options) selection() string {
	var asked []string
	if o.Label != "" {
		asked = append(asked, fmt.Sprintf("the label filter %q", o.Label))
	}
	if o.Focus != "" {
		asked = append(asked, fmt.Sprintf("the focus %q", o.Focus))
	}
	if len(o.Specs) > 0 {
		asked = append(asked, "the specs that are named")
	}
	return strings.Join(asked, " and ")
}

// narrow leaves of the selected specs those that the options name, and of these their shard.
func (p *plan) narrow(o Options) error {
	if unknown := p.unknownLabels(o.Label); unknown != "" {
		return fmt.Errorf("%w: in the label filter %q:%s", ErrSelection, o.Label, unknown)
	}
	if len(o.Specs) > 0 {
		if err := p.keep(o.Specs); err != nil {
			return err
		}
	}
	if len(p.selected) == 0 {
		return fmt.Errorf("%w: no spec matches %s; shopcheck list shows what there is", ErrSelection, o.selection())
	}
	if o.Profile.ReadOnly && o.Reading != nil {
		if err := p.keepReading(o); err != nil {
			return err
		}
	}
	if o.Shard != nil {
		p.split(*o.Shard)
	}
	return nil
}

// keep leaves of the selected specs those with the ids, which may be former ones.
func (p *plan) keep(ids []string) error {
	kept := map[string]bool{}
	for _, id := range ids {
		for _, current := range CurrentIDs(id) {
			if _, known := p.byID[current]; !known {
				return fmt.Errorf("%w: there is no spec %q%s", ErrSelection, id, suggest.DidYouMean(id, p.ids()))
			}
			if p.selected[current] {
				kept[current] = true
			}
		}
	}
	p.selected = kept
	return nil
}

// ids returns those of all specs of the tree.
func (p *plan) ids() []string {
	ids := make([]string, 0, len(p.all))
	for _, planned := range p.all {
		ids = append(ids, planned.ID)
	}
	return ids
}

// split leaves of the selected specs those of a shard. Every process that is told the same splits them in the same way.
func (p *plan) split(s Shard) {
	parts := make([][]string, s.Count)
	for i := range parts {
		parts[i] = []string{}
	}
	load := make([]float64, s.Count)
	for _, unit := range units(p.chosen(), s.Durations) {
		lightest := slices.Index(load, slices.Min(load))
		parts[lightest] = append(parts[lightest], unit.ids...)
		load[lightest] += unit.weight
	}
	p.shard = &reports.Shard{Number: s.Number, Plan: parts}
	p.selected = map[string]bool{}
	for _, id := range parts[s.Number-1] {
		p.selected[id] = true
	}
}

// unit is what is not split: a spec, or all that await webhooks, for which one shard has to be reachable.
type unit struct {
	ids    []string
	weight float64
}

// units lists what is to be shared out, the longest first: each goes to whom has least until then.
func units(chosen []Planned, durations map[string]float64) []unit {
	usual := usualDuration(chosen, durations)
	var all []unit
	webhooks := unit{}
	for _, planned := range chosen {
		weight, known := durations[planned.ID]
		if !known {
			weight = usual
		}
		if slices.Contains(planned.Features, contract.FeatureWebhooks) {
			webhooks.ids, webhooks.weight = append(webhooks.ids, planned.ID), webhooks.weight+weight
			continue
		}
		all = append(all, unit{[]string{planned.ID}, weight})
	}
	if len(webhooks.ids) > 0 {
		slices.Sort(webhooks.ids)
		all = append(all, webhooks)
	}
	slices.SortFunc(all, func(a, b unit) int {
		return cmp.Or(cmp.Compare(b.weight, a.weight), cmp.Compare(a.ids[0], b.ids[0]))
	})
	return all
}

// usualDuration is the median of those that are known, 1 where none is.
func usualDuration(chosen []Planned, durations map[string]float64) float64 {
	var known []float64
	for _, planned := range chosen {
		if ms, ok := durations[planned.ID]; ok {
			known = append(known, ms)
		}
	}
	if len(known) == 0 {
		return 1
	}
	slices.Sort(known)
	return known[len(known)/2]
}

// named lists the selected specs where labels and focus alone would select others.
func (p plan) named(o Options) []string {
	if len(o.Specs) == 0 && o.Shard == nil && p.leftOut == nil {
		return nil
	}
	return slices.Sorted(maps.Keys(p.selected))
}

// unknownLabels names the words of a label filter that no spec has as a label, with the nearest that there are.
func (p *plan) unknownLabels(filter string) string {
	labels, text := Labels(p.all), ""
	for _, word := range labelsIn(filter) {
		if !slices.ContainsFunc(labels, func(label string) bool { return strings.EqualFold(label, word) }) {
			text += fmt.Sprintf("; %q is no label%s", word, suggest.DidYouMean(word, labels))
		}
	}
	return strings.Replace(text, ";", "", 1)
}

var (
	labelPattern = regexp.MustCompile(`/[^/]*/`) // matches what labels there are
	labelSet     = regexp.MustCompile(`([^&|!(),:]+): +\w+ *(?:\{([^}]*)\}|([^&|!(),/]*))`)
)

// labelsIn are the labels that a filter names: one by one, or as a set, as in "feature: containsAny {coupons, webhooks}".
func labelsIn(filter string) []string {
	filter = labelPattern.ReplaceAllString(filter, "")
	var words []string
	for _, set := range labelSet.FindAllStringSubmatch(filter, -1) {
		for value := range strings.SplitSeq(set[2]+set[3], ",") {
			if value = strings.TrimSpace(value); value != "" {
				words = append(words, strings.TrimSpace(set[1])+":"+value)
			}
		}
	}
	isOperator := func(c rune) bool { return strings.ContainsRune("&|!(),", c) }
	for word := range strings.FieldsFuncSeq(labelSet.ReplaceAllString(filter, ""), isOperator) {
		if word = strings.TrimSpace(word); word != "" {
			words = append(words, word)
		}
	}
	return words
}

// Labels lists what a label filter may hold.
func Labels(specs []Planned) []string {
	known := map[string]bool{}
	for _, planned := range specs {
		known[planned.Topic] = true
		for _, id := range planned.Requirements {
			known[requirementLabel+id] = true
		}
		for _, name := range planned.Features {
			known[featureLabel+name] = true
		}
	}
	for _, level := range []reports.Level{reports.Must, reports.Should, reports.Observed} {
		known[string(level)] = true
	}
	return slices.Sorted(maps.Keys(known))
}
