// Command shopcheck checks a shop against the contract of the Management API and the Store API.
package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"syscall"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"shopcheck/cmd/manual"
	"shopcheck/reports"
	"shopcheck/suites/contract"
	"shopcheck/suites/suggest"
)

// exitUsage is the exit code of a wrong command line and of faults of the harness.
const exitUsage = 2

func main() {
	if len(os.Args) > 1 && os.Args[1] == workName {
		collectAsUsual()                             // there may be many beside it
		signal.Ignore(os.Interrupt, syscall.SIGPIPE) // of the terminal: the parent gets it too, and says when to stop; or it is gone
		os.Exit(execute(context.Background(), os.Args[1:], os.Stdout, os.Stderr))
	}
	collectRarely(roomForARun)
	ctx, interruption := interruptible(os.Stderr)
	os.Exit(execute(ctx, os.Args[1:], watchedOutput{os.Stdout, interruption.cancel}, os.Stderr))
}

// execute runs one command line and returns the process exit code.
func execute(ctx context.Context, args []string, out, errors io.Writer) int {
	code := 0
	root := &cobra.Command{
		Use:           "shopcheck",
		Short:         "Check a shop against the storefront API contract.",
		Version:       manual.Version(),
		SilenceUsage:  true,
		SilenceErrors: true,
	}
	root.AddCommand(runCommand(&code), listCommand(), explainCommand(), selftestCommand(&code), cleanupCommand(&code),
		compareCommand(&code), mergeCommand(&code), matrixCommand(), doctorCommand(&code), initCommand(&code), versionCommand(),
		manual.Command(), workCommand())
	root.SetVersionTemplate("{{.Name}} {{.Version}}\n")
	completed(root)
	manual.TellUsage(root)
	root.SetFlagErrorFunc(explainFlag)
	root.SetArgs(args)
	root.SetOut(out)
	root.SetErr(errors)
	if err := root.ExecuteContext(ctx); err != nil {
		fmt.Fprintln(errors, paletteOf(errors).paint(red, "shopcheck:"), reports.Sanitize(err.Error()))
		return max(code, exitUsage)
	}
	return code
}

// explainFlag adds what a mistyped flag may have meant.
func explainFlag(cmd *cobra.Command, err error) error {
	_, name, found := strings.Cut(err.Error(), "unknown flag: ")
	if !found {
		return err
	}
	var known []string
	cmd.Flags().VisitAll(func(f *pflag.Flag) { known = append(known, "--"+f.Name) })
	return fmt.Errorf("%w%s", err, suggest.DidYouMean(name, known))
}

func versionCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "Print the version of the program, of the contract and of the report document.",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			_, err := fmt.Fprintf(cmd.OutOrStdout(), "shopcheck %s\ncontract  %s %s\nreport    format %d\n", manual.Version(),
				contract.Title, contract.Revision, reports.FormatVersion)
			return err
		},
	}
}
