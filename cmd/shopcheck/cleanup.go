package main

// shopcheck cleanup: remove what a run left that was killed before it could clean up after itself.

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"shopcheck/reports"
	"shopcheck/suites"
)

// exitLeft is the exit code of a clean-up that could not delete everything.
const exitLeft = 1

// cleaning is a clean-up as a command line asks for it.
type cleaning struct {
	profileFlags
	run      string
	dry, yes bool
	ask      func(question string) string // nil: there is nobody to ask
	out      io.Writer
}

func cleanupCommand(code *int) *cobra.Command {
	var c cleaning
	cleanup := &cobra.Command{
		Use:   "cleanup",
		Short: "List what killed runs left at a target, then delete it, and nothing else.",
		Long: `Look through the target's products, terms, orders, customers, coupons and webhooks for records that carry the mark of a run
(shopcheck-1a2b3c4d-5, buyer-1a2b3c4d-5@example.test, …), list them by run, and delete them: on a terminal when you agree, else with
--yes. Runs that may be in progress are left in peace: those whose newest record was changed within the last quarter of an hour, and
those of whose records none has a date. --run names one by the first six characters of its marks, and deletes what it made even so.

Exit codes: 0 nothing is left of runs that have ended, or nobody wanted it deleted, 1 something could not be deleted, 2 usage or
harness error.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) (err error) {
			c.out = cmd.OutOrStdout()
			if isTerminal(cmd.InOrStdin()) {
				c.ask = asking(cmd.InOrStdin(), c.out)
			}
			*code, err = c.cleanUp(cmd.Context())
			return err
		},
	}
	c.add(cleanup)
	f := cleanup.Flags()
	f.StringVar(&c.run, "run", "",
		"only what this run has made: the six characters that its marks begin with, which a run shows when it is ended")
	f.BoolVar(&c.dry, "dry-run", false, "only list")
	f.BoolVar(&c.yes, "yes", false, "delete what is listed without asking")
	return cleanup
}

// errNobodyAgrees is for jobs, which must say that they mean it.
var errNobodyAgrees = errors.New("nothing was deleted: there is no terminal to ask at; --yes deletes what is listed")

func (c *cleaning) cleanUp(ctx context.Context) (int, error) {
	profile, err := readProfile(c.profileFlags)
	if err != nil {
		return exitUsage, err
	}
	if profile.Target == "" {
		return exitUsage, fmt.Errorf("name the target to clean up: --target or target in the profile")
	}
	cleanup := suites.Cleanup{Profile: profile, RunID: c.run}
	agreed := false
	if !c.dry {
		cleanup.Agree = func(found []suites.LeftBehind) bool {
			c.list(found)
			agreed = c.agree(found)
			return agreed
		}
	}
	found, left, err := cleanup.Run(ctx)
	over := recordsOf(found)
	switch {
	case c.dry || over == 0:
		c.list(found)
		fmt.Fprintf(c.out, "%s of runs that have ended\n", reports.Plural(over, "record", "records"))
	case agreed:
		for _, line := range left {
			fmt.Fprintf(c.out, "could not be deleted: %s\n", reports.SanitizeLine(line))
		}
		fmt.Fprintf(c.out, "%s deleted\n", reports.Plural(over-len(left), "record", "records"))
	case c.ask == nil:
		err = errors.Join(err, errNobodyAgrees)
	default:
		fmt.Fprintln(c.out, "nothing was deleted")
	}
	switch {
	case err != nil:
		return exitUsage, err
	case len(left) > 0:
		return exitLeft, nil
	}
	return 0, nil
}

// list shows what there is, by run.
func (c *cleaning) list(found []suites.LeftBehind) {
	for _, run := range found {
		fmt.Fprintf(c.out, "run %s: %s\n", run.RunID, reports.Plural(len(run.Records), "record", "records"))
		if run.InProgress != "" {
			fmt.Fprintf(c.out, "  left in peace: %s; --run %s deletes what it made even so\n", run.InProgress, run.RunID)
			continue
		}
		for _, record := range run.Records {
			fmt.Fprintf(c.out, "  %s  %s\n", record.Path, reports.SanitizeLine(record.Mark))
		}
	}
}

func (c *cleaning) agree(found []suites.LeftBehind) bool {
	if c.yes || c.ask == nil {
		return c.yes
	}
	answer := c.ask(fmt.Sprintf("delete %s? [y/N]", reports.Plural(recordsOf(found), "record", "records")))
	return strings.EqualFold(answer, "y") || strings.EqualFold(answer, "yes")
}

// recordsOf counts the records of runs that have ended.
func recordsOf(found []suites.LeftBehind) (count int) {
	for _, run := range found {
		if run.InProgress == "" {
			count += len(run.Records)
		}
	}
	return count
}
