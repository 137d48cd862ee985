package main

// shopcheck run --procs: the processes that share the specs of a run are this program again.

import (
	"fmt"
	"os"
	"os/exec"

	"github.com/spf13/cobra"

	"shopcheck/suites"
	"shopcheck/suites/topics"
)

// workName is the command of a worker. Nobody else needs to know it.
const workName = "work"

// mostProcs bounds a slip of the finger.
const mostProcs = 64

// workersOf returns how a run is split among processes, nil for one process.
func workersOf(procs int) (*suites.Workers, error) {
	if procs < 1 || procs > mostProcs {
		return nil, fmt.Errorf("--procs %d: take 1 to %d", procs, mostProcs)
	}
	if procs == 1 {
		return nil, nil
	}
	program, err := os.Executable()
	if err != nil {
		return nil, fmt.Errorf("--procs: this program does not find itself: %w", err)
	}
	return &suites.Workers{Count: procs, Command: func() *exec.Cmd { return exec.Command(program, workName) }}, nil
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
