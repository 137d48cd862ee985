package mockserver

// What clients do wrong without failing.

import (
	"time"

	"shopcheck/mockserver/internal/advice"
)

// AdviceMode says whether clients are watched.
type AdviceMode string

// The advice modes.
const (
	AdviceOn     AdviceMode = AdviceMode(advice.On)     // "on": they are
	AdviceHeader AdviceMode = AdviceMode(advice.Header) // "header": and each answer names in X-Shop-Mock-Advice what its call earned
	AdviceOff    AdviceMode = AdviceMode(advice.Off)    // "off"
)

// Advice is one thing that clients can do wrong without failing, and how those of this shop fare.
type Advice struct {
	ID      string // "nonce.reused": a promise, it never changes its meaning
	Level   string // "must", "should" or "observed"
	Section string // of the contract
	Text    string // what is wrong, and what is better

	Chances int    // times that a client could have earned it; 0: it could not be judged
	Count   int    // times that one did
	Chance  string // what a client must come by so that it can be judged
	Try     string // what brings it there

	Seen []AdviceSighting // the first ones of each client
}

// AdviceSighting is one time that an advice was earned, with the calls that prove it.
type AdviceSighting struct {
	Address, UserAgent string // of the client
	Note               string // what is special about it; "": nothing
	Calls              []AdviceCall
}

// AdviceCall is a call as proof.
type AdviceCall struct {
	Request  int64 // ID of the Request; 0: the journal keeps none
	Delivery int64 // of a webhook; 0: it is none
	Time     time.Time
	Method   string
	Path     string // as the contract writes it
	Status   int    // 0: the connection was ended without an answer
}

// Advice returns all advice that there is, with what was seen of this shop's clients, who have ended: what they have left open they will
// not do any more. A test fails where something was seen:
//
//	for _, advice := range shop.Advice() {
//		if advice.Count > 0 {
//			t.Errorf("%s: %s", advice.ID, advice.Text)
//		}
//	}
func (s *Server) Advice() []Advice {
	report := s.shop.Advice().Report(true)
	clients := map[int]advice.Client{}
	for _, client := range report.Clients {
		clients[client.Number] = client
	}
	all := make([]Advice, len(report.Advice))
	for i, seen := range report.Advice {
		all[i] = Advice{ID: seen.ID, Level: string(seen.Level), Section: seen.Section, Text: seen.Text, Chances: seen.Chances,
			Count: seen.Count, Chance: seen.Chance, Try: seen.Try}
		for _, sighting := range seen.Seen {
			client := clients[sighting.Client]
			shown := AdviceSighting{Address: client.Address, UserAgent: client.Agent, Note: sighting.Note}
			for _, call := range sighting.Calls {
				shown.Calls = append(shown.Calls, AdviceCall(call))
			}
			all[i].Seen = append(all[i].Seen, shown)
		}
	}
	return all
}

// SetAdvice says whether clients are watched from now on. It returns an error for what is no mode.
func (s *Server) SetAdvice(mode AdviceMode) error {
	if err := advice.Mode(mode).Check(); err != nil {
		return err
	}
	s.shop.Advice().SetMode(advice.Mode(mode))
	return nil
}

// ForgetAdvice forgets the clients and what they did.
func (s *Server) ForgetAdvice() { s.shop.Advice().Forget() }
