package reports

// Shards of one run as one report. What a shard did not bring is missed by name: a lost shard is a fault, never a smaller green.

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"
)

// Merge joins the reports of all shards of a run. They must be of one target, contract, dialect, selection and split, each shard once,
// and hold all their exchanges (see Attach); all else is an error. Specs that no shard brought make the verdict an error and
// are listed as those that could not run. lost says why of shards that nobody could read, beside those that were never given.
//
// What specs meet in passing is reported once a shard, at the first spec that meets it.
func Merge(shards []*Report, lost ...string) (*Report, error) {
	if err := checkShards(shards); err != nil {
		return nil, err
	}
	shards = slices.SortedFunc(slices.Values(shards), func(a, b *Report) int { return cmp.Compare(a.Shard.Number, b.Shard.Number) })
	merged := *shards[0]
	merged.Shard, merged.Causes, merged.Counts, merged.ExchangesFile = nil, nil, nil, ""
	merged.Specs, merged.Observations, merged.Leftovers, merged.Errors = nil, nil, nil, slices.Clone(lost)
	merged.Kept, merged.Cleanup = nil, nil
	interrupted := false
	for _, shard := range shards {
		merged.add(shard)
		interrupted = interrupted || shard.Verdict == Interrupted
	}
	merged.addMissing(shards)
	merged.StartedAt, merged.DurationMS = span(shards)
	merged.Requirements = mergedRequirements(shards)
	merged.Waivers = mergedWaivers(shards, catalogueOf(&merged))
	merged.Latency = LatencyOf(merged.Specs)
	merged.Features = slices.Clone(merged.Features)
	for i, feature := range merged.Features {
		merged.Features[i] = feature.Judged(merged.Requirements)
	}
	Judge(&merged, interrupted)
	return &merged, nil
}

// checkShards refuses what is not one run.
func checkShards(shards []*Report) error {
	if len(shards) == 0 {
		return fmt.Errorf("there is nothing to merge: name the report.json of each shard")
	}
	first := shards[0]
	number := map[int]bool{}
	for i, r := range shards {
		if r.Shard == nil {
			return fmt.Errorf("report %d of %d is no shard: it comes from a run without --shard", i+1, len(shards))
		}
		if number[r.Shard.Number] {
			return fmt.Errorf("shard %s is given twice", r.Shard)
		}
		number[r.Shard.Number] = true
		if differences := append(obstaclesOfRun(first, r), unlike(first, r)...); len(differences) > 0 {
			return fmt.Errorf("shards %s and %s are not of one run: %s", first.Shard, r.Shard, strings.Join(differences, "; "))
		}
		if err := checkPlan(r); err != nil {
			return err
		}
	}
	return nil
}

// unlike says what differs between two shards beyond what makes reports incomparable.
func unlike(a, b *Report) []string {
	var differences []string
	if a.Target.URL != b.Target.URL {
		differences = append(differences, fmt.Sprintf("the target differs: %s and %s", a.Target.URL, b.Target.URL))
	}
	if a.Tool.Version != b.Tool.Version {
		differences = append(differences, fmt.Sprintf("the version of the program differs: %s and %s", a.Tool.Version, b.Tool.Version))
	}
	if !slices.EqualFunc(a.Shard.Plan, b.Shard.Plan, slices.Equal) {
		differences = append(differences, "the specs were split otherwise (by other --durations?)")
	}
	if begun(a) && begun(b) {
		for i, feature := range a.Features {
			if i < len(b.Features) && feature.State != b.Features[i].State {
				differences = append(differences,
					fmt.Sprintf("the feature %s is %q and %q", feature.Name, feature.State, b.Features[i].State))
			}
		}
	}
	waiverIDs := func(r *Report) []string {
		var ids []string
		for _, w := range r.Waivers {
			ids = append(ids, w.ID+" until "+w.Expires)
		}
		return ids
	}
	if !slices.Equal(waiverIDs(a), waiverIDs(b)) {
		differences = append(differences, "the waivers differ")
	}
	return differences
}

// begun reports whether the run came as far as its specs: before that it knows nothing of the target's features.
func begun(r *Report) bool { return len(r.Specs) > 0 || len(r.Errors) == 0 }

// checkPlan refuses a shard that holds specs of another one, or one twice.
func checkPlan(r *Report) error {
	if r.Shard.Number > len(r.Shard.Plan) {
		return fmt.Errorf("there is no shard %s", r.Shard)
	}
	own := map[string]bool{}
	for _, id := range r.Shard.Plan[r.Shard.Number-1] {
		own[id] = true
	}
	for i := range r.Specs {
		if id := r.Specs[i].ID; !own[id] {
			return fmt.Errorf("shard %s overlaps another one: %s is not its spec, or there twice", r.Shard, id)
		}
		delete(own, r.Specs[i].ID)
	}
	return nil
}

// add takes over what a shard brought as it is.
func (r *Report) add(shard *Report) {
	r.Specs = append(r.Specs, shard.Specs...)
	r.Observations = append(r.Observations, shard.Observations...)
	r.Kept = append(r.Kept, shard.Kept...)
	for _, line := range shard.Cleanup {
		r.Cleanup = addNew(r.Cleanup, line)
	}
	for _, text := range shard.Leftovers {
		r.Leftovers = addNew(r.Leftovers, text)
	}
	for _, text := range shard.Errors {
		r.Errors = append(r.Errors, "shard "+shard.Shard.String()+": "+text)
	}
	if len(r.Features) == 0 || !begun(r) {
		r.Features = shard.Features
	}
}

// addMissing lists the planned specs that no shard brought.
func (r *Report) addMissing(shards []*Report) {
	present := map[int]*Report{}
	brought := map[string]bool{}
	for _, shard := range shards {
		present[shard.Shard.Number] = shard
		for i := range shard.Specs {
			brought[shard.Specs[i].ID] = true
		}
	}
	for i, ids := range shards[0].Shard.Plan {
		missing := slices.DeleteFunc(slices.Clone(ids), func(id string) bool { return brought[id] })
		name := Shard{Number: i + 1, Plan: shards[0].Shard.Plan}.String()
		reason := "shard " + name + " ended before them"
		switch {
		case present[i+1] == nil && len(ids) == 0: // nothing was to be expected of it
			continue
		case present[i+1] == nil:
			reason = "shard " + name + " is lost: no report of it was given"
		}
		if len(missing) == 0 {
			continue
		}
		r.Errors = append(r.Errors, fmt.Sprintf("%s; %s did not run: %s", reason, Plural(len(missing), "spec", "specs"),
			strings.Join(missing, ", ")))
		for _, id := range missing {
			topic, _, _ := strings.Cut(id, ".")
			r.Specs = append(r.Specs, Spec{ID: id, Topic: topic, Outcome: CouldNotRun, Reason: reason})
		}
	}
}

// span is when the first shard began, and the milliseconds until the last had ended.
func span(shards []*Report) (time.Time, float64) {
	first, last := shards[0].StartedAt, time.Time{}
	for _, r := range shards {
		if r.StartedAt.Before(first) {
			first = r.StartedAt
		}
		if end := r.StartedAt.Add(time.Duration(r.DurationMS * float64(time.Millisecond))); end.After(last) {
			last = end
		}
	}
	return first, float64(last.Sub(first).Microseconds()) / 1000
}

// evidenceOrder is what a requirement is when shards tell different things of it: a deviation counts before all else, what was tested
// before what was not.
func evidenceOrder() []Outcome {
	return []Outcome{BrokenHarness, Failed, Waived, Warned, Passed, CouldNotRun, NotApplicable, Untested}
}

func mergedRequirements(shards []*Report) []Requirement {
	order := evidenceOrder()
	rank := func(r Requirement) int { return slices.Index(order, r.Outcome) }
	var merged []Requirement
	place := map[string]int{}
	for _, shard := range shards {
		for _, requirement := range shard.Requirements {
			at, known := place[requirement.ID]
			if !known {
				place[requirement.ID] = len(merged)
				merged = append(merged, requirement)
				continue
			}
			specs := slices.Clone(merged[at].Specs)
			for _, id := range requirement.Specs {
				specs = addNew(specs, id)
			}
			if rank(requirement) < rank(merged[at]) {
				merged[at] = requirement
			}
			merged[at].Specs = specs
		}
	}
	return merged
}

// mergedWaivers tells which waivers were needed. A shard calls one used whose subject it has not tested, so of the waiver of a requirement
// only those shards know that tested it.
func mergedWaivers(shards []*Report, requirements map[string]Requirement) []Waiver {
	waivers := slices.Clone(shards[0].Waivers)
	for i := range waivers {
		states := map[string]bool{}
		for _, shard := range shards {
			state := shard.Waivers[i].State
			about, isRequirement := catalogueOf(shard)[waivers[i].ID]
			if state == "used" && isRequirement && !isTested(about.Outcome) {
				continue
			}
			states[state] = true
		}
		_, isRequirement := requirements[waivers[i].ID]
		waivers[i].State = mergedState(states, isRequirement)
	}
	return waivers
}

// mergedState sums up what shards say of a waiver. The waiver of a requirement was needed where one shard needed it; that of a spec was
// needed unless the one shard that ran it says otherwise.
func mergedState(states map[string]bool, isRequirement bool) string {
	others := slices.DeleteFunc(slices.Sorted(maps.Keys(states)), func(state string) bool { return state == "used" })
	if len(others) == 0 || isRequirement && states["used"] {
		return "used"
	}
	return others[0]
}
