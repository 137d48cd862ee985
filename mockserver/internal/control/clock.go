package control

// The shop's clock under /_mock/clock: freeze, set and advance it.

import (
	"errors"
	"net/http"
	"time"

	"shopcheck/mockserver/internal/clock"
	"shopcheck/mockserver/internal/rest"
)

func clockCalls() []call {
	const path = "/_mock/clock"
	now := object(rest.Param{Name: "now", Type: rest.String}, rest.Param{Name: "frozen", Type: rest.Boolean},
		rest.Param{Name: "moved", Type: rest.Boolean})
	change := object(rest.Param{Name: "set", Type: rest.String, Description: "A moment, RFC 3339."},
		rest.Param{Name: "advance", Type: rest.String, Description: "A duration, such as 36h."},
		rest.Param{Name: "freeze", Type: rest.Boolean})
	return []call{
		{rest.Operation{Method: http.MethodGet, Path: path, Summary: "Show the shop's clock", Answer: now}, (*Services).showClock},
		{rest.Operation{Method: http.MethodPost, Path: path, Summary: "Freeze, set or advance the shop's clock", Body: change, Answer: now},
			(*Services).changeClock},
		{rest.Operation{Method: http.MethodDelete, Path: path, Summary: "Let the shop's clock go with the system's again", Answer: now},
			(*Services).resetClock},
	}
}

func (s *Services) showClock(w http.ResponseWriter, r *http.Request) {
	if !paramsOf(r).refused(w) {
		s.answerClock(w)
	}
}

func (s *Services) answerClock(w http.ResponseWriter) {
	rest.WriteJSON(w, http.StatusOK, rest.Pairs{
		{Name: "now", Value: s.Clock.Now().UTC()}, {Name: "frozen", Value: s.Clock.Frozen()}, {Name: "moved", Value: s.Clock.Moved()},
	})
}

// changeClock reads {"set": "2026-03-01T12:00:00Z", "advance": "36h", "freeze": true}, each of which may be left out.
func (s *Services) changeClock(w http.ResponseWriter, r *http.Request) {
	text, ok := takeBody(w, r)
	if !ok {
		return
	}
	change, err := readClockChange(text)
	if err == nil {
		err = s.ChangeClock(change)
	}
	if err != nil {
		rest.WriteError(w, asRefusal(err))
		return
	}
	s.answerClock(w)
}

func readClockChange(text []byte) (clock.Change, error) {
	var wanted struct {
		Set     *string
		Advance *string
		Freeze  *bool
	}
	if !isObject(text, &wanted) {
		return clock.Change{}, errors.New(
			`the body must be an object such as {"set": "2026-03-01T12:00:00Z"}, {"advance": "36h"} or {"freeze": true}`)
	}
	change := clock.Change{Freeze: wanted.Freeze}
	if wanted.Set != nil {
		moment, err := time.Parse(time.RFC3339, *wanted.Set)
		if err != nil {
			return clock.Change{}, errors.New("set must be a moment such as 2026-03-01T12:00:00Z")
		}
		change.Set = &moment
	}
	if wanted.Advance != nil {
		var err error
		if change.Advance, err = clock.ParseDuration(*wanted.Advance); err != nil {
			return clock.Change{}, err
		}
	}
	return change, nil
}

// resetClock lets the shop's clock follow that of the server again.
func (s *Services) resetClock(w http.ResponseWriter, r *http.Request) {
	if paramsOf(r).refused(w) {
		return
	}
	if err := s.ChangeClock(clock.Change{Reset: true}); err != nil {
		rest.WriteError(w, asRefusal(err))
		return
	}
	s.answerClock(w)
}
