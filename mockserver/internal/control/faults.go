package control

// The faults under /_mock/faults: what goes wrong on purpose.

import (
	"net/http"

	"shopcheck/mockserver/internal/faults"
	"shopcheck/mockserver/internal/rest"
)

func faultCalls() []call {
	const path = "/_mock/faults"
	rules := rest.Described[faults.Document]()
	rules.Fields = append(rules.Fields, rest.Described[faults.Rule]().Fields...) // a single rule is a document, too
	list := object(rest.Param{Name: "rules", Type: rest.Array, Items: rest.Described[faults.State]()},
		rest.Param{Name: "never_fired", Type: rest.Integer, Description: "How many rules never came true."},
		rest.Param{Name: "scenarios", Type: rest.Array, Items: &rest.Param{Type: rest.String}})
	return []call{
		{rest.Operation{Method: http.MethodGet, Path: path, Summary: "List the faults and what came of them", Answer: list},
			(*Services).listFaults},
		{rest.Operation{Method: http.MethodPut, Path: path, Summary: "Replace all faults", Body: rules, Answer: list},
			(*Services).replaceFaults},
		{rest.Operation{Method: http.MethodPost, Path: path, Summary: "Add faults", Body: rules, Status: http.StatusCreated, Answer: list},
			(*Services).addFaults},
		{rest.Operation{Method: http.MethodDelete, Path: path, Summary: "End all faults", Status: http.StatusNoContent},
			(*Services).clearFaults},
	}
}

// listFaults shows the rules in the order in which they are tried, with what came of them, and the names of those that are ready.
func (s *Services) listFaults(w http.ResponseWriter, r *http.Request) {
	if !paramsOf(r).refused(w) {
		s.answerFaults(w, http.StatusOK)
	}
}

func (s *Services) answerFaults(w http.ResponseWriter, status int) {
	rules, idle := s.Faults.List(), 0
	for _, rule := range rules {
		if rule.Fired == 0 {
			idle++
		}
	}
	rest.WriteJSON(w, status, rest.Pairs{{Name: "rules", Value: rules}, {Name: "never_fired", Value: idle},
		{Name: "scenarios", Value: faults.Scenarios()}})
}

func (s *Services) replaceFaults(w http.ResponseWriter, r *http.Request) {
	s.takeFaults(w, r, http.StatusOK, s.Faults.Replace)
}

func (s *Services) addFaults(w http.ResponseWriter, r *http.Request) {
	s.takeFaults(w, r, http.StatusCreated, s.Faults.Add)
}

// takeFaults reads {"rules": […]}, {"scenario": "rate-limited"} or a single rule.
func (s *Services) takeFaults(w http.ResponseWriter, r *http.Request, status int, take func(faults.Document) error) {
	text, ok := takeBody(w, r)
	if !ok {
		return
	}
	document, err := faults.ReadJSON(text)
	if err == nil {
		err = take(document)
	}
	if err != nil {
		rest.WriteError(w, asRefusal(err))
		return
	}
	s.answerFaults(w, status)
}

func (s *Services) clearFaults(w http.ResponseWriter, r *http.Request) {
	if paramsOf(r).refused(w) {
		return
	}
	if err := s.Faults.Replace(faults.Document{}); err != nil {
		rest.WriteError(w, asRefusal(err))
		return
	}
	w.WriteHeader(http.StatusNoContent)
}
