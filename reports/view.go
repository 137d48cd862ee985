package reports

// What the page shows, worked out before the template: sums, groups, orders, bars. The template only places it.

import (
	"cmp"
	"maps"
	"net/url"
	"slices"
	"strings"
	"unicode"
)

// barWidth is the width of every bar in its own units; the page stretches it to the place it has.
const barWidth = 1000.0

// shownDeviations is how many deviations of one finding are shown before the others are folded away.
const shownDeviations = 1

// view is a report as the page needs it. All its texts are sanitized already.
type view struct {
	*Report
	Summary        Summary
	SpecBar        []bar
	RequirementBar []bar
	Findings       []findingGroup
	Sections       []sectionView
	Gaps           []gap
	Specs          []specView
	SpecParts      [][]specView // the same, by the part in which they are drawn
	Index          []indexEntry
	Topics         []string
	Marks          marks
	Latency        []latencyView
	Profile        []profileLine
	ChangeParts    []changePart // what is new since the baseline
	Time           timeline
	Software       []string // what the target says that it runs on
}

// bar is one coloured part of a stacked bar.
type bar struct {
	Outcome  Outcome
	Count    int
	At, Wide float64 // in units of barWidth
}

// findingGroup holds the findings of one kind.
type findingGroup struct {
	Kind        Outcome
	Anchor      string
	Title, Hint string
	Findings    []findingView
	Early       []findingView   // those that are elements from the start
	Later       [][]findingView // the others, by the part in which they are drawn
	Specs       int
	Open        bool // unfolded from the start: these are what the reader came for
}

// What is no element from the start is text to a browser until the first picture is there; later.js draws it in parts.
const (
	earlyFindings = 10 // of a group: more than fit into a window
	findingsAPart = 20
	specsAPart    = 100
)

// findingView is one cause with the requirements that it breaks and the deviations that show it.
type findingView struct {
	Cause
	Broken      []Requirement
	Again       string // the command line that runs its specs
	Script      string // the file that repeats it, beside the page; empty where there is none
	New         bool   // the baseline does not have it
	Open        bool
	Early       bool
	First, Rest []SpecFinding
}

type sectionView struct {
	SectionCoverage
	Bar     []bar
	Summary string
	Link    string // to the section in the contract document; empty where nobody said where that is
}

// gap is a reason for which requirements were not tested.
type gap struct {
	Outcome      Outcome
	Reason       string
	Requirements []Requirement
}

// openGap is up to how many requirements a gap shows without being asked.
const openGap = 24

// Many reports whether the gap is shown when it is asked for: that of a run about a part of the suites has hundreds of requirements.
func (g gap) Many() bool { return len(g.Requirements) > openGap }

type specView struct {
	*Spec
	At           int // its place in the list and in the index
	Requirements []Requirement
}

// indexEntry is what the script of the page needs to know of a spec beside its row: for the filters, the time line and the details.
type indexEntry struct {
	Outcome      Outcome  `json:"outcome"`
	Topic        string   `json:"topic"`
	MS           float64  `json:"ms"`
	At           float64  `json:"at"`   // milliseconds since the first spec began
	Lane         int      `json:"lane"` // of the time line, -1 where the spec is not on it
	Requirements []string `json:"requirements"`
	Text         string   `json:"text"` // lower case: what free text is looked for in, beside the row and the requirements
	marks
}

// marks are the levels and features of some requirements, each once and sorted.
type marks struct {
	Levels   []Level  `json:"levels"`
	Features []string `json:"features"`
}

type latencyView struct {
	Latency
	P50Wide, P95Wide, MaxWide float64
}

type profileLine struct{ Key, Value string }

func newView(r *Report) *view {
	summary := Summarize(r)
	catalogue := catalogueOf(r)
	specs := specViews(r, catalogue)
	timeline := timelineOf(specs)
	var changes []changePart
	if r.Changes != nil {
		changes = r.Changes.parts()
	}
	return &view{
		Report:         r,
		ChangeParts:    changes,
		Summary:        summary,
		SpecBar:        barOf(summary.Specs),
		RequirementBar: barOf(summary.Requirements),
		Findings:       findingGroups(r, catalogue),
		Sections:       sectionViews(summary.Sections, r.Contract),
		Gaps:           gapsOf(r),
		Specs:          specs,
		SpecParts:      slices.Collect(slices.Chunk(specs, specsAPart)),
		Index:          indexOf(specs, timeline),
		Topics:         topicsOf(r),
		Marks:          marksOf(r.Requirements),
		Latency:        latencyViews(r.Latency),
		Profile:        profileLines(r.Target.Profile),
		Time:           timeline,
		Software:       softwareOf(specs),
	}
}

func catalogueOf(r *Report) map[string]Requirement {
	catalogue := make(map[string]Requirement, len(r.Requirements))
	for _, requirement := range r.Requirements {
		catalogue[requirement.ID] = requirement
	}
	return catalogue
}

// barOf cuts a bar by outcome, what holds first.
func barOf(tally Tally) []bar {
	var bars []bar
	total, at := float64(tally.Total()), 0.0
	for _, outcome := range barOrder() {
		if n := tally[outcome]; n > 0 {
			wide := barWidth * float64(n) / total
			bars = append(bars, bar{outcome, n, at, wide})
			at += wide
		}
	}
	return bars
}

func barOrder() []Outcome {
	return []Outcome{Passed, Waived, Warned, Failed, BrokenHarness, CouldNotRun, Untested, NotApplicable}
}

func findingGroups(r *Report, catalogue map[string]Requirement) []findingGroup {
	groups := []findingGroup{
		{Kind: Failed, Anchor: "failures", Title: "Failures", Open: true,
			Hint: "The contract demands these, and the target does otherwise. What has one cause is one finding, with all that it " +
				"breaks beneath. To repeat a request by its curl line, set the variables that stand in it for secrets."},
		{Kind: BrokenHarness, Anchor: "broken", Title: "Broken specs", Open: true,
			Hint: "These specs broke by themselves. They say nothing about the target; report them to who keeps the suites."},
		{Kind: Warned, Anchor: "warnings", Title: "Warnings",
			Hint: "The contract recommends these. They fail only a strict run."},
		{Kind: Waived, Anchor: "waived", Title: "Waived",
			Hint: "These fail, and a waiver of the profile accepts it for now."},
	}
	causes, scripts := Causes(r), ScriptFiles(r)
	for i := range groups {
		fill(&groups[i], r, causes, scripts, catalogue)
	}
	return slices.DeleteFunc(groups, func(g findingGroup) bool { return len(g.Findings) == 0 })
}

func fill(group *findingGroup, r *Report, causes []Cause, scripts map[string]string, catalogue map[string]Requirement) {
	specs := map[string]bool{}
	for _, cause := range causes {
		if cause.Outcome != group.Kind {
			continue
		}
		found := r.Found(cause)
		shown := min(len(found), shownDeviations)
		group.Findings = append(group.Findings, findingView{Cause: cause, Broken: named(cause.Requirements, catalogue),
			Again: r.Rerun(cause), Script: scripts[cause.ID], First: found[:shown], Rest: found[shown:],
			New: r.Changes.Brings(cause), Open: group.Open})
		for _, id := range cause.Specs {
			specs[id] = true
		}
	}
	group.Specs = len(specs)
	early := min(earlyFindings, len(group.Findings))
	group.Early = group.Findings[:early]
	for i := range group.Early {
		group.Early[i].Early = true
	}
	group.Later = slices.Collect(slices.Chunk(group.Findings[early:], findingsAPart))
}

// named looks requirements up; of one that the catalogue doesn't hold only the id is known.
func named(ids []string, catalogue map[string]Requirement) []Requirement {
	requirements := make([]Requirement, 0, len(ids))
	for _, id := range ids {
		requirement := catalogue[id]
		requirement.ID = id
		requirements = append(requirements, requirement)
	}
	return requirements
}

func sectionViews(sections []SectionCoverage, contract Contract) []sectionView {
	summaries := map[string]string{}
	for _, section := range contract.Sections {
		summaries[section.Title] = section.Summary
	}
	views := make([]sectionView, 0, len(sections))
	for _, section := range sections {
		views = append(views, sectionView{section, barOf(section.Tally), summaries[section.Section], contract.linkTo(section.Section)})
	}
	return views
}

// linkTo returns the address of a section: that of the document with the anchor that renderers of Markdown make of its last heading.
func (c Contract) linkTo(section string) string {
	document, err := url.Parse(c.URL)
	if err != nil || document.Scheme != "https" && document.Scheme != "http" {
		return ""
	}
	heading := section[strings.LastIndex(section, " / ")+1:]
	document.Fragment = strings.Map(func(char rune) rune {
		switch {
		case char == ' ':
			return '-'
		case unicode.IsLetter(char) || unicode.IsDigit(char) || char == '-' || char == '_':
			return unicode.ToLower(char)
		}
		return -1
	}, strings.TrimLeft(heading, "/ "))
	return document.String()
}

// gapsOf groups what was not tested by its reason, most urgent outcome and largest group first.
func gapsOf(r *Report) []gap {
	type key struct {
		outcome Outcome
		reason  string
	}
	grouped := map[key]*gap{}
	for _, requirement := range r.Requirements {
		switch requirement.Outcome {
		case CouldNotRun, Untested, NotApplicable:
			at := key{requirement.Outcome, withoutSpec(requirement)}
			if grouped[at] == nil {
				grouped[at] = &gap{Outcome: at.outcome, Reason: at.reason}
			}
			grouped[at].Requirements = append(grouped[at].Requirements, requirement)
		}
	}
	gaps := make([]gap, 0, len(grouped))
	for _, one := range grouped {
		gaps = append(gaps, *one)
	}
	slices.SortFunc(gaps, func(a, b gap) int {
		return cmp.Or(
			cmp.Compare(urgency(a.Outcome), urgency(b.Outcome)),
			cmp.Compare(len(b.Requirements), len(a.Requirements)),
			cmp.Compare(a.Reason, b.Reason))
	})
	return gaps
}

// withoutSpec is the reason of a requirement without the id of the spec that it speaks of: many have the same one but for that.
func withoutSpec(requirement Requirement) string {
	for _, id := range requirement.Specs {
		if rest, found := strings.CutPrefix(requirement.Reason, "spec "+id+" "); found {
			return "A spec for it " + rest + "."
		}
	}
	return requirement.Reason
}

// urgency orders outcomes: the lower, the sooner it wants to be looked at.
func urgency(outcome Outcome) int { return slices.Index(Outcomes(), outcome) }

// specViews lists the specs, those that need attention first, then by topic in the order of the report.
func specViews(r *Report, catalogue map[string]Requirement) []specView {
	views := make([]specView, 0, len(r.Specs))
	for i := range r.Specs {
		spec := &r.Specs[i]
		views = append(views, specView{Spec: spec, Requirements: named(spec.Requirements, catalogue)})
	}
	topics := topicsOf(r)
	slices.SortStableFunc(views, func(a, b specView) int {
		return cmp.Or(
			cmp.Compare(urgency(a.Outcome), urgency(b.Outcome)),
			cmp.Compare(slices.Index(topics, a.Topic), slices.Index(topics, b.Topic)),
			slices.Compare(a.Texts, b.Texts))
	})
	for i := range views {
		views[i].At = i
	}
	return views
}

func indexOf(specs []specView, drawn timeline) []indexEntry {
	entries := make([]indexEntry, 0, len(specs))
	for i, spec := range specs {
		mark, known := drawn.Lanes[i]
		if !known {
			mark.Lane = -1
		}
		entries = append(entries, indexEntry{
			Outcome: spec.Outcome, Topic: spec.Topic, MS: spec.DurationMS, At: mark.At, Lane: mark.Lane,
			Requirements: spec.Spec.Requirements,
			Text:         searchText(spec),
			marks:        marksOf(spec.Requirements),
		})
	}
	return entries
}

func searchText(spec specView) string {
	var words []string
	for _, finding := range spec.Findings {
		words = append(words, finding.Message, finding.Path)
	}
	seen := map[string]bool{}
	for _, exchange := range spec.Exchanges {
		if !seen[exchange.Endpoint] {
			seen[exchange.Endpoint] = true
			words = append(words, exchange.Endpoint)
		}
	}
	return strings.ToLower(strings.Join(words, " "))
}

func topicsOf(r *Report) []string {
	topics := map[string]bool{}
	for i := range r.Specs {
		topics[r.Specs[i].Topic] = true
	}
	return slices.Sorted(maps.Keys(topics))
}

func marksOf(requirements []Requirement) marks {
	levels, features := map[Level]bool{}, map[string]bool{}
	for _, requirement := range requirements {
		if requirement.Level != "" { // empty where the catalogue doesn't hold the requirement
			levels[requirement.Level] = true
			features[requirement.Feature] = true
		}
	}
	return marks{slices.Sorted(maps.Keys(levels)), slices.Sorted(maps.Keys(features))}
}

// latencyViews orders endpoints by their 95th percentile, slowest first, all bars on one scale.
func latencyViews(latencies []Latency) []latencyView {
	slowest := 0.0
	for _, latency := range latencies {
		slowest = max(slowest, latency.MaxMS)
	}
	scale := 0.0
	if slowest > 0 {
		scale = barWidth / slowest
	}
	views := make([]latencyView, 0, len(latencies))
	for _, latency := range latencies {
		views = append(views, latencyView{latency, latency.P50MS * scale, latency.P95MS * scale, latency.MaxMS * scale})
	}
	slices.SortStableFunc(views, func(a, b latencyView) int { return cmp.Compare(b.P95MS, a.P95MS) })
	return views
}

func profileLines(profile map[string]string) []profileLine {
	lines := make([]profileLine, 0, len(profile))
	for _, key := range slices.Sorted(maps.Keys(profile)) {
		lines = append(lines, profileLine{key, profile[key]})
	}
	return lines
}
