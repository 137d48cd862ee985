package reports

// From deviations to findings as people count them: deviations that come from one cause are shown as one, with every
// requirement and spec that it broke beneath. By what two deviations count as one is in signature.go, who is put together in group.go.

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strings"
)

// Cause is what a report shows as one finding. It leads with its most specific deviation.
type Cause struct {
	ID           string      `json:"id"` // the same for the same cause in another run
	Outcome      Outcome     `json:"outcome"`
	Level        Level       `json:"level"`
	Requirement  string      `json:"requirement"` // the most specific one that it breaks
	Message      string      `json:"message"`
	Place        string      `json:"place,omitempty"` // method and route of the answer that shows it
	Path         string      `json:"path,omitempty"`
	Want         string      `json:"want"`
	Got          string      `json:"got"`
	Requirements []string    `json:"requirements"` // all that it breaks, the most specific first
	Specs        []string    `json:"specs"`        // all that it breaks, in the same order
	Signatures   []string    `json:"signatures"`   // what another run is compared by
	Deviations   []Reference `json:"deviations"`   // into the findings of the specs, the most specific first
}

// Reference points to one finding of a spec. Finding is -1 where the spec ended badly and recorded none.
type Reference struct {
	Spec    string `json:"spec"`
	Finding int    `json:"finding"`
}

// What is the cause's message with its place.
func (c Cause) What() string { return Finding{Message: c.Message, Path: c.Path}.What() }

// Causes groups all deviations of a report. Those that fail the run come first, then those with most requirements.
func Causes(r *Report) []Cause {
	if len(r.Causes) > 0 {
		return r.Causes
	}
	catalogue := catalogueOf(r)
	causes := []Cause{}
	for _, group := range grouped(deviationsOf(r)) {
		causes = append(causes, causeOf(group, catalogue))
	}
	slices.SortStableFunc(causes, func(a, b Cause) int {
		return cmp.Or(cmp.Compare(urgency(a.Outcome), urgency(b.Outcome)), cmp.Compare(len(b.Specs), len(a.Specs)),
			cmp.Compare(a.Requirement, b.Requirement))
	})
	return causes
}

// Found returns the findings of a cause, the most specific first.
func (r *Report) Found(c Cause) []SpecFinding {
	specs := make(map[string]*Spec, len(c.Specs))
	for i := range r.Specs {
		specs[r.Specs[i].ID] = &r.Specs[i]
	}
	var found []SpecFinding
	for _, at := range c.Deviations {
		switch spec := specs[at.Spec]; {
		case spec == nil: // a document that somebody has cut
		case at.Finding >= 0 && at.Finding < len(spec.Findings):
			found = append(found, SpecFinding{spec.Findings[at.Finding], spec})
		default:
			found = append(found, unexplained(spec))
		}
	}
	return found
}

// deviationsOf lists the findings of all specs that count, in the order of the specs.
func deviationsOf(r *Report) []*deviation {
	var all []*deviation
	for i := range r.Specs {
		for _, kind := range deviatingOutcomes() {
			for _, found := range FindingsOf(&r.Specs[i], r.Strict, kind) {
				all = append(all, newDeviation(found, kind))
			}
		}
	}
	markWhatIsOtherwise(all)
	return all
}

func deviatingOutcomes() []Outcome { return []Outcome{BrokenHarness, Failed, Warned, Waived} }

func causeOf(group []*deviation, catalogue map[string]Requirement) Cause {
	slices.SortStableFunc(group, func(a, b *deviation) int { return bySpecificity(a, b, catalogue) })
	lead := group[0]
	cause := Cause{
		Outcome: lead.kind, Level: lead.Level, Requirement: lead.Requirement,
		Message: lead.Message, Path: lead.Path, Want: lead.Want, Got: lead.Got,
	}
	if e := lead.Exchanged(); e != nil {
		cause.Place = e.Endpoint
	}
	for _, d := range group {
		if urgency(d.kind) < urgency(cause.Outcome) {
			cause.Outcome = d.kind
		}
		cause.Level = stricter(cause.Level, d.Level)
		cause.Requirements = addNew(cause.Requirements, d.Requirement)
		cause.Specs = addNew(cause.Specs, d.Spec.ID)
		cause.Deviations = append(cause.Deviations, Reference{d.Spec.ID, d.number})
		for _, signature := range d.signatures {
			cause.Signatures = addNew(cause.Signatures, signature)
		}
	}
	slices.Sort(cause.Signatures)
	cause.ID = fingerprint(lead)
	return cause
}

func addNew(list []string, value string) []string {
	if value == "" || slices.Contains(list, value) {
		return list
	}
	return append(list, value)
}

func stricter(a, b Level) Level {
	order := []Level{Must, Should, Observed, ""}
	if slices.Index(order, b) < slices.Index(order, a) {
		return b
	}
	return a
}

// fingerprintBytes is how much of a digest makes an id: enough that the findings of a run do not collide.
const fingerprintBytes = 5

func fingerprint(d *deviation) string {
	sum := sha256.Sum256([]byte(d.Requirement + "\n" + d.signatures[0]))
	return "f" + hex.EncodeToString(sum[:fingerprintBytes])
}

// bySpecificity orders deviations of one cause: what was found in the record itself leads, then what says most exactly where
// it is. What only follows from it comes last.
func bySpecificity(a, b *deviation, catalogue map[string]Requirement) int {
	return cmp.Or(
		cmp.Compare(rank(a), rank(b)),
		cmp.Compare(urgency(a.kind), urgency(b.kind)),
		cmp.Compare(strings.Count(b.Requirement, "."), strings.Count(a.Requirement, ".")),
		cmp.Compare(len(catalogue[a.Requirement].Specs), len(catalogue[b.Requirement].Specs)),
		cmp.Compare(a.Requirement, b.Requirement),
		cmp.Compare(a.Spec.ID, b.Spec.ID),
	)
}

// rank is lower the nearer a deviation is to the cause.
func rank(d *deviation) int {
	switch {
	case d.Message == NoArray, d.namesItsField() && (d.aboutField || isEnvelopeField(d.Finding)):
		return 0
	case d.aboutField, strings.HasPrefix(d.Got, "status ") && (d.isAccepted() || !wantsRefusal(d.Finding)):
		return 1
	case strings.HasPrefix(d.Requirement, "errors.code."):
		return 2
	}
	return 3
}

// rerunSpecs is up to how many specs the line names that runs what a cause broke.
const rerunSpecs = 5

// Rerun is the command line that runs the specs of a cause again: of many, those that show it best.
func (r *Report) Rerun(c Cause) string { return r.rerun(c.Specs[:min(rerunSpecs, len(c.Specs))]...) }

// rerun is the command line that runs specs again, against the same target; "" for clients, whose calls nobody can make again.
func (r *Report) rerun(ids ...string) string {
	if r.isAboutClients() {
		return ""
	}
	line := "shopcheck run"
	for _, argument := range r.Target.Arguments {
		line += " " + ShellWord(argument)
	}
	for _, id := range ids {
		line += " --spec " + ShellWord(id)
	}
	return SanitizeLine(line)
}

// ShellWord quotes what a POSIX shell would not take as one word.
func ShellWord(text string) string {
	plain := func(c rune) bool {
		return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || strings.ContainsRune("-_./:=@%+,", c)
	}
	if text != "" && strings.IndexFunc(text, func(c rune) bool { return !plain(c) }) < 0 {
		return text
	}
	return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'"
}
