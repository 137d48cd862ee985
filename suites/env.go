package suites

// Env: what a topic gets to write its specs with.

import (
	"fmt"
	"net/http"

	"github.com/onsi/ginkgo/v2"
	"github.com/onsi/gomega"

	"shopcheck/reports"
	"shopcheck/suites/client"
	"shopcheck/suites/spec"
)

// Env is the environment of all specs: the stage with its givens and its API calls, and the ways to say more than
// pass or fail.
type Env struct {
	*spec.Stage
	lab *lab
}

// For makes expectations that verify one requirement of several that the spec names:
//
//	env.For("errors.params").Expect(answer).To(HaveJSON("data.params.status", BeNonEmpty()))
//
// Where the requirement is a should, a failure is a warning and the spec goes on.
func (e *Env) For(requirement string) gomega.Gomega {
	if j := e.lab.journal(); j != nil && !j.names(requirement) {
		ginkgo.Fail(fmt.Sprintf("%s is not among the requirements of the spec; add it to its Req", requirement), 1)
	}
	return e.lab.gomegaFor(requirement)
}

// Observe records what the target does where the contract is silent. Keys are stable and dotted
// (missing-nonce.status); two reports are compared on them.
func (e *Env) Observe(key string, value any) {
	e.lab.journal().observe(key, client.Brief(e.lab.redactor.Text(fmt.Sprint(value)), longestText))
}

// CouldNotRun ends the spec: something that it needs of the target is not known or not there. The run is then
// incomplete, never green.
func (e *Env) CouldNotRun(format string, args ...any) { e.lab.CouldNotRun(format, args...) }

// NotApplicable ends the spec: what it is about does not exist at this target, and needs not.
func (e *Env) NotApplicable(format string, args ...any) {
	e.lab.leave(reports.NotApplicable, e.lab.redactor.Text(fmt.Sprintf(format, args...)))
}

// Offers tells whether the target has a feature.
func (e *Env) Offers(feature string) bool { return e.lab.Offers(feature) }

// Methods of HTTP, so that topics need not import net/http for them.
const (
	GET     = http.MethodGet
	POST    = http.MethodPost
	PUT     = http.MethodPut
	DELETE  = http.MethodDelete
	OPTIONS = http.MethodOptions
	HEAD    = http.MethodHead
)
