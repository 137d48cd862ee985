package main

// shopcheck list: what would run, and what the contract requires.

import (
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"shopcheck/reports"
	"shopcheck/suites"
	"shopcheck/suites/contract"
	"shopcheck/suites/profile"
	"shopcheck/suites/topics"
)

func listCommand() *cobra.Command {
	var requirements, ids, asJSON, readOnly bool
	var chosen selectionFlags
	list := &cobra.Command{
		Use:   "list",
		Short: "List the specs, or with --requirements the requirements and the specs that verify them.",
		Long: `List the specs that a run with the same flags would run, or with --requirements the requirements that they
verify; of all specs, also those that none verifies.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			specs, err := chosen.list(cmd.InOrStdin(), readOnly)
			if err != nil {
				return err
			}
			listed := contract.All().List()
			if readOnly || chosen.narrows() {
				listed = slices.DeleteFunc(listed, func(r contract.Requirement) bool { return !verifiedBy(specs, r.ID) })
			}
			out := cmd.OutOrStdout()
			switch {
			case requirements && asJSON:
				return reports.Encode(out, listed)
			case asJSON:
				return reports.Encode(out, specs)
			case requirements:
				listRequirements(out, listed, specs)
			case ids:
				listIDs(out, specs)
			default:
				listSpecs(out, specs)
			}
			return nil
		},
	}
	f := list.Flags()
	chosen.add(f)
	f.BoolVar(&requirements, "requirements", false, "list requirements")
	f.BoolVar(&readOnly, "read-only", false, "list only specs that write nothing")
	f.BoolVar(&ids, "ids", false, "list only the ids of specs, one a line, as run --spec - reads them")
	f.BoolVar(&asJSON, "json", false, "list as JSON")
	return list
}

// list returns the specs that a run with the flags would run.
func (s *selectionFlags) list(in io.Reader, readOnly bool) ([]suites.Planned, error) {
	earlier, err := readEarlier("--durations", s.durations)
	if err != nil {
		return nil, err
	}
	ids, err := s.ids(in)
	if err != nil {
		return nil, err
	}
	shard, err := s.part(earlier, os.LookupEnv)
	if err != nil {
		return nil, err
	}
	return suites.Select(suites.Options{Profile: profile.Profile{ReadOnly: readOnly}, Topics: topics.All(), Reading: topics.Reading(),
		Label: s.label, Focus: s.focus, Specs: ids, Shard: shard})
}

func listIDs(out io.Writer, specs []suites.Planned) {
	for _, spec := range specs {
		fmt.Fprintln(out, spec.ID)
	}
}

func listSpecs(out io.Writer, specs []suites.Planned) {
	for _, spec := range specs {
		fmt.Fprintf(out, "%s\n", paletteOf(out).paint(bold, spec.ID))
		fmt.Fprintf(out, "    %s\n", shortList(spec.Requirements))
	}
	fmt.Fprintf(out, "%d specs\n", len(specs))
}

const listedIDs = 6

// shortList names the first ids of many.
func shortList(ids []string) string {
	if len(ids) <= listedIDs {
		return strings.Join(ids, " ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(ids[:listedIDs], " "), len(ids)-listedIDs)
}

func verifiedBy(specs []suites.Planned, id string) bool {
	return slices.ContainsFunc(specs, func(spec suites.Planned) bool { return slices.Contains(spec.Requirements, id) })
}

func listRequirements(out io.Writer, listed []contract.Requirement, specs []suites.Planned) {
	verifiers := map[string][]string{}
	for _, spec := range specs {
		for _, id := range spec.Requirements {
			verifiers[id] = append(verifiers[id], spec.ID)
		}
	}
	section, open := "", 0
	for _, r := range listed {
		if r.Section != section {
			section = r.Section
			fmt.Fprintf(out, "\n%s\n", paletteOf(out).paint(bold, section))
		}
		fmt.Fprintf(out, "  %-8s %s%s\n           %s\n", r.Level, r.ID, featureWords(r.Feature), r.Statement)
		switch {
		case r.Untestable != "":
			fmt.Fprintf(out, "           not testable: %s\n", r.Untestable)
		case len(verifiers[r.ID]) == 0:
			open++
			fmt.Fprintf(out, "           no spec\n")
		default:
			fmt.Fprintf(out, "           by %s\n", shortList(slices.Compact(verifiers[r.ID])))
		}
	}
	fmt.Fprintf(out, "\n%d requirements, %d without a spec\n", len(listed), open)
}

func featureWords(feature string) string {
	if feature == "" {
		return ""
	}
	return "  [" + feature + "]"
}
