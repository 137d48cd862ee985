package main

// shopcheck run --procs: the processes that share the specs of a run are this program again.

import (
	"fmt"
	"os"
	"os/exec"
	"strconv"

	"github.com/spf13/cobra"

	"shopcheck/suites"
	"shopcheck/suites/topics"
)

// workName is the command of a worker. Nobody else needs to know it.
const workName = "work"

// mostProcs bounds a slip of the finger.
const mostProcs = 64

// autoProcs takes as many processes as the latency of the target is worth.
const autoProcs = "auto"

// workersOf returns how a run is split among processes, nil for one process.
func workersOf(procs string) (*suites.Workers, error) {
	count, err := strconv.Atoi(procs)
	switch {
	case procs == autoProcs:
		count = 0
	case err != nil || count < 1 || count > mostProcs:
		return nil, fmt.Errorf("--procs %s: take 1 to %d, or %s", procs, mostProcs, autoProcs)
	case count == 1:
		return nil, nil
	}
	program, err := os.Executable()
	if err != nil {
		return nil, fmt.Errorf("--procs: this program does not find itself: %w", err)
	}
	return &suites.Workers{Count: count, Command: func() *exec.Cmd { return exec.Command(program, workName) }}, nil
}

func workCommand() *cobra.Command {
	return &cobra.Command{
		Use:    workName,
		Short:  "Run the specs that a run with --procs gives out, on standard input and output.",
		Hidden: true,
		Args:   cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return suites.Work(cmd.Context(), os.Stdin, cmd.OutOrStdout(), topics.All())
		},
	}
}
