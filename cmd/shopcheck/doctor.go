package main

// shopcheck doctor: what a run would meet, before it begins.

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"shopcheck/suites"
	"shopcheck/suites/topics"
)

// exitProblem is the exit code of a diagnosis with a problem.
const exitProblem = 1

func doctorCommand(code *int) *cobra.Command {
	var flags profileFlags
	var asJSON bool
	command := &cobra.Command{
		Use:   "doctor",
		Short: "Look what a run would meet: connection, keys, features, what is missing, how long it takes.",
		Long: `Look at a target in less than ten seconds, with requests that change nothing, and say what a run would meet and what to do
about it: name, TLS, dialect, which keys work and may do what the profile says, clocks, pace, features, what the suites need and where it
would come from, what could not run, and how long a run takes. shopcheck run --dry-run does the same for a selection. Whether a key may
write is tried by an update of a product that no shop has, and only where writing is allowed.

Exit codes: 0 nothing in the way (warnings may be), 1 a problem, 2 usage error.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) (err error) {
			*code, err = diagnose(cmd.Context(), flags, suites.Options{}, asJSON, cmd.OutOrStdout())
			return err
		},
	}
	flags.add(command)
	flags.addReadOnly(command)
	command.Flags().BoolVar(&asJSON, "json", false, "write the checks as JSON")
	return command
}

// diagnose shows a diagnosis of a run with the options.
func diagnose(ctx context.Context, flags profileFlags, o suites.Options, asJSON bool, out io.Writer) (code int, err error) {
	shop, err := findSubject(flags)
	if err != nil {
		return exitUsage, err
	}
	defer func() {
		if stopErr := shop.stop(); stopErr != nil && err == nil {
			code, err = exitUsage, stopErr
		}
	}()
	o.Profile, o.Topics, o.Reading, o.Workers = shop.profile, topics.All(), topics.Reading(), shop.sharing(o.Workers)
	found, err := suites.Diagnose(ctx, o)
	if err != nil {
		return exitUsage, err
	}
	if asJSON {
		encoder := json.NewEncoder(out)
		encoder.SetIndent("", "  ")
		err = encoder.Encode(found)
	} else {
		err = writeDiagnosis(out, found)
	}
	if err != nil {
		return exitUsage, err
	}
	if found.Worst() == suites.Problem {
		return exitProblem, nil
	}
	return 0, nil
}

// writeDiagnosis writes a line a check, and below it what to do.
func writeDiagnosis(out io.Writer, d suites.Diagnosis) error {
	var text strings.Builder
	wide := 0
	for _, check := range d.Checks {
		wide = max(wide, len(check.Name))
	}
	fmt.Fprintf(&text, "target: %s\n", d.Target)
	for _, check := range d.Checks {
		line := fmt.Sprintf("%-8s %-*s  %s\n", mark(check.State), wide, check.Name, check.Found)
		text.WriteString(paletteOf(out).paintWord(line, map[string]colour{"ok": green, "WARNING": yellow, "PROBLEM": red}))
		if check.Next != "" {
			fmt.Fprintf(&text, "%-8s %-*s  → %s\n", "", wide, "", check.Next)
		}
	}
	fmt.Fprintln(&text, "\n"+conclusion(d))
	_, err := io.WriteString(out, text.String())
	return err
}

func mark(state suites.Health) string {
	switch state {
	case suites.Well:
		return "ok"
	case suites.Warning:
		return "WARNING"
	case suites.Problem:
		return "PROBLEM"
	}
	return "-"
}

func conclusion(d suites.Diagnosis) string {
	switch d.Worst() {
	case suites.Problem:
		return "A run would fail for this: mend the problems first."
	case suites.Warning:
		return "A run can begin; the warnings say what it would leave out."
	}
	return "A run can begin."
}
