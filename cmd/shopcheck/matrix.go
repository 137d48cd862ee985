package main

// shopcheck matrix: many reports beside each other.

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"shopcheck/reports"
)

func matrixCommand() *cobra.Command {
	var format, output, by string
	matrix := &cobra.Command{
		Use:   "matrix REPORT...",
		Short: "Show many reports beside each other: sections of the contract as rows, targets as columns.",
		Long: `Show many report.json, or the folders that hold them, as one table: sections of the contract as rows, targets as columns,
in each cell the share of requirements that hold and how it changed. Of several reports of one target the newest is shown, and the one
before makes the trend; with --by run each report is a column. In the page each cell leads to the page of its report, where that is an
index.html beside the report.json.`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return showMatrix(args, by, format, output, cmd.OutOrStdout())
		},
	}
	f := matrix.Flags()
	f.StringVar(&format, "format", "markdown", strings.Join(matrixFormats(), ", "))
	f.StringVarP(&output, "output", "o", "", "file to write to instead of the terminal")
	f.StringVar(&by, "by", "target", "what a column is: a target or a run")
	offerFormats(matrix, matrixFormats()...)
	return matrix
}

func matrixFormats() []string { return []string{"markdown", "html", "json"} }

func matrixColumns() []string { return []string{"target", "run"} }

func showMatrix(places []string, by, format, output string, out io.Writer) (err error) {
	if !slices.Contains(matrixColumns(), by) {
		return notOneOf("--by", by, matrixColumns())
	}
	var runs []reports.MatrixRun
	for _, place := range places {
		report, err := readReport(place)
		if err != nil {
			return err
		}
		report.Specs, report.Causes = nil, reports.Causes(report) // a hundred reports are held at once
		runs = append(runs, reports.MatrixRun{Report: report, Page: pageBeside(place, output)})
	}
	matrix := reports.NewMatrix(runs, by == "run")
	write := map[string]func(io.Writer) error{"markdown": matrix.WriteMarkdown, "html": matrix.WriteHTML, "json": matrix.WriteJSON}[format]
	if write == nil {
		return notOneOf("--format", format, matrixFormats())
	}
	if output != "" {
		file, err := os.Create(output)
		if err != nil {
			return err
		}
		defer func() { err = errors.Join(err, file.Close()) }()
		out = file
	}
	return write(out)
}

// pageBeside is the address of a report's page, seen from the file that the matrix goes to; empty where there is none.
func pageBeside(place, output string) string {
	folder := place
	if info, err := os.Stat(place); err == nil && !info.IsDir() {
		folder = filepath.Dir(place)
	}
	page := filepath.Join(folder, "index.html")
	if _, err := os.Stat(page); err != nil {
		return ""
	}
	from, err := filepath.Abs(filepath.Dir(output))
	if err != nil {
		return ""
	}
	to, err := filepath.Abs(page)
	if err != nil {
		return ""
	}
	relative, err := filepath.Rel(from, to)
	if err != nil {
		return ""
	}
	return filepath.ToSlash(relative)
}
