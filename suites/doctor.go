package suites

// The doctor: what a run would meet, found out with reads alone and in seconds.

import (
	"cmp"
	"context"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"time"

	"shopcheck/reports"
	"shopcheck/suites/client"
	"shopcheck/suites/contract"
	"shopcheck/suites/profile"
)

// Health is the state of a check.
type Health string

// States of checks.
const (
	Well          Health = "ok"
	Warning       Health = "warning" // the run begins, and something of it is less than it could be
	Problem       Health = "problem" // the run cannot begin, or most of it fails for this
	NotApplicable Health = "not_applicable"
)

// Check is one thing that was looked at.
type Check struct {
	Name  string `json:"name"` // stable: tls, keys.read
	State Health `json:"state"`
	Found string `json:"found"`
	Next  string `json:"next,omitempty"` // what to do about it
}

// Diagnosis is what a run would meet.
type Diagnosis struct {
	Target   string                `json:"target"`
	Checks   []Check               `json:"checks"`
	Features []client.FeatureState `json:"-"`
	Payments []string              `json:"-"` // methods that the cart names, safe to show
	Coupon   profile.Coupon        `json:"-"` // one of the shop that goes with any product; of no code where none was found
	Dialect  string                `json:"-"` // that the target speaks; empty: not known
}

// Worst is the worst state of all checks.
func (d Diagnosis) Worst() Health {
	order := []Health{NotApplicable, Well, Warning, Problem}
	worst := Well
	for _, c := range d.Checks {
		if slices.Index(order, c.State) > slices.Index(order, worst) {
			worst = c.State
		}
	}
	return worst
}

const (
	doctorTime    = 9 * time.Second // for the whole diagnosis
	doctorTimeout = 3 * time.Second // for one answer
)

// Diagnose looks at the target of a run without changing anything. An error means that the profile or the selection is wrong; what is
// wrong with the target is in the diagnosis.
func Diagnose(ctx context.Context, o Options) (Diagnosis, error) {
	oneAtATime.Lock()
	defer oneAtATime.Unlock()
	ctx, cancel := context.WithTimeout(ctx, doctorTime)
	defer cancel()
	o.Profile.Limits.Timeout = min(o.Profile.Limits.Timeout, doctorTimeout)
	o.Profile.Limits.Retries = 0
	r := newRunner(ctx, o)
	defer r.run.Close()
	if err := r.makeSelection(); err != nil {
		return Diagnosis{}, r.run.Redactor.Error(err)
	}
	r.resetTree()
	d := doctor{runner: r, look: client.NewLook(ctx, r.run.Client), ctx: ctx}
	d.diagnosis.Target = o.Profile.Target
	d.examine()
	return d.diagnosis, nil
}

// doctor makes one diagnosis.
type doctor struct {
	*runner
	ctx       context.Context
	look      *client.Look
	diagnosis Diagnosis
	may       []string // credentials that do what they should
}

// add adds a check. Texts may hold words of the target.
func (d *doctor) add(name string, state Health, found, next string) {
	d.diagnosis.Checks = append(d.diagnosis.Checks, Check{Name: name, State: state, Found: d.clean(found), Next: d.clean(next)})
}

func (d *doctor) clean(text string) string {
	return reports.SanitizeLine(d.run.Redactor.Brief(text, longestFinding))
}

// longestFinding bounds a text of a check, in bytes.
const longestFinding = 600

// examine makes the checks, in the order in which one needs the other. Where there is no shop, nothing more can be said.
func (d *doctor) examine() {
	if !d.checkName() || !d.checkTLS() || !d.checkShop() {
		return
	}
	for _, check := range []func(){d.checkVersion, d.checkKeys, d.checkClock, d.checkPace, d.checkFeatures, d.checkProducts, d.checkCoupon,
		d.checkAddress, d.checkPayments, d.checkWebhooks, d.checkCoverage, d.checkDuration} {
		if d.ctx.Err() != nil {
			d.add("time", Warning, fmt.Sprintf("the time for the diagnosis (%v) is over; the checks after this one were not made",
				doctorTime),
				"the target answers slowly: a run takes its time, and limits.timeout says how long it waits for an answer")
			return
		}
		check()
	}
}

// checkShop finds the shop and its dialect.
func (d *doctor) checkShop() bool {
	if err := d.look.Shop(); err != nil {
		found, next := splitAdvice(strings.TrimPrefix(err.Error(), "the target "+d.run.Profile.Target+" "))
		d.add("shop", Problem, found, next)
		return false
	}
	access := d.run.Client.Access()
	d.diagnosis.Dialect = access.Dialect.Name
	d.add("shop", Well, "a shop answers", "")
	d.add("dialect", Well, cmp.Or(access.String(), "the contract's own names, neutral"), "")
	return true
}

// splitAdvice tells what was found from the question or advice that comes last in an error for people.
func splitAdvice(text string) (found, next string) {
	if i := strings.LastIndex(text, "; "); i >= 0 {
		return text[:i], text[i+2:]
	}
	return text, ""
}

// checkVersion tells what the shop says of itself.
func (d *doctor) checkVersion() {
	answer := d.look.Anonymous(client.Store + "/products?per_page=1")
	var said []string
	if version := d.look.Get(client.Management+"/system_status", nil).Get("environment.version").String(); version != "" {
		said = append(said, "its status names version "+version)
	}
	for _, header := range []string{"Server", "X-Powered-By"} {
		if value := answer.Header.Get(header); value != "" {
			said = append(said, header+": "+value)
		}
	}
	if len(said) == 0 {
		d.add("version", NotApplicable, "the shop says nothing of its version", "")
		return
	}
	d.add("version", Well, strings.Join(said, ", "), "")
}

const (
	clockSlack   = 30 * time.Second
	oauthMinutes = 15 * time.Minute // within which signatures hold
)

// checkClock compares the target's clock with ours.
func (d *doctor) checkClock() {
	began := time.Now()
	answer := d.look.Get(client.Management+"/products", url.Values{"per_page": {"1"}})
	there, err := time.Parse(time.RFC1123, answer.Header.Get("Date"))
	if err != nil {
		d.add("clock", NotApplicable, "the shop does not tell its time", "")
		return
	}
	skew := there.Sub(began.Add(time.Since(began) / 2)).Round(time.Second)
	switch {
	case skew.Abs() <= clockSlack:
		d.add("clock", Well, "the shop's clock and this machine's agree", "")
	case skew.Abs() <= oauthMinutes:
		d.add("clock", Warning, fmt.Sprintf("the shop's clock is %s this machine's", ahead(skew)), "set both by a time server")
	default:
		d.add("clock", Problem, fmt.Sprintf("the shop's clock is %s this machine's: it refuses signed requests, and dates mislead",
			ahead(skew)),
			"set both by a time server")
	}
}

func ahead(skew time.Duration) string {
	if skew < 0 {
		return fmt.Sprintf("%v behind", -skew)
	}
	return fmt.Sprintf("%v ahead of", skew)
}

// checkPace tells how fast the shop answers, and whether it limits us.
func (d *doctor) checkPace() {
	latency := brief(d.run.Client.Latency())
	limited := d.look.Anonymous(client.Store + "/products?per_page=1").Header
	for _, header := range []string{"Retry-After", "RateLimit-Limit", "RateLimit-Policy", "X-RateLimit-Limit"} {
		if value := limited.Get(header); value != "" {
			d.add("pace", Warning, fmt.Sprintf("an answer takes %s, and the shop limits requests (%s: %s)", latency, header, value),
				"set limits.requests_per_second below it")
			return
		}
	}
	d.add("pace", Well, fmt.Sprintf("an answer takes %s; no limit was met", latency), "")
}

// checkFeatures tells what the shop offers.
func (d *doctor) checkFeatures() {
	states := d.look.Features()
	d.diagnosis.Features = states
	for _, state := range states {
		d.run.Features[state.Name] = state
	}
	if err := d.look.Login(states); err != nil {
		found, next := splitAdvice(err.Error())
		d.add("keys.login", Problem, found, next)
	}
	named := func(wanted ...string) string {
		var names []string
		for _, state := range states {
			if slices.Contains(wanted, state.State()) {
				names = append(names, state.Name)
			}
		}
		return strings.Join(names, ", ")
	}
	if names := named("on", "found"); names != "" {
		d.add("features", Well, "there are: "+names, "")
	}
	if names := named("missing"); names != "" {
		d.add("features.missing", Problem, "the contract demands these, and they were not found: "+names,
			"if the shop is meant to go without, say so under features (NAME: off); else its specs fail")
	}
	if names := named("not_found", "off"); names != "" {
		d.add("features.off", NotApplicable, "these are off or were not found, and are not tested: "+names, "")
	}
}

// checkCoverage tells what could not run with what the profile knows.
func (d *doctor) checkCoverage() {
	switch p := d.run.Profile; {
	case d.plan.leftOut != nil:
		d.add("coverage.writes", Warning, d.plan.leftOut.String(),
			"where test data may be made and deleted, leave --read-only (read_only) away")
	case !p.MayWrite():
		d.add("coverage.writes", Warning, "writing to this target is not allowed: only specs that read what is there can run",
			"where test data may be made and deleted, set allow_writes: true or give --allow-writes; --read-only leaves out the specs "+
				"that write")
	}
	blocked := 0
	for _, need := range needs() {
		specs, requirements := d.blockedBy(need)
		if specs == 0 {
			continue
		}
		blocked += specs
		about := reports.Plural(len(requirements), "requirement", "requirements")
		if len(requirements) > 0 {
			about += " (" + firstOf(requirements) + ")"
		}
		d.add("coverage."+need.name, Warning, fmt.Sprintf("%s could not run, about %s: %s", reports.Plural(specs, "spec", "specs"), about,
			need.why), need.add)
	}
	if blocked == 0 && d.run.Profile.MayWrite() {
		d.add("coverage", Well, "nothing is missing: every spec of what the shop offers can run", "")
	}
}

// namedOf is how many of many ids are named.
const namedOf = 5

func firstOf(ids []string) string {
	if len(ids) <= namedOf {
		return strings.Join(ids, ", ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(ids[:namedOf], ", "), len(ids)-namedOf)
}

// blockedBy counts the specs that a lack keeps from running, and lists the requirements that only they verify.
func (d *doctor) blockedBy(n need) (specs int, requirements []string) {
	if !n.lacks(d) {
		return 0, nil
	}
	verified, open := map[string]bool{}, map[string]bool{}
	for _, planned := range d.plan.chosen() {
		switch {
		case !d.applies(planned):
		case n.spec(planned):
			specs++
			for _, id := range planned.Requirements {
				open[id] = true
			}
		default:
			for _, id := range planned.Requirements {
				verified[id] = true
			}
		}
	}
	for id := range open {
		if !verified[id] {
			requirements = append(requirements, id)
		}
	}
	slices.Sort(requirements)
	return specs, requirements
}

// applies reports whether the target offers what a spec is about.
func (d *doctor) applies(planned Planned) bool {
	return !slices.ContainsFunc(planned.Features, func(name string) bool { return !d.run.Features[name].On })
}

// checkDuration tells how long the run will take.
func (d *doctor) checkDuration() {
	specs := 0
	for _, planned := range d.plan.chosen() {
		if d.applies(planned) {
			specs++
		}
	}
	e := estimate{specs: specs, latency: d.run.Client.Latency(), limits: d.run.Profile.Limits}
	workers := e.workers(0)
	if d.options.Workers != nil {
		workers = e.workers(d.options.Workers.Count)
	}
	took := e.duration(workers)
	state, next := Well, ""
	if took > d.run.Profile.Limits.RunTime {
		state, next = Warning, fmt.Sprintf("limits.run_time is %v: raise it, or select fewer specs", d.run.Profile.Limits.RunTime)
	}
	d.add("duration", state, fmt.Sprintf("%s with %s take about %v", reports.Plural(specs, "spec", "specs"),
		reports.Plural(workers, "worker", "workers"), max(took, time.Second).Round(time.Second)), next)
}

// need is something that specs need and a profile may lack.
type need struct {
	name, why, add string
	lacks          func(d *doctor) bool
	spec           func(p Planned) bool // which specs need it
}

func needs() []need {
	// how the ids of the spec or of its requirements begin
	verifies := func(prefixes ...string) func(Planned) bool {
		return func(p Planned) bool {
			return slices.ContainsFunc(append([]string{p.ID}, p.Requirements...), func(id string) bool {
				return slices.ContainsFunc(prefixes, func(prefix string) bool { return strings.HasPrefix(id, prefix) })
			})
		}
	}
	of := func(feature string) func(Planned) bool {
		return func(p Planned) bool { return slices.Contains(p.Features, feature) }
	}
	without := func(name string) func(*doctor) bool {
		return func(d *doctor) bool { return !slices.Contains(d.may, name) }
	}
	return []need{
		{"read_write", "there is no credentials.read_write that works", "make a key that may read and write, and give it as " +
			"credentials.read_write",
			without("read_write"), of(contract.FeatureManagement)},
		{"read", "there is no credentials.read that works", "make a key that may only read, and give it as credentials.read",
			without("read"),
			verifies("permission.", "auth.read-reads", "auth.read-cannot", "oauth1.permission",
				"auth.permission.that-is-lacking")},
		{"write", "there is no credentials.write that works", "make a key that may only write, and give it as credentials.write",
			without("write"), verifies("permission.", "auth.write-",
				"auth.permission.that-is-lacking-gets")},
		{"revoked", "there is no credentials.revoked", "make a key, revoke it, and give it as credentials.revoked", without("revoked"),
			verifies("auth.revoked", "oauth1.revoked")},
		{"webhooks", "the shop's webhooks do not reach the harness", "set webhooks.listen, and webhooks.public_url where a tunnel " +
			"is needed",
			func(d *doctor) bool { return !reachable(d.run.Profile) }, of(contract.FeatureWebhooks)},
	}
}
