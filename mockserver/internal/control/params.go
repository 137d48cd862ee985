package control

// The parameters of the mock's own API.

import (
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"shopcheck/mockserver/internal/rest"
)

// params reads the query of a request, and remembers what is wrong with it.
type params struct {
	values url.Values
	known  map[string]bool
	faults []rest.Invalid
}

// paramsOf reads the query of a request.
func paramsOf(r *http.Request) *params {
	values, err := url.ParseQuery(r.URL.RawQuery)
	p := &params{values: values, known: map[string]bool{"rest_route": true}}
	if err != nil {
		p.refuse("query", "The query string cannot be read: check its percent-encoding.")
	}
	return p
}

func (p *params) refuse(name, format string, args ...any) {
	p.faults = append(p.faults, rest.Invalid{Param: name, Code: "rest_invalid_param", Reason: fmt.Sprintf(format, args...)})
}

// all returns every value of a parameter.
func (p *params) all(name string) []string {
	p.known[name] = true
	return p.values[name]
}

// text returns the value of a parameter, "" without one.
func (p *params) text(name string) string {
	values := p.all(name)
	switch len(values) {
	case 0:
		return ""
	case 1:
		return values[0]
	}
	p.refuse(name, "%s is given %d times.", name, len(values))
	return ""
}

// number returns the value of a parameter that is a whole number within bounds.
func (p *params) number(name string, usual, least, most int64) int64 {
	text := p.text(name)
	if text == "" {
		return usual
	}
	number, err := strconv.ParseInt(text, 10, 64)
	if err != nil || number < least || number > most {
		p.refuse(name, "%s must be a whole number from %d to %d.", name, least, most)
		return usual
	}
	return number
}

// How long a call waits: unless it says otherwise, and at most.
const (
	usualWait   = 10 * time.Second
	longestWait = time.Minute
)

// timeout returns how long the call is to wait.
func (p *params) timeout() time.Duration {
	timeout, err := waitOf(p.text("timeout"))
	if err != nil {
		p.refuse("timeout", "%v.", err)
	}
	return timeout
}

// waitOf reads how long a call is to wait.
func waitOf(text string) (time.Duration, error) {
	if text == "" {
		return usualWait, nil
	}
	timeout, err := time.ParseDuration(text)
	if err != nil || timeout < 0 || timeout > longestWait {
		return 0, fmt.Errorf("timeout must be a duration such as 10s, at most %s", longestWait)
	}
	return timeout, nil
}

// oneOf returns the value of a parameter that must be one of some, "" without one.
func (p *params) oneOf(name string, allowed ...string) string {
	text := p.text(name)
	if text == "" {
		return ""
	}
	if slices.Contains(allowed, text) {
		return text
	}
	p.refuse(name, "%s must be one of %s.", name, strings.Join(allowed, ", "))
	return ""
}

// flag returns the value of a parameter that is true or false; false without one.
func (p *params) flag(name string) bool { return p.oneOf(name, "true", "false") == "true" }

// refused answers a request whose parameters are wrong, or unknown, and reports whether it did.
func (p *params) refused(w http.ResponseWriter) bool {
	for name := range p.values {
		if !p.known[name] {
			p.refuse(name, "There is no parameter %s here.", name)
		}
	}
	if len(p.faults) == 0 {
		return false
	}
	rest.WriteError(w, rest.InvalidParams(p.faults...))
	return true
}
