package main

// shopmock verdict: how the clients of a running shop fare, as a report that CI gates on.

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"shopcheck/reports"
)

// errAdvice says that clients earned advice that fails: exit code 1. Everything else that goes wrong with a verdict is 2.
var errAdvice = errors.New("the client is not sound")

// textFormat is the form that people read.
const textFormat = "text"

type verdictFlags struct {
	shop    shopFlags
	formats []string
	out     string
	strict  bool
}

func verdictCommand() *cobra.Command {
	var flags verdictFlags
	names := []string{textFormat}
	for _, format := range reports.Formats() {
		names = append(names, format.Name)
	}
	verdict := &cobra.Command{
		Use:   "verdict",
		Short: "Tell what the clients of a running shop do wrong without failing.",
		Long: "Tell what the clients of a running shop do wrong without failing: a conformance report of an app, once its " +
			"tests have ended.\n\n" +
			"Exit codes: 0 nothing that fails was seen; 1 advice of the level must was earned (with --strict: should, too);\n" +
			"2 no client came by, no shop answers, or the command line is wrong.",
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return flags.run(cmd.Context(), cmd.OutOrStdout()) },
	}
	flags.shop.add(verdict)
	verdict.Flags().StringSliceVar(&flags.formats, "format", []string{textFormat},
		"forms of the report: "+strings.Join(names, ", ")+"; a single one is printed, several need --out")
	verdict.Flags().StringVar(&flags.out, "out", "", "folder for the report, as shopcheck run writes it")
	verdict.Flags().BoolVar(&flags.strict, "strict", false, "advice of the level should fails, too")
	return verdict
}

// exitCode is what a command that ended so says to whoever called it.
func exitCode(done *cobra.Command, err error) int {
	switch {
	case err == nil:
		return 0
	case done.Name() == verdictCommand().Name() && !errors.Is(err, errAdvice):
		return 2
	}
	return 1
}

func (f *verdictFlags) run(ctx context.Context, out io.Writer) error {
	files := slices.DeleteFunc(slices.Clone(f.formats), func(name string) bool { return name == textFormat })
	if _, err := reports.FormatsNamed(files); err != nil {
		return fmt.Errorf("--format: %w, %s", err, textFormat)
	}
	if f.out == "" && len(f.formats) != 1 {
		return errors.New("--format: several forms need a folder: name it with --out")
	}
	if f.out != "" {
		if err := reports.PrepareFolder(f.out); err != nil {
			return err
		}
	}
	seen, err := f.ask(ctx)
	if err != nil {
		return err
	}
	report := f.report(ctx, seen)
	if err := f.write(out, seen, report, files); err != nil {
		return err
	}
	switch report.Verdict {
	case reports.Conformant:
		return nil
	case reports.NotConformant:
		return fmt.Errorf("%w: %s", errAdvice, report.Reasons[0])
	}
	return errors.New(report.Reasons[0])
}

// write prints the one form that was asked for, or writes the folder and prints the text.
func (f *verdictFlags) write(out io.Writer, seen *adviceSeen, report *reports.Report, files []string) error {
	if f.out == "" && len(files) == 1 {
		format := slices.IndexFunc(reports.Formats(), func(format reports.Format) bool { return format.Name == files[0] })
		return reports.Formats()[format].Write(out, report)
	}
	if f.out != "" {
		if err := reports.WriteFolder(f.out, report, files...); err != nil {
			return err
		}
	}
	if err := writeAdvice(out, seen, report); err != nil || f.out == "" {
		return err
	}
	_, err := fmt.Fprintf(out, "report: %s/index.html\n", strings.TrimSuffix(f.out, "/"))
	return err
}

// adviceSeen is what /_mock/advice answers.
type adviceSeen struct {
	Mode   string `json:"mode"`
	Advice []struct {
		ID, Level, Section, Text, State, Chance, Try string
		Chances, Count                               int
		Seen                                         []struct {
			Client int
			Note   string
			Calls  []adviceCall
		}
	}
	Clients []struct {
		ID        int
		Address   string
		UserAgent string `json:"user_agent"`
		Requests  int
		First     time.Time `json:"first_at"`
		Last      time.Time `json:"last_at"`
	}
}

type adviceCall struct {
	Request  int64 `json:"request_id"`
	Delivery int64 `json:"delivery_id"`
	Time     time.Time
	Method   string
	Path     string
	Status   int
}

// The states of an advice.
const (
	earned    = "earned"
	notJudged = "not_judged"
)

// ask asks the shop. What its clients have left open they will not do any more.
func (f *verdictFlags) ask(ctx context.Context) (*adviceSeen, error) {
	text, err := f.shop.call(ctx, http.MethodGet, "advice?done=true", nil)
	if err != nil {
		return nil, err
	}
	seen := new(adviceSeen)
	if err := json.Unmarshal(text, seen); err != nil || len(seen.Advice) == 0 {
		return nil, fmt.Errorf("%s gives no advice: is it a shopmock of this version?", f.shop.url)
	}
	return seen, nil
}

// home is where the shop is reached.
func (f *verdictFlags) home() string {
	home := strings.TrimSuffix(f.shop.url, "/")
	if f.shop.sandbox != "" {
		home += "/s/" + url.PathEscape(f.shop.sandbox)
	}
	return home
}

// report makes the document that all forms are made of: a requirement and a spec for each advice.
func (f *verdictFlags) report(ctx context.Context, seen *adviceSeen) *reports.Report {
	report := &reports.Report{
		FormatVersion: reports.FormatVersion, Tool: reports.Tool{Name: reports.ClientTool}, Strict: f.strict,
		Contract: reports.Contract{Title: "Storefront Commerce Service: Management API and Store API"},
		Target:   reports.Target{URL: f.home(), Dialect: "neutral", Profile: map[string]string{}},
	}
	for i, client := range seen.Clients {
		report.Target.Profile[fmt.Sprintf("client.%d", client.ID)] = client.UserAgent + " from " + client.Address
		if i == 0 || client.First.Before(report.StartedAt) {
			report.StartedAt = client.First
		}
	}
	for _, client := range seen.Clients {
		report.DurationMS = max(report.DurationMS, float64(client.Last.Sub(report.StartedAt).Milliseconds()))
	}
	for i := range seen.Advice {
		f.add(ctx, report, seen, i)
	}
	f.judge(report, seen)
	return report
}

// add adds an advice to a report.
func (f *verdictFlags) add(ctx context.Context, report *reports.Report, seen *adviceSeen, i int) {
	advice := &seen.Advice[i]
	topic, _, _ := strings.Cut(advice.ID, ".")
	wrong, _, _ := strings.Cut(advice.Text, ". ")
	spec := reports.Spec{ID: advice.ID, Topic: topic, Texts: []string{strings.TrimSuffix(wrong, ".")}, Requirements: []string{advice.ID},
		Attempts: 1, Outcome: reports.Passed, Findings: []reports.Finding{}, Exchanges: []reports.Exchange{},
		Observations: []reports.Observation{}}
	requirement := reports.Requirement{ID: advice.ID, Level: reports.Level(advice.Level), Section: advice.Section, Statement: advice.Text,
		Specs: []string{advice.ID}}
	switch {
	case advice.State == notJudged:
		spec.Outcome = reports.NotApplicable
		spec.Reason = fmt.Sprintf("not judged: no client came by %s; try: %s", advice.Chance, advice.Try)
	case advice.State == earned:
		spec.Outcome = f.outcome(requirement.Level)
		for _, sighting := range advice.Seen {
			for _, call := range sighting.Calls {
				spec.Exchanges = append(spec.Exchanges, f.exchange(ctx, call))
			}
			got := fmt.Sprintf("client %d did so", sighting.Client)
			if sighting.Note != "" {
				got += ": " + sighting.Note
			}
			spec.Findings = append(spec.Findings, reports.Finding{Requirement: advice.ID, Level: requirement.Level, Message: advice.Text,
				Got: got, Exchange: len(spec.Exchanges) - 1})
		}
	}
	requirement.Outcome, requirement.Reason = spec.Outcome, spec.Reason
	report.Requirements = append(report.Requirements, requirement)
	report.Specs = append(report.Specs, spec)
}

func (f *verdictFlags) outcome(level reports.Level) reports.Outcome {
	switch {
	case level == reports.Must || level == reports.Should && f.strict:
		return reports.Failed
	case level == reports.Should:
		return reports.Warned
	}
	return reports.Passed
}

// judge sets verdict, exit code and reasons.
func (f *verdictFlags) judge(report *reports.Report, seen *adviceSeen) {
	count, failed := reports.Tally{}, []string{}
	for _, spec := range report.Specs {
		if count[spec.Outcome]++; spec.Outcome == reports.Failed {
			failed = append(failed, spec.ID)
		}
	}
	report.Verdict, report.Reasons = reports.Conformant, []string{}
	switch {
	case len(failed) > 0:
		report.Verdict, report.Reasons = reports.NotConformant, []string{"it earned " + strings.Join(failed, ", ")}
	case seen.Mode == "off" && count.Tested() == 0:
		report.Verdict, report.Reasons = reports.Errored, []string{"the shop watches no clients: start it without --advice off"}
	case count.Tested() == 0:
		report.Verdict, report.Reasons = reports.Errored, []string{"no client came by: nothing could be judged; run the app's tests first"}
	}
	report.ExitCode = report.Verdict.ExitCode()
	if report.Verdict == reports.Errored {
		report.Errors = report.Reasons
	}
}

// exchange is a call as proof, with all that the journal keeps of it.
func (f *verdictFlags) exchange(ctx context.Context, call adviceCall) reports.Exchange {
	address := f.home() + call.Path
	made := reports.Exchange{Method: call.Method, URL: address, Endpoint: call.Method + " " + call.Path, Status: call.Status,
		Request: reports.Message{Header: []reports.Header{}}, Response: reports.Message{Header: []reports.Header{}}}
	if call.Request == 0 {
		return made
	}
	text, err := f.shop.call(ctx, http.MethodGet, fmt.Sprintf("requests/%d", call.Request), nil)
	var kept struct {
		Target            string
		Duration          float64 `json:"duration_ms"`
		Request, Response struct {
			Headers map[string][]string
			Body    string
		}
	}
	if err != nil || json.Unmarshal(text, &kept) != nil { // the journal has made room for others
		return made
	}
	made.URL, made.DurationMS = strings.TrimSuffix(f.shop.url, "/")+kept.Target, kept.Duration
	made.Request = messageOf(kept.Request.Headers, kept.Request.Body)
	made.Response = messageOf(kept.Response.Headers, kept.Response.Body)
	return made
}

func messageOf(headers map[string][]string, body string) reports.Message {
	message := reports.Message{Header: []reports.Header{}, Body: body}
	for name, values := range headers {
		for _, value := range values {
			message.Header = append(message.Header, reports.Header{Name: name, Value: value})
		}
	}
	slices.SortFunc(message.Header, func(a, b reports.Header) int { return strings.Compare(a.Name, b.Name) })
	return message
}

// writeAdvice writes the report for people.
func writeAdvice(out io.Writer, seen *adviceSeen, report *reports.Report) error {
	var text strings.Builder
	line := func(format string, args ...any) {
		text.WriteString(reports.SanitizeLine(fmt.Sprintf(format, args...)) + "\n")
	}
	line("shop: %s", report.Target.URL)
	for _, client := range seen.Clients {
		line("client %d: %s from %s, %s", client.ID, client.UserAgent, client.Address,
			reports.Plural(client.Requests, "request", "requests"))
	}
	var sound, open []string
	for _, advice := range seen.Advice {
		switch advice.State {
		case notJudged:
			open = append(open, fmt.Sprintf("  %-30s %s; try: %s", advice.ID, advice.Chance, advice.Try))
			continue
		case earned:
		default:
			sound = append(sound, advice.ID)
			continue
		}
		text.WriteString("\n")
		line("%s  %s  %s (contract, section “%s”)", advice.Level, advice.ID, reports.Plural(advice.Count, "time", "times"), advice.Section)
		line("  %s", advice.Text)
		for _, sighting := range advice.Seen {
			line("  client %d: %s%s", sighting.Client, callsInWords(sighting.Calls), prefixed(", ", sighting.Note))
		}
	}
	text.WriteString("\n")
	if len(sound) > 0 {
		line("sound: %s", strings.Join(sound, ", "))
	}
	if len(open) > 0 {
		line("not judged, for no client came by:")
		for _, each := range open {
			line("%s", each)
		}
	}
	word := map[reports.Verdict]string{reports.Conformant: "SOUND", reports.NotConformant: "NOT SOUND",
		reports.Errored: "NO VERDICT"}[report.Verdict]
	text.WriteString("\n")
	line("%s%s", word, prefixed(": ", strings.Join(report.Reasons, "; ")))
	_, err := io.WriteString(out, text.String())
	return err
}

func prefixed(prefix, text string) string {
	if text == "" {
		return ""
	}
	return prefix + text
}

func callsInWords(calls []adviceCall) string {
	words := make([]string, len(calls))
	for i, call := range calls {
		words[i] = fmt.Sprintf("%s %s → %d", call.Method, call.Path, call.Status)
		switch {
		case call.Request != 0:
			words[i] = fmt.Sprintf("request %d ", call.Request) + words[i]
		case call.Delivery != 0:
			words[i] = fmt.Sprintf("delivery %d ", call.Delivery) + words[i]
		}
	}
	return strings.Join(words, ", then ")
}
