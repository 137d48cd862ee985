package reports

// SARIF 2.1.0: the findings as code scanning systems take them. A rule is a requirement, a result is a finding.

import (
	"encoding/json"
	"io"
	"strings"
)

const (
	sarifSchema  = "https://json.schemastore.org/sarif-2.1.0.json"
	sarifVersion = "2.1.0"
)

type sarifLog struct {
	Schema  string     `json:"$schema"`
	Version string     `json:"version"`
	Runs    []sarifRun `json:"runs"`
}

// sarifRun says in full what readers would else assume: some assume nothing.
type sarifRun struct {
	Language    string            `json:"language"`
	Newlines    []string          `json:"newlineSequences"`
	Tool        sarifTool         `json:"tool"`
	Invocations []sarifInvocation `json:"invocations"`
	Results     []sarifResult     `json:"results"`
}

type sarifTool struct {
	Driver sarifDriver `json:"driver"`
}

type sarifDriver struct {
	Name     string      `json:"name"`
	Version  string      `json:"version,omitempty"`
	Language string      `json:"language"`
	Rules    []sarifRule `json:"rules"`
}

type sarifRule struct {
	ID               string         `json:"id"`
	ShortDescription sarifText      `json:"shortDescription"`
	Properties       map[string]any `json:"properties"`
}

type sarifText struct {
	Text string `json:"text"`
}

type sarifInvocation struct {
	ExecutionSuccessful bool                `json:"executionSuccessful"`
	ExitCode            int                 `json:"exitCode"`
	StartTimeUTC        string              `json:"startTimeUtc"`
	Notifications       []sarifNotification `json:"toolExecutionNotifications,omitempty"`
}

type sarifNotification struct {
	Level   string    `json:"level"`
	Message sarifText `json:"message"`
}

type sarifResult struct {
	RuleID       string             `json:"ruleId"`
	Level        string             `json:"level"`
	Message      sarifText          `json:"message"`
	Locations    []sarifLocation    `json:"locations"`
	Fingerprints map[string]string  `json:"partialFingerprints"`
	Suppressions []sarifSuppression `json:"suppressions,omitempty"`
	Properties   map[string]any     `json:"properties"`
}

type sarifLocation struct {
	Physical *sarifPhysical `json:"physicalLocation,omitempty"`
	Logical  []sarifLogical `json:"logicalLocations,omitempty"`
}

type sarifPhysical struct {
	Artifact sarifArtifact `json:"artifactLocation"`
}

// sarifArtifact is an artifact's address.
type sarifArtifact struct {
	URI string `json:"uri"`
}

type sarifLogical struct {
	Name string `json:"fullyQualifiedName"`
}

type sarifSuppression struct {
	Kind string `json:"kind"`
}

// WriteSARIF writes the findings as SARIF 2.1.0.
func WriteSARIF(w io.Writer, r *Report) error {
	safe := sanitized(Complete(r))
	run := sarifRun{
		Language: "en-US", Newlines: []string{"\r\n", "\n"},
		Tool:        sarifTool{sarifDriver{Name: safe.Tool.Name, Version: safe.Tool.Version, Language: "en-US", Rules: sarifRules(safe)}},
		Invocations: []sarifInvocation{sarifInvocationOf(safe)},
		Results:     []sarifResult{},
	}
	for _, cause := range safe.Causes {
		run.Results = append(run.Results, sarifResultOf(cause, safe))
	}
	encoder := json.NewEncoder(w)
	encoder.SetIndent("", "  ")
	return encoder.Encode(sarifLog{sarifSchema, sarifVersion, []sarifRun{run}})
}

// sarifRules are the requirements that findings lead with.
func sarifRules(r *Report) []sarifRule {
	catalogue, known := catalogueOf(r), map[string]bool{}
	rules := []sarifRule{}
	for _, cause := range r.Causes {
		id := ruleOf(cause)
		if known[id] {
			continue
		}
		known[id] = true
		requirement := catalogue[cause.Requirement]
		text := requirement.Statement
		if text == "" {
			text = id
		}
		rules = append(rules, sarifRule{id, sarifText{text}, map[string]any{"section": requirement.Section, "level": requirement.Level}})
	}
	return rules
}

// ruleOf is the requirement of a finding, or what stands for one where a spec broke by itself.
func ruleOf(cause Cause) string {
	if cause.Requirement == "" {
		return string(cause.Outcome)
	}
	return cause.Requirement
}

func sarifInvocationOf(r *Report) sarifInvocation {
	invocation := sarifInvocation{
		ExecutionSuccessful: r.Verdict == Conformant || r.Verdict == NotConformant,
		ExitCode:            r.ExitCode, StartTimeUTC: r.StartedAt.UTC().Format("2006-01-02T15:04:05.000Z"),
	}
	if !invocation.ExecutionSuccessful {
		for _, text := range append([]string{r.Verdict.Meaning()}, r.Reasons...) {
			invocation.Notifications = append(invocation.Notifications, sarifNotification{"error", sarifText{text}})
		}
	}
	return invocation
}

func sarifResultOf(cause Cause, r *Report) sarifResult {
	result := sarifResult{
		RuleID: ruleOf(cause), Level: "error", Message: sarifText{oneLineOf(cause)},
		Fingerprints: map[string]string{"cause/v1": cause.ID},
		Properties:   map[string]any{"requirements": cause.Requirements, "specs": cause.Specs, "target": r.Target.URL},
	}
	switch cause.Outcome {
	case Warned:
		result.Level = "warning"
	case Waived:
		result.Suppressions = []sarifSuppression{{"external"}}
	}
	location := sarifLocation{}
	if cause.Place != "" {
		location.Logical = []sarifLogical{{cause.Place}}
	}
	if found := r.Found(cause); len(found) > 0 {
		if file, _, _ := strings.Cut(found[0].Location, ":"); file != "" {
			location.Physical = &sarifPhysical{sarifArtifact{file}}
		}
	}
	result.Locations = []sarifLocation{location}
	return result
}

// oneLineOf says all that matters of a finding in one line.
func oneLineOf(cause Cause) string {
	text := junitMessage(Finding{Message: cause.Message, Path: cause.Path, Want: cause.Want, Got: cause.Got})
	if more := len(cause.Requirements) - 1; more > 0 {
		text += " (breaks " + Plural(more, "more requirement", "more requirements") + ")"
	}
	return text
}
