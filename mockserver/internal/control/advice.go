package control

// The advice under /_mock/advice: what clients do wrong without failing.

import (
	"net/http"
	"strings"
	"time"

	"shopcheck/mockserver/internal/advice"
	"shopcheck/mockserver/internal/rest"
)

func adviceCalls() []call {
	const path = Root + "/advice"
	answer := rest.Described[adviceReport]()
	done := rest.Param{Name: "done", Type: rest.Boolean,
		Description: "The clients have ended: what they have left open counts as not done."}
	mode := rest.Param{Name: "mode", Type: rest.String, Enum: advice.Modes(), Required: true,
		Description: "on; header: answers name what they earned in " + advice.HeaderName + ", too; off."}
	return []call{
		{rest.Operation{Method: http.MethodGet, Path: path, Summary: "Tell what clients do wrong without failing",
			Query: []rest.Param{done}, Answer: answer}, (*Services).showAdvice},
		{rest.Operation{Method: http.MethodPut, Path: path, Summary: "Say whether clients are watched", Body: object(mode), Answer: answer},
			(*Services).changeAdvice},
		{rest.Operation{Method: http.MethodDelete, Path: path, Summary: "Forget the clients and what they did",
			Status: http.StatusNoContent}, (*Services).clearAdvice},
	}
}

// adviceReport is the wire form of an advice.Report.
type adviceReport struct {
	Mode      string         `json:"mode"`
	Advice    []adviceShown  `json:"advice"`
	Clients   []adviceClient `json:"clients"`
	Forgotten int            `json:"forgotten"` // clients that made room for others
}

type adviceShown struct {
	ID      string       `json:"id"`
	Level   string       `json:"level"`
	Section string       `json:"section"` // of the contract
	Text    string       `json:"text"`
	State   string       `json:"state"` // earned, sound, not_judged
	Chances int          `json:"chances"`
	Count   int          `json:"count"`
	Chance  string       `json:"chance"` // what a client must come by
	Try     string       `json:"try"`    // what brings it there
	Seen    []adviceSeen `json:"seen"`
}

type adviceSeen struct {
	Client int          `json:"client"`
	Note   string       `json:"note,omitempty"`
	Calls  []adviceCall `json:"calls"`
}

type adviceCall struct {
	Request  int64     `json:"request_id,omitempty"`
	Delivery int64     `json:"delivery_id,omitempty"`
	Time     time.Time `json:"time"`
	Method   string    `json:"method"`
	Path     string    `json:"path"`
	Status   int       `json:"status"`
}

type adviceClient struct {
	ID        int       `json:"id"`
	Address   string    `json:"address"`
	UserAgent string    `json:"user_agent"`
	Requests  int       `json:"requests"`
	First     time.Time `json:"first_at"`
	Last      time.Time `json:"last_at"`
	Advice    []string  `json:"advice"`
}

func adviceOf(report advice.Report) adviceReport {
	shown := adviceReport{Mode: string(report.Mode), Advice: []adviceShown{}, Clients: []adviceClient{}, Forgotten: report.Forgotten}
	for i := range report.Advice {
		a := &report.Advice[i]
		shown.Advice = append(shown.Advice, adviceShown{ID: a.ID, Level: string(a.Level), Section: a.Section, Text: a.Text,
			State: a.State(), Chances: a.Chances, Count: a.Count, Chance: a.Chance, Try: a.Try, Seen: seenOf(a.Seen)})
	}
	for _, c := range report.Clients {
		shown.Clients = append(shown.Clients, adviceClient{ID: c.Number, Address: printable(c.Address), UserAgent: printable(c.Agent),
			Requests: c.Requests, First: c.First, Last: c.Last, Advice: c.Earned})
	}
	return shown
}

func seenOf(sightings []advice.Sighting) []adviceSeen {
	shown := []adviceSeen{}
	for _, s := range sightings {
		calls := []adviceCall{}
		for _, c := range s.Calls {
			calls = append(calls, adviceCall{c.Request, c.Delivery, c.Time, c.Method, printable(c.Path), c.Status})
		}
		shown = append(shown, adviceSeen{s.Client, printable(s.Note), calls})
	}
	return shown
}

// printable is a text that a client sent, as JSON takes it.
func printable(text string) string { return strings.ToValidUTF8(text, "\uFFFD") }

func (s *Services) showAdvice(w http.ResponseWriter, r *http.Request) {
	p := paramsOf(r)
	done := p.flag("done")
	if !p.refused(w) {
		rest.WriteJSON(w, http.StatusOK, adviceOf(s.Advice.Report(done)))
	}
}

func (s *Services) changeAdvice(w http.ResponseWriter, r *http.Request) {
	var wanted struct{ Mode advice.Mode }
	if !takeObject(w, r, &wanted, `{"mode": "header"}`) {
		return
	}
	if err := wanted.Mode.Check(); err != nil {
		rest.WriteError(w, rest.InvalidParamf("mode", "%v", err))
		return
	}
	s.Advice.SetMode(wanted.Mode)
	rest.WriteJSON(w, http.StatusOK, adviceOf(s.Advice.Report(false)))
}

func (s *Services) clearAdvice(w http.ResponseWriter, r *http.Request) {
	if paramsOf(r).refused(w) {
		return
	}
	s.Advice.Forget()
	w.WriteHeader(http.StatusNoContent)
}
