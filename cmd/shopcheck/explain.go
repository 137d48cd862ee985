package main

// shopcheck explain: all that is known of one requirement, or of those that a spec verifies.

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"shopcheck/reports"
	"shopcheck/suites"
	"shopcheck/suites/contract"
	"shopcheck/suites/defects"
	"shopcheck/suites/suggest"
	"shopcheck/suites/topics"
)

func explainCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "explain ID",
		Short: "Explain a requirement (what it says, which specs verify it, which defects prove that they do) or a spec.",
		Args:  cobra.ExactArgs(1),

		ValidArgsFunction: completeRequirement,
		RunE: func(cmd *cobra.Command, args []string) error {
			specs, err := suites.List(topics.All())
			if err != nil {
				return err
			}
			current := suites.CurrentIDs(args[0])
			if requirement, known := contract.All().Get(current[0]); known {
				explain(cmd.OutOrStdout(), requirement, specs)
				return nil
			}
			ids := contract.All().IDs()
			for _, spec := range specs {
				if slices.Contains(current, spec.ID) {
					explainSpec(cmd.OutOrStdout(), spec)
					return nil
				}
				ids = append(ids, spec.ID)
			}
			return fmt.Errorf("no requirement or spec is called %q; the nearest are\n  %s", args[0],
				strings.Join(suggest.Nearest(args[0], ids), "\n  "))
		},
	}
}

func explain(out io.Writer, r contract.Requirement, specs []suites.Planned) {
	fmt.Fprintf(out, "%s\n\n", paletteOf(out).paint(bold, r.ID))
	fmt.Fprintf(out, "  required   %s\n", r.Statement)
	fmt.Fprintf(out, "  section    %s\n", r.Section)
	fmt.Fprintf(out, "  level      %s: %s\n", r.Level, levelMeans(r.Level))
	fmt.Fprintf(out, "  feature    %s\n", cmp.Or(r.Feature, "none: it applies to every target"))
	if r.Untestable != "" {
		fmt.Fprintf(out, "\nNo spec verifies it: %s\n", r.Untestable)
		return
	}
	explainSpecs(out, r, specs)
	explainDefects(out, r)
}

func explainSpec(out io.Writer, spec suites.Planned) {
	fmt.Fprintf(out, "%s\n\n", paletteOf(out).paint(bold, spec.ID))
	fmt.Fprintf(out, "  spec       %s\n", strings.Join(spec.Texts, " › "))
	fmt.Fprintf(out, "  topic      %s\n", spec.Topic)
	fmt.Fprintf(out, "  features   %s\n", cmp.Or(strings.Join(spec.Features, ", "), "none: it runs against every target"))
	fmt.Fprintf(out, "\nVerifies\n")
	for _, id := range spec.Requirements {
		r, _ := contract.All().Get(id)
		fmt.Fprintf(out, "  %-8s %s\n           %s\n", r.Level, id, r.Statement)
	}
	fmt.Fprintf(out, "  Run it alone: shopcheck run --spec '%s'\n", spec.ID)
}

func explainSpecs(out io.Writer, r contract.Requirement, specs []suites.Planned) {
	fmt.Fprintf(out, "\nVerified by\n")
	if contract.IsField(r.ID) {
		fmt.Fprintf(out, "  every answer of a run that holds such a record\n")
	}
	for _, spec := range specs {
		if slices.Contains(spec.Requirements, r.ID) {
			fmt.Fprintf(out, "  %s\n", spec.ID)
		}
	}
	fmt.Fprintf(out, "  Run them alone: shopcheck run --label 'req:%s'\n", r.ID)
}

func explainDefects(out io.Writer, r contract.Requirement) {
	fmt.Fprintf(out, "\nProved by\n")
	proofs := 0
	for _, d := range defects.All(mockProfile("").Credentials) {
		if slices.Contains(d.Breaks, r.ID) {
			fmt.Fprintf(out, "  %s\n      %s\n", d.ID, d.What)
			proofs++
		}
	}
	if proofs == 0 {
		fmt.Fprintf(out, "  no defect: a statement of level %s breaks nothing\n", r.Level)
		return
	}
	fmt.Fprintf(out, "  See it proved: shopcheck selftest --only '%s'\n", r.ID)
}

func levelMeans(level reports.Level) string {
	switch level {
	case reports.Must:
		return "a deviation is a failure"
	case reports.Should:
		return "a deviation is a warning, with --strict a failure"
	default:
		return "never a failure; what the target does is recorded"
	}
}
