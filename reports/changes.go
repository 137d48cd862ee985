package reports

// Two reports beside each other: what is new, what is fixed, what is as it was. Specs may have been renamed between the two, so
// findings are matched by their signatures and requirements by their ids.

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"time"
)

// Comparison is what changed from an older report to a newer one. The two may also be of two shops.
type Comparison struct {
	Old          Side                `json:"old"`
	New          Side                `json:"new"`
	Incomparable []string            `json:"incomparable"` // why the two say nothing about each other; all else is empty then
	NewFindings  []Cause             `json:"new_findings"`
	Worse        []Cause             `json:"worse_findings"` // known ones that break requirements which held
	Fixed        []Cause             `json:"fixed_findings"`
	Known        []Cause             `json:"known_findings"`
	Requirements []RequirementChange `json:"requirements"`
	CoverageLost []RequirementChange `json:"coverage_lost"` // tested in the old report, not in the new one
	Observations []ObservationChange `json:"observations"`
	Latency      LatencyComparison   `json:"latency"`
}

// Side says of which run one of the two reports is.
type Side struct {
	Target    string    `json:"target"`
	StartedAt time.Time `json:"started_at"`
	Verdict   Verdict   `json:"verdict"`
	Version   string    `json:"version"`
	Findings  int       `json:"findings"`
}

// RequirementChange is a requirement whose outcome is another one.
type RequirementChange struct {
	ID        string  `json:"id"`
	Level     Level   `json:"level"`
	Section   string  `json:"section"`
	Statement string  `json:"statement"`
	Old       Outcome `json:"old"`
	New       Outcome `json:"new"`
	Reason    string  `json:"reason,omitempty"`
}

// ObservationChange is something that the contract leaves open and that the two do otherwise.
type ObservationChange struct {
	Key string   `json:"key"`
	Old []string `json:"old"` // all values, each once; empty where nothing was observed
	New []string `json:"new"`
}

// LatencyComparison tells which endpoints are slower or faster than the two runs as wholes.
type LatencyComparison struct {
	Factor  float64         `json:"factor"` // how the median endpoint changed: 2 is twice as slow; 0 where nothing can be said
	Changes []LatencyChange `json:"changes"`
}

// LatencyChange is an endpoint whose median changed by more than the noise of the others.
type LatencyChange struct {
	Endpoint string  `json:"endpoint"`
	OldP50MS float64 `json:"old_p50_ms"`
	NewP50MS float64 `json:"new_p50_ms"`
	OldP95MS float64 `json:"old_p95_ms"`
	NewP95MS float64 `json:"new_p95_ms"`
	Factor   float64 `json:"factor"`
}

// Exit codes of a comparison.
const (
	NothingNew    = 0
	SomethingNew  = 1
	NotComparable = 2
)

// ExitCode is 0 where nothing is new, 1 where a failure is new or a requirement is no longer tested, 2 where the two cannot be compared.
// A new warning is shown and changes nothing.
func (c *Comparison) ExitCode() int {
	switch {
	case len(c.Incomparable) > 0:
		return NotComparable
	case len(c.Worse)+len(c.CoverageLost) > 0 || slices.ContainsFunc(c.NewFindings, failsARun):
		return SomethingNew
	}
	return NothingNew
}

func failsARun(c Cause) bool { return c.Outcome == Failed || c.Outcome == BrokenHarness }

// Compare tells what changed between two reports.
func Compare(before, after *Report) *Comparison {
	before, after = Complete(before), Complete(after)
	c := &Comparison{Old: sideOf(before), New: sideOf(after), Incomparable: Obstacles(before, after)}
	if len(c.Incomparable) > 0 {
		return c
	}
	c.findings(before, after)
	c.requirements(before, after)
	c.Observations = observationChanges(before, after)
	c.Latency = compareLatency(before.Latency, after.Latency)
	return c
}

func sideOf(r *Report) Side {
	return Side{Target: r.Target.URL, StartedAt: r.StartedAt, Verdict: r.Verdict, Version: r.Tool.Version, Findings: len(r.Causes)}
}

// Obstacles returns the reasons why two reports cannot be compared. What is to be the newer one may still be without a verdict.
func Obstacles(before, after *Report) []string {
	reasons := obstaclesOfRun(before, after)
	if a, b := shardName(before), shardName(after); a != b {
		reasons = append(reasons, fmt.Sprintf("the shard differs: %s and %s", cmp.Or(a, "all"), cmp.Or(b, "all")))
	}
	for which, r := range map[string]*Report{"old": before, "new": after} {
		if r.Verdict == Errored || r.Verdict == Interrupted {
			reasons = append(reasons, "the "+which+" run has no verdict: it ended by "+map[Verdict]string{
				Errored: "an error", Interrupted: "an interrupt"}[r.Verdict])
		}
	}
	slices.Sort(reasons)
	return reasons
}

// obstaclesOfRun are what makes two reports answers to different questions.
func obstaclesOfRun(before, after *Report) []string {
	var reasons []string
	differs := func(what, a, b string) {
		if a != b {
			reasons = append(reasons, fmt.Sprintf("%s differs: %s and %s", what, cmp.Or(a, "none"), cmp.Or(b, "none")))
		}
	}
	differs("the revision of the contract", before.Contract.Revision, after.Contract.Revision)
	differs("the selection by label", before.Selection.Label, after.Selection.Label)
	differs("the selection by focus", before.Selection.Focus, after.Selection.Focus)
	if a, b := before.Selection.Specs, after.Selection.Specs; !slices.Equal(a, b) {
		reasons = append(reasons, fmt.Sprintf("the selection by spec differs: %s and %s", fewOf(a), fewOf(b)))
	}
	differs("what it may write", readOnlyWords(before), readOnlyWords(after))
	differs("the dialect", before.Target.Dialect, after.Target.Dialect)
	differs("strictness", fmt.Sprint(before.Strict), fmt.Sprint(after.Strict))
	return reasons
}

// namedSpecs is up to how many specs are named.
const namedSpecs = 3

// fewOf names few specs, and counts many.
func fewOf(ids []string) string {
	if len(ids) > namedSpecs {
		return Plural(len(ids), "spec", "specs")
	}
	return cmp.Or(strings.Join(ids, " "), "none")
}

func readOnlyWords(r *Report) string {
	if r.Selection.ReadOnly == nil {
		return "what the specs need"
	}
	return "nothing (read-only)"
}

// shardName is empty for a report about all shards.
func shardName(r *Report) string {
	if r.Shard == nil {
		return ""
	}
	return r.Shard.String()
}

// findings sorts the causes of both reports. A cause is known where the older report holds one with a signature in common.
func (c *Comparison) findings(before, after *Report) {
	held := map[string]bool{}
	for _, requirement := range before.Requirements {
		held[requirement.ID] = requirement.Outcome == Passed
	}
	for _, cause := range after.Causes {
		switch {
		case !sharesSignature(cause, before.Causes):
			c.NewFindings = append(c.NewFindings, cause)
		case failsARun(cause) && slices.ContainsFunc(cause.Requirements, func(id string) bool { return held[id] }):
			c.Worse = append(c.Worse, cause)
		default:
			c.Known = append(c.Known, cause)
		}
	}
	for _, cause := range before.Causes {
		if !sharesSignature(cause, after.Causes) {
			c.Fixed = append(c.Fixed, cause)
		}
	}
}

func sharesSignature(cause Cause, others []Cause) bool {
	return slices.ContainsFunc(others, func(other Cause) bool {
		return slices.ContainsFunc(cause.Signatures, func(signature string) bool { return slices.Contains(other.Signatures, signature) })
	})
}

func (c *Comparison) requirements(before, after *Report) {
	was := catalogueOf(before)
	for _, now := range after.Requirements {
		old, known := was[now.ID]
		if !known || old.Outcome == now.Outcome {
			continue
		}
		change := RequirementChange{ID: now.ID, Level: now.Level, Section: now.Section, Statement: now.Statement,
			Old: old.Outcome, New: now.Outcome, Reason: now.Reason}
		c.Requirements = append(c.Requirements, change)
		if isTested(old.Outcome) && !isTested(now.Outcome) {
			c.CoverageLost = append(c.CoverageLost, change)
		}
	}
}

func isTested(o Outcome) bool { return Tally{o: 1}.Tested() == 1 }

func observationChanges(before, after *Report) []ObservationChange {
	old, now := observed(before), observed(after)
	keys := maps.Clone(old)
	maps.Copy(keys, now)
	var changes []ObservationChange
	for _, key := range slices.Sorted(maps.Keys(keys)) {
		if !slices.Equal(old[key], now[key]) {
			changes = append(changes, ObservationChange{key, old[key], now[key]})
		}
	}
	return changes
}

// observed lists the values of each observation, sorted and each once.
func observed(r *Report) map[string][]string {
	values := map[string][]string{}
	for _, seen := range r.Observations {
		values[seen.Key] = append(values[seen.Key], seen.Value)
	}
	for key, list := range values {
		slices.Sort(list)
		values[key] = slices.Compact(list)
	}
	return values
}

// What is slower than the noise: answers enough, a change that is felt, and one that stands out from how all endpoints changed.
const (
	latencyAnswers   = 5   // of an endpoint, in both reports
	latencyFelt      = 5.0 // milliseconds between the two medians
	latencyFactor    = 1.5 // against the median endpoint
	latencyDeviation = 4.0 // times the spread of all endpoints; for a normal distribution about one endpoint in 16 000
	madToSigma       = 1.4826
)

// compareLatency compares medians. Another machine or a busier one makes all endpoints slower by about the same factor; an endpoint
// counts as changed where it leaves the others.
func compareLatency(before, after []Latency) LatencyComparison {
	old := map[string]Latency{}
	for _, l := range before {
		old[l.Endpoint] = l
	}
	var pairs []LatencyChange
	var ratios []float64 // logarithms: twice as slow is as far as twice as fast
	for _, now := range after {
		was, known := old[now.Endpoint]
		if !known || min(was.Count, now.Count) < latencyAnswers || was.P50MS <= 0 || now.P50MS <= 0 {
			continue
		}
		pairs = append(pairs, LatencyChange{now.Endpoint, was.P50MS, now.P50MS, was.P95MS, now.P95MS, now.P50MS / was.P50MS})
		ratios = append(ratios, math.Log(now.P50MS/was.P50MS))
	}
	if len(pairs) == 0 {
		return LatencyComparison{}
	}
	center := medianOf(ratios)
	deviations := make([]float64, len(ratios))
	for i, ratio := range ratios {
		deviations[i] = math.Abs(ratio - center)
	}
	threshold := max(math.Log(latencyFactor), latencyDeviation*madToSigma*medianOf(deviations))
	result := LatencyComparison{Factor: math.Exp(center)}
	for i, pair := range pairs {
		felt := math.Abs(pair.NewP50MS-pair.OldP50MS*result.Factor) >= latencyFelt
		if felt && math.Abs(ratios[i]-center) > threshold {
			result.Changes = append(result.Changes, pair)
		}
	}
	slices.SortFunc(result.Changes, func(a, b LatencyChange) int { return cmp.Compare(b.Factor, a.Factor) })
	return result
}

func medianOf(values []float64) float64 {
	sorted := slices.Sorted(slices.Values(values))
	middle := len(sorted) / 2
	if len(sorted)%2 == 1 {
		return sorted[middle]
	}
	return (sorted[middle-1] + sorted[middle]) / 2
}

// Brings reports whether the older report does not have the finding. No comparison brings none.
func (c *Comparison) Brings(cause Cause) bool {
	return c != nil && slices.ContainsFunc(c.NewFindings, func(found Cause) bool { return found.ID == cause.ID })
}
