package main

// shopcheck compare: what changed between two reports.

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"shopcheck/reports"
	"shopcheck/reports/validation"
	"shopcheck/suites/suggest"
)

func compareCommand(code *int) *cobra.Command {
	var format, output string
	compare := &cobra.Command{
		Use:   "compare OLD NEW",
		Short: "Compare two reports: what is new, what is fixed, what is still broken.",
		Long: `Compare two report.json, or the folders that hold them: of two releases of one shop, or of two shops.

Exit codes: 0 nothing new, 1 a failure is new or a requirement is no longer tested, 2 the two cannot be compared (another revision of
the contract, selection, dialect or strictness, or a run without a verdict). A new warning is shown and leaves 0.`,
		Args: cobra.ExactArgs(2),
		RunE: func(cmd *cobra.Command, args []string) (err error) {
			*code, err = compareReports(args[0], args[1], format, output, cmd.OutOrStdout())
			return err
		},
	}
	compare.Flags().StringVar(&format, "format", "text", strings.Join(comparisonFormats(), ", "))
	compare.Flags().StringVarP(&output, "output", "o", "", "file to write to instead of the terminal")
	offerFormats(compare, comparisonFormats()...)
	return compare
}

func comparisonFormats() []string { return []string{"text", "markdown", "json", "html"} }

// notOneOf refuses a word that is none of those that a flag takes.
func notOneOf(flag, word string, known []string) error {
	last := len(known) - 1
	return fmt.Errorf("%s %s: take %s or %s%s", flag, word, strings.Join(known[:last], ", "), known[last], suggest.Likely(word, known))
}

func compareReports(before, after, format, output string, out io.Writer) (code int, err error) {
	old, err := readReport(before)
	if err != nil {
		return exitUsage, err
	}
	now, err := readReport(after)
	if err != nil {
		return exitUsage, err
	}
	comparison := reports.Compare(old, now)
	write := map[string]func(io.Writer) error{"text": comparison.WriteText, "markdown": comparison.WriteMarkdown,
		"json": comparison.WriteJSON, "html": comparison.WriteHTML}[format]
	if write == nil {
		return exitUsage, notOneOf("--format", format, comparisonFormats())
	}
	if output != "" {
		file, err := os.Create(output)
		if err != nil {
			return exitUsage, err
		}
		defer func() { err = errors.Join(err, file.Close()) }()
		out = file
	}
	var text strings.Builder
	if err := write(&text); err != nil {
		return exitUsage, err
	}
	shown := text.String()
	if format == "text" {
		shown = paletteOf(out).paintChanges(shown)
	}
	_, err = io.WriteString(out, shown)
	return comparison.ExitCode(), err
}

// readReport reads a report document, or the one in a report folder.
func readReport(place string) (*reports.Report, error) {
	if info, err := os.Stat(place); err == nil && info.IsDir() {
		place = filepath.Join(place, "report.json")
	}
	file, err := os.Open(place)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	report, err := reports.Read(file, validation.Misfits)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", place, err)
	}
	return report, nil
}
