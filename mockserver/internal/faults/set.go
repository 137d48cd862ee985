package faults

import (
	"encoding/binary"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// Set is the rules of one shop. It is safe for concurrent use. A set without rules costs one look.
type Set struct {
	clock   func() time.Time
	through func(change func() error) error
	count   func(change func() error) error // nil: nobody else counts
	any     atomic.Bool                     // whether there are rules

	mu     sync.Mutex
	seed   uint64
	rules  []*armed
	chance *rand.Rand
}

// armed is a rule with what has come of it.
type armed struct {
	Rule
	checked
	Tally
}

// NewSet makes a set without rules.
func NewSet(clock func() time.Time) *Set {
	return &Set{clock: clock, through: func(change func() error) error { return change() }}
}

// Through lets Replace and Add make their changes by way of a function, which may make them again and adds errors of its own.
func (s *Set) Through(through func(change func() error) error) { s.through = through }

// Document returns the rules, so that another set can be given them.
func (s *Set) Document() Document {
	s.mu.Lock()
	defer s.mu.Unlock()
	d := Document{Seed: s.seed}
	for _, rule := range s.rules {
		d.Rules = append(d.Rules, rule.Rule)
	}
	return d
}

// Document is a list of rules as it is written down.
type Document struct {
	Seed     uint64 `json:"seed,omitempty"`     // of what is drawn: equal seeds and requests give equal faults
	Scenario string `json:"scenario,omitempty"` // rules by a name; they come before Rules
	Rules    []Rule `json:"rules,omitempty"`
}

// Replace puts the rules of a document in the place of all others. With an error nothing changes; it tells which rule cannot be.
func (s *Set) Replace(d Document) error { return s.through(func() error { return s.Adopt(d) }) }

// Adopt is Replace for rules that others have decided on.
func (s *Set) Adopt(d Document) error {
	rules, err := d.armed()
	if err == nil {
		s.replace(d.Seed, rules)
	}
	return err
}

func (s *Set) replace(seed uint64, rules []*armed) {
	s.mu.Lock()
	defer s.mu.Unlock()
	var chance [32]byte
	binary.BigEndian.PutUint64(chance[:], seed)
	s.seed, s.chance = seed, rand.New(rand.NewChaCha8(chance))
	s.rules = rules
	s.any.Store(len(rules) > 0)
}

// Add puts the rules of a document behind the others. The seed is that of the last Replace.
func (s *Set) Add(d Document) error {
	rules, err := d.armed()
	if err != nil {
		return err
	}
	return s.through(func() error { return s.add(rules) })
}

func (s *Set) add(rules []*armed) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.rules)+len(rules) > maxRules {
		return fmt.Errorf("there would be more than %d rules", maxRules)
	}
	if s.chance == nil {
		s.chance = rand.New(rand.NewChaCha8([32]byte{}))
	}
	s.rules = append(slices.Clip(s.rules), rules...)
	s.any.Store(len(s.rules) > 0)
	return nil
}

// armed checks the rules of a document.
func (d *Document) armed() ([]*armed, error) {
	var all []Rule
	if d.Scenario != "" {
		rules, known := scenario(d.Scenario)
		if !known {
			return nil, fmt.Errorf("scenario: there is no scenario %.50q; take one of %s", d.Scenario, strings.Join(Scenarios(), ", "))
		}
		all = rules
	}
	if all = append(all, d.Rules...); len(all) > maxRules {
		return nil, fmt.Errorf("rules: %d are more than %d", len(all), maxRules)
	}
	rules := make([]*armed, len(all))
	for i, rule := range all {
		ready, err := rule.check()
		if err != nil {
			return nil, fmt.Errorf("rules[%d]: %w", i, err)
		}
		rules[i] = &armed{Rule: rule, checked: ready}
	}
	return rules, nil
}

// State is a rule with what has come of it.
type State struct {
	Rule
	Tally
}

// Any reports whether there are rules.
func (s *Set) Any() bool { return s.any.Load() }

// List returns the rules in the order in which they are tried.
func (s *Set) List() []State {
	s.mu.Lock()
	defer s.mu.Unlock()
	states := make([]State, len(s.rules))
	for i, rule := range s.rules {
		states[i] = State{rule.Rule, rule.Tally}
	}
	return states
}

// Fault is something that happens to a request or a delivery.
type Fault struct {
	Rule
	Wait time.Duration // what the rule's delay came to
}

// String names a fault for people: what happens, and in which rule or scenario where that has a name.
func (f *Fault) String() string {
	if f.Name == "" {
		return f.Effect
	}
	return f.Effect + " (" + f.Name + ")"
}

// Request is what rules look at.
type Request struct {
	Method, Path string            // canonical
	Body         func() []byte     // is called if a rule looks at it
	Applies      func(Effect) bool // whether an effect can happen to the request at all
}

// ForRequest returns what happens to a request, in the order of the rules. After an effect that is the answer there is no other. Its error
// is that of the function of CountThrough.
func (s *Set) ForRequest(r Request) ([]Fault, error) {
	if !s.any.Load() {
		return nil, nil
	}
	return s.choose(func(rule *armed) bool {
		return !rule.atDelivery() && r.Applies(rule.Effect) && rule.meant.Matches(r.Method, r.Path, r.Body)
	})
}

// ForDelivery returns what happens to a delivery of a webhook. Its error is as that of ForRequest.
func (s *Set) ForDelivery(topic string, body []byte) ([]Fault, error) {
	if !s.any.Load() {
		return nil, nil
	}
	return s.choose(func(rule *armed) bool {
		return rule.atDelivery() && (rule.Topic == "" || rule.Topic == topic) &&
			rule.meant.Matches("", "", func() []byte { return body })
	})
}

// wait draws how long a fault takes.
func (r *armed) wait(chance *rand.Rand) time.Duration {
	switch {
	case r.delayMax > r.delay:
		return r.delay + time.Duration(chance.Int64N(int64(r.delayMax-r.delay)))
	case r.Sigma > 0:
		return min(longestDelay, time.Duration(float64(r.delay)*math.Exp(chance.NormFloat64()*r.Sigma)))
	}
	return r.delay
}

// One returns a rule's fault for a single request, or an error that tells what of it cannot be.
func One(rule Rule) (Fault, error) {
	ready, err := rule.check()
	if err == nil && rule.atDelivery() {
		err = fmt.Errorf("effect: %s happens to deliveries, not to requests", rule.Effect)
	}
	return Fault{rule, ready.delay}, err
}
