package main

// shopcheck init ci: pipelines to begin with.

import (
	"fmt"

	"github.com/spf13/cobra"

	"shopcheck/fixtures"
	"shopcheck/suites/suggest"
)

func pipelineCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "ci github|gitlab|kubernetes",
		Short: "Print a pipeline that runs the suites in shards and ends in one verdict.",
		Long: `Print a pipeline for a CI system: jobs that each run a shard, and one that merges their reports and has the verdict as its
exit code.
Its head says what it expects.

  shopcheck init ci github > .github/workflows/conformance.yml
  shopcheck init ci gitlab > .gitlab-ci.yml
  shopcheck init ci kubernetes | kubectl apply -f -`,
		Args:      cobra.ExactArgs(1),
		ValidArgs: fixtures.Pipelines(),
		RunE: func(cmd *cobra.Command, args []string) error {
			pipeline, err := fixtures.Pipeline(args[0])
			if err != nil {
				return fmt.Errorf("%w%s", err, suggest.Likely(args[0], fixtures.Pipelines()))
			}
			_, err = fmt.Fprint(cmd.OutOrStdout(), pipeline)
			return err
		},
	}
}
