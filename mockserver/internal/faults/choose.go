package faults

// Which rules come true, and how that is counted: in this process, or together with others who have the same rules.

import (
	"errors"
	"math/rand/v2"
	"slices"
	"time"
)

// Tally is what came of a rule.
type Tally struct {
	Matched int64 `json:"matched"` // requests or deliveries that were meant; of a limited rule that others count, too: until it is spent
	Fired   int64 `json:"fired"`   // those to which it happened
}

// CountThrough lets limited rules, which come true a number of times or at the nth request, be counted by way of a function that others
// count through as well. It may count again, on what others have counted, which it hands to Recount. Other rules are counted here alone.
func (s *Set) CountThrough(count func(change func() error) error) { s.count = count }

// Tallies returns what came of the limited rules, with nothing for the others; nil if there is nothing to tell.
func (s *Set) Tallies() []Tally {
	s.mu.Lock()
	defer s.mu.Unlock()
	var tallies []Tally
	for i, rule := range s.rules {
		if !rule.limited() || rule.Tally == (Tally{}) {
			continue
		}
		if tallies == nil {
			tallies = make([]Tally, len(s.rules))
		}
		tallies[i] = rule.Tally
	}
	return tallies
}

// Recount goes on with the tallies of limited rules that others have counted; what is missing is nothing.
func (s *Set) Recount(tallies []Tally) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for i, rule := range s.rules {
		if !rule.limited() {
			continue
		}
		rule.Tally = Tally{}
		if i < len(tallies) {
			rule.Tally = tallies[i]
		}
	}
}

// errChanged says that the rules are not those any more that were looked at, or that there is nothing left to count together.
var errChanged = errors.New("the rules have changed")

// choose returns what the rules that are meant bring about, and counts it. Nobody waits while a body is read for meant.
func (s *Set) choose(meant func(*armed) bool) ([]Fault, error) {
	for {
		rules := s.current()
		judged := slices.DeleteFunc(slices.Clone(rules), func(rule *armed) bool { return !meant(rule) })
		chosen, err := s.judge(rules, judged)
		if !errors.Is(err, errChanged) {
			return chosen, err
		}
	}
}

func (s *Set) current() []*armed {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.rules
}

// judge chooses from some of the rules.
func (s *Set) judge(rules, judged []*armed) (chosen []Fault, err error) {
	if s.count == nil {
		chosen, _ = s.try(judged, nil)
		return chosen, nil
	}
	judged, together := s.unspent(judged)
	if !together {
		chosen, _ = s.try(judged, nil)
		return chosen, nil
	}
	return s.judgeTogether(rules, judged)
}

// judgeTogether chooses where limited rules are among those that are meant.
func (s *Set) judgeTogether(rules, judged []*armed) (chosen []Fault, err error) {
	var tried []trial
	err = s.count(func() error {
		left, limited := s.unspent(judged)
		if !limited || !slices.Equal(s.current(), rules) {
			return errChanged
		}
		chosen, tried = s.try(left, (*armed).limited)
		return nil
	})
	if err != nil {
		return nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, one := range tried {
		if !one.rule.limited() {
			one.count()
		}
	}
	return chosen, nil
}

// unspent returns the rules that are not spent, and whether limited ones are among them.
func (s *Set) unspent(rules []*armed) (left []*armed, limited bool) {
	now := s.clock()
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, rule := range rules {
		if rule.limited() && rule.spent(now) {
			continue
		}
		left, limited = append(left, rule), limited || rule.limited()
	}
	return left, limited
}

// trial is a rule that was tried, and whether it came true.
type trial struct {
	rule  *armed
	fires bool
}

func (t *trial) count() {
	t.rule.Matched++
	if t.fires {
		t.rule.Fired++
	}
}

// try tries rules in their order, and counts what comes of those that are to be counted at once; nil: all are.
func (s *Set) try(rules []*armed, atOnce func(*armed) bool) (chosen []Fault, tried []trial) {
	now := s.clock()
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, rule := range rules {
		one := trial{rule, rule.fires(now, s.chance)}
		if tried = append(tried, one); atOnce == nil || atOnce(rule) {
			one.count()
		}
		if !one.fires {
			continue
		}
		chosen = append(chosen, Fault{rule.Rule, rule.wait(s.chance)})
		if rule.ends() {
			break
		}
	}
	return chosen, tried
}

// limited reports whether what came of the rule decides whether it comes true again.
func (r *armed) limited() bool { return r.Times > 0 || r.Nth > 0 }

// spent reports whether the rule never comes true again.
func (r *armed) spent(now time.Time) bool {
	return !r.until.IsZero() && !now.Before(r.until) || r.Times > 0 && r.Fired >= r.Times || r.Nth > 0 && r.Matched >= r.Nth
}

// fires reports whether the rule happens to a request that is meant.
func (r *armed) fires(now time.Time, chance *rand.Rand) bool {
	switch {
	case r.spent(now), r.Nth > 0 && r.Matched+1 != r.Nth, r.Share > 0 && chance.Float64() >= r.Share:
		return false
	}
	return true
}
