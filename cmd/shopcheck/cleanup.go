package main

// shopcheck cleanup: remove what a run left that was killed before it could clean up after itself.

import (
	"context"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"shopcheck/reports"
	"shopcheck/suites"
)

// exitLeft is the exit code of a clean-up that could not delete everything.
const exitLeft = 1

func cleanupCommand(code *int) *cobra.Command {
	var flags profileFlags
	var run string
	var dry bool
	cleanup := &cobra.Command{
		Use:   "cleanup",
		Short: "Delete what a killed run left at a target, and nothing else.",
		Long: `Look through the target's products, terms, orders, customers, coupons and webhooks for records that carry the mark of a run
(shopcheck-1a2b3c4d-5, buyer-1a2b3c4d-5@example.test, …) and delete them. Runs that are going on at the same target would lose
theirs too: name one run by the first six characters of its marks then.

Exit codes: 0 nothing is left, 1 something could not be deleted, 2 usage or harness error.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) (err error) {
			*code, err = cleanUp(cmd.Context(), flags, run, dry, cmd.OutOrStdout())
			return err
		},
	}
	flags.add(cleanup)
	cleanup.Flags().StringVar(&run, "run", "",
		"only what this run has made: the six characters that its marks begin with, which a run shows when it is ended")
	cleanup.Flags().BoolVar(&dry, "dry-run", false, "list what would be deleted")
	return cleanup
}

func cleanUp(ctx context.Context, flags profileFlags, run string, dry bool, out io.Writer) (int, error) {
	profile, err := readProfile(flags)
	if err != nil {
		return exitUsage, err
	}
	if profile.Target == "" {
		return exitUsage, fmt.Errorf("name the target to clean up: --target or target in the profile")
	}
	found, left, err := suites.Cleanup{Profile: profile, Nonce: run, DryRun: dry}.Run(ctx)
	for _, record := range found {
		fmt.Fprintf(out, "%s  %s\n", record.Path, reports.SanitizeLine(record.Mark))
	}
	for _, line := range left {
		fmt.Fprintf(out, "could not be deleted: %s\n", reports.SanitizeLine(line))
	}
	if err != nil {
		return exitUsage, err
	}
	word := "deleted"
	if dry {
		word = "would be deleted"
	}
	fmt.Fprintf(out, "%s of runs %s\n", reports.Plural(len(found)-len(left), "record", "records"), word)
	if len(left) > 0 {
		return exitLeft, nil
	}
	return 0, nil
}
