// Command shopcheck checks a shop against the contract of the Management API and the Store API.
package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"

	"github.com/spf13/cobra"

	"shopcheck/reports"
)

// exitUsage is the exit code of a wrong command line and of faults of the harness.
const exitUsage = 2

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	code := execute(ctx, os.Args[1:], os.Stdout, os.Stderr)
	stop()
	os.Exit(code)
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
	root.AddCommand(runCommand(&code), listCommand())
	root.SetArgs(args)
	root.SetOut(out)
	root.SetErr(errors)
	if err := root.ExecuteContext(ctx); err != nil {
		fmt.Fprintln(errors, "shopcheck:", reports.Sanitize(err.Error()))
		return max(code, exitUsage)
	}
	return code
}
