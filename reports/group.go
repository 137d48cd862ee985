package reports

// Which deviations count as one: those with a signature in common, and those that follow from one group alone. A shop with one thing wrong
// shows one group; one with hundreds must not show a single one because something follows from each.

import "strings"

// grouped puts deviations with one cause together. Groups come in the order of their first deviation.
func grouped(all []*deviation) [][]*deviation {
	sets := newDisjointSets(len(all))
	joinBySignatures(sets, all)
	joinConsequences(sets, all)
	members := map[int][]*deviation{}
	var order []int
	for i, d := range all {
		root := sets.find(i)
		if len(members[root]) == 0 {
			order = append(order, root)
		}
		members[root] = append(members[root], d)
	}
	groups := make([][]*deviation, 0, len(order))
	for _, root := range order {
		groups = append(groups, members[root])
	}
	return groups
}

func joinBySignatures(sets disjointSets, all []*deviation) {
	rules := rulesOf(all)
	first := map[string]int{}
	for i, d := range all {
		for _, signature := range d.signatures {
			if isRule(signature) && !rules.isCause(signature, d) {
				continue
			}
			if known, seen := first[signature]; seen {
				sets.join(known, i)
			} else {
				first[signature] = i
			}
		}
	}
}

// isRule tells the signature of a rule from those of what was found.
func isRule(signature string) bool { return strings.HasPrefix(signature, rulePrefix) }

const rulePrefix = "rule "

// ruleTable says which rules are broken by what was found, and the other way round.
type ruleTable struct{ found, rules map[string]map[string]bool }

func rulesOf(all []*deviation) ruleTable {
	table := ruleTable{map[string]map[string]bool{}, map[string]map[string]bool{}}
	for _, d := range all {
		for _, rule := range d.signatures {
			if !isRule(rule) {
				continue
			}
			for _, found := range d.signatures {
				if !isRule(found) {
					addTo(table.found, rule, found)
					addTo(table.rules, found, rule)
				}
			}
		}
	}
	return table
}

func addTo(sets map[string]map[string]bool, key, value string) {
	if sets[key] == nil {
		sets[key] = map[string]bool{}
	}
	sets[key][value] = true
}

// isCause reports whether a broken rule may be what a deviation comes from. Where several fields break a rule and one of them breaks
// others, too, that field is the cause.
func (t ruleTable) isCause(rule string, d *deviation) bool {
	if len(t.found[rule]) <= 1 {
		return true
	}
	for _, found := range d.signatures {
		if len(t.rules[found]) > 1 {
			return false
		}
	}
	return true
}

// joinConsequences joins a group with the one other that it follows from. What could follow from several stands alone: it must not make
// one of them.
func joinConsequences(sets disjointSets, all []*deviation) {
	causes := make([][]int, len(all))
	for i, d := range all {
		for at, cause := range all {
			if d.followsFrom(cause) {
				causes[i] = append(causes[i], at)
			}
		}
	}
	for joined := true; joined; {
		joined = false
		of := sets.others(causes)
		for i := range all {
			if len(of[i]) != 1 {
				continue
			}
			for cause := range of[i] {
				joined = sets.join(cause, i) || joined
			}
		}
	}
}

// disjointSets is a union-find structure: the index of each element's parent.
type disjointSets []int

func newDisjointSets(n int) disjointSets {
	sets := make(disjointSets, n)
	for i := range sets {
		sets[i] = i
	}
	return sets
}

func (s disjointSets) find(i int) int {
	for s[i] != i {
		s[i] = s[s[i]]
		i = s[i]
	}
	return i
}

// join makes one set of two. It reports whether they were two.
func (s disjointSets) join(a, b int) bool {
	a, b = s.find(a), s.find(b)
	s[b] = a
	return a != b
}

// others are, by the root of each set, the roots of the other sets that its elements are linked to.
func (s disjointSets) others(links [][]int) map[int]map[int]bool {
	others := map[int]map[int]bool{}
	for i, linked := range links {
		root := s.find(i)
		for _, to := range linked {
			if other := s.find(to); other != root {
				if others[root] == nil {
					others[root] = map[int]bool{}
				}
				others[root][other] = true
			}
		}
	}
	return others
}
