// Command shopcheck checks a shop against the contract of the Management API and the Store API.
package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/signal"
	"runtime/debug"
	"syscall"

	"github.com/spf13/cobra"

	"shopcheck/reports"
)

// exitUsage is the exit code of a wrong command line and of faults of the harness.
const exitUsage = 2

// gcPercent makes the collector run seldom: a run lives for seconds and keeps little, and is a fifth faster for it.
const gcPercent = 400

// memoryLimit is from where on the collector runs often again, in bytes: a target that sends much must not cost as much.
const memoryLimit = 768 << 20

func main() {
	debug.SetGCPercent(gcPercent)
	debug.SetMemoryLimit(memoryLimit)
	if len(os.Args) > 1 && os.Args[1] == workName {
		signal.Ignore(os.Interrupt, syscall.SIGPIPE) // of the terminal: the parent gets it too, and says when to stop; or it is gone
		os.Exit(execute(context.Background(), os.Args[1:], os.Stdout, os.Stderr))
	}
	ctx, interruption := interruptible(os.Stderr)
	os.Exit(execute(ctx, os.Args[1:], watchedOutput{os.Stdout, interruption.cancel}, os.Stderr))
}

// execute runs one command line and returns the process exit code.
func execute(ctx context.Context, args []string, out, errors io.Writer) int {
	code := 0
	root := &cobra.Command{
		Use:           "shopcheck",
		Short:         "Check a shop against the storefront API contract.",
		SilenceUsage:  true,
		SilenceErrors: true,
	}
	root.AddCommand(runCommand(&code), listCommand(), explainCommand(), selftestCommand(&code), cleanupCommand(&code),
		compareCommand(&code), mergeCommand(&code), matrixCommand(), initCommand(), workCommand())
	root.SetArgs(args)
	root.SetOut(out)
	root.SetErr(errors)
	if err := root.ExecuteContext(ctx); err != nil {
		fmt.Fprintln(errors, "shopcheck:", reports.Sanitize(err.Error()))
		return max(code, exitUsage)
	}
	return code
}
