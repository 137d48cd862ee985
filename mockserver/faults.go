package mockserver

// What goes wrong on purpose: rules for requests and for deliveries of webhooks.

import (
	"fmt"

	"shopcheck/mockserver/internal/faults"
)

// FaultRule says what goes wrong, and when. Rules are tried in their order at each request; what is empty means any.
type FaultRule struct {
	Name   string
	Method string
	Path   string   // as in RequestFilter
	Body   []string // as in RequestFilter
	Topic  string   // of a delivery: "order.created"
	Nth    int64    // only the nth request that matches, counted from 1
	Share  float64  // of the requests that match, drawn with the seed; 0: all
	Times  int64    // how often at most; 0: always
	Until  string   // a moment of the shop's clock, RFC 3339: from then on no more

	Effect string // what goes wrong: one of FaultEffects

	Delay      string  // "800ms": of latency, webhook-late and webhook-reordered, and for each piece of dribble
	DelayMax   string  // latency is drawn evenly between Delay and this
	Sigma      float64 // latency is drawn log-normally around Delay, with this deviation of its logarithm
	Status     int     // of the effect status, 400 to 599
	Code       string  // of status; empty: the contract's for this status
	Message    string  // of status
	RetryAfter int     // seconds, of status; 0: 1 with 429 and 503
	Percent    float64 // of price-changed; 0: 10, which makes prices a tenth higher
}

// FaultState is a rule with what came of it.
type FaultState struct {
	FaultRule
	Matched int64 // requests or deliveries that were meant
	Fired   int64 // those to which it happened
}

// FaultEffects returns the names of what can go wrong: "latency", "status", "reset", "sold-out" …
func FaultEffects() []string { return faults.Effects() }

// FaultScenarios returns the names of rules that are ready: "flaky-network", "sold-out-at-checkout" …
func FaultScenarios() []string { return faults.Scenarios() }

// SetFaults puts rules in the place of all others; without any nothing goes wrong any more. What is drawn is drawn with the seed. An error
// tells which rule cannot be; then nothing changes.
func (s *Server) SetFaults(seed uint64, rules ...FaultRule) error {
	document := faults.Document{Seed: seed}
	for _, rule := range rules {
		document.Rules = append(document.Rules, faults.Rule(rule))
	}
	return s.shop.Faults().Replace(document)
}

// UseScenario puts the rules of a name in the place of all others. It returns an error for a name that is none of FaultScenarios.
func (s *Server) UseScenario(name string) error {
	return s.shop.Faults().Replace(faults.Document{Scenario: name})
}

// LoadFaults puts the rules of a document, in JSON or YAML, in the place of all others. An error tells where the document is wrong; then
// nothing changes.
func (s *Server) LoadFaults(document []byte) error {
	read, err := faults.Read(document)
	if err != nil {
		return err
	}
	if err := s.shop.Faults().Replace(read); err != nil {
		return fmt.Errorf("these rules cannot be: %w", err)
	}
	return nil
}

// Faults returns the rules in the order in which they are tried, with what came of them: one that never fired stands out.
func (s *Server) Faults() []FaultState {
	inner := s.shop.Faults().List()
	states := make([]FaultState, len(inner))
	for i, state := range inner {
		states[i] = FaultState{FaultRule(state.Rule), state.Matched, state.Fired}
	}
	return states
}
