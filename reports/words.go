package reports

// The words in which people read verdicts, outcomes and exit codes: the same on the console and in the page.

import (
	"net/http"
	"strconv"
	"strings"
)

// Plural counts things: 1 spec, 2 specs.
func Plural(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return strconv.Itoa(n) + " " + many
}

// Title is the verdict as people read it.
func (v Verdict) Title() string {
	switch v {
	case Conformant:
		return "Conformant"
	case NotConformant:
		return "Not conformant"
	case Incomplete:
		return "Incomplete"
	case Interrupted:
		return "Interrupted"
	case Errored:
		return "No verdict"
	}
	return string(v)
}

// Meaning says in one sentence what the verdict tells about the target.
func (v Verdict) Meaning() string {
	switch v {
	case Conformant:
		return "Everything that the contract demands and the target offers holds."
	case NotConformant:
		return "The target breaks the contract, or a waiver no longer fits."
	case Incomplete:
		return "Nothing failed, but part of what the target offers could not be tested."
	case Interrupted:
		return "The run was stopped before its end; what it had found by then is shown."
	case Errored:
		return "The run could not begin, or the harness itself failed: whether the target conforms is not known."
	}
	return ""
}

// Title is the outcome as people read it.
func (o Outcome) Title() string {
	switch o {
	case Passed:
		return "Passed"
	case Failed:
		return "Failed"
	case Warned:
		return "Warning"
	case Waived:
		return "Waived"
	case NotApplicable:
		return "Not applicable"
	case CouldNotRun:
		return "Could not run"
	case Untested:
		return "Untested"
	case BrokenHarness:
		return "Harness error"
	}
	return string(o)
}

// StateWord is the state of a waiver as people read it.
func (w Waiver) StateWord() string { return strings.ReplaceAll(w.State, "_", " ") }

// Misfit reports whether the run fails by the waiver: it fits no more. What a baseline expects and is gone is no fault of the profile.
func (w Waiver) Misfit() bool { return w.State != "used" && w.State != "gone" }

// StateTitle says what the state of a waiver means, as one sentence.
func (w Waiver) StateTitle() string {
	switch w.State {
	case "used":
		return "It covers a deviation of this run."
	case "stale":
		return "Nothing fails any more: take the waiver out."
	case "gone":
		return "The baseline " + w.Baseline + " expects it, and nothing fails any more."
	case "expired":
		return "It expired on " + w.Expires + ": mend the deviation or renew the waiver."
	case "unknown_id":
		return "There is no requirement or spec of this id: correct the waiver or take it out."
	}
	return w.State
}

// What is the finding's message with its place.
func (f Finding) What() string {
	if f.Path == "" {
		return f.Message
	}
	return f.Message + " at " + f.Path
}

// Meaning says in one sentence what the verdict tells about the target; of a part of the suites it tells less.
func (r *Report) Meaning() string {
	if r.isAboutClients() {
		return map[Verdict]string{
			Conformant:    "Nothing that fails was seen of the clients.",
			NotConformant: "The clients do what another shop will not let pass, or what costs money.",
		}[r.Verdict]
	}
	if r.Verdict == Conformant && !r.IsWhole() {
		return "What was selected holds. The other specs were not run, so this is no verdict about the whole."
	}
	return r.Verdict.Meaning()
}

// ClientTool is the name of the tool whose reports are about a shop's clients: their requirements are advice, and their specs were not run.
const ClientTool = "shopmock verdict"

func (r *Report) isAboutClients() bool { return r.Tool.Name == ClientTool }

// IsWhole reports whether the report is about all specs: a part of them says nothing about the others.
func (r *Report) IsWhole() bool { return r.Selection.IsWhole() && r.Shard == nil }

// Title is the spec's texts as one sentence, or its id when it has none.
func (s *Spec) Title() string {
	if len(s.Texts) == 0 {
		return s.ID
	}
	return strings.Join(s.Texts, " ")
}

// Answer sums up what came back: the status with its name, or why nothing came.
func (e *Exchange) Answer() string {
	switch {
	case e.Status == 0 && e.Error == "":
		return "no answer"
	case e.Status == 0:
		return "no answer: " + e.Error
	}
	return strings.TrimSpace(strconv.Itoa(e.Status) + " " + http.StatusText(e.Status))
}

// StateTitle reports whether the target has the feature, as people read it.
func (f Feature) StateTitle() string {
	switch f.State {
	case "on":
		return "on"
	case "off":
		return "off"
	case "found":
		return "on (found)"
	case "missing":
		return "on (not found, though the contract demands it)"
	case "not_found":
		return "off (not found)"
	}
	return f.State
}
