package main

// shopcheck merge: the reports of the shards of a run, as one.

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"shopcheck/reports"
)

type mergeFlags struct {
	out      string
	baseline string
	formats  []string
	quiet    bool
}

func mergeCommand(code *int) *cobra.Command {
	var flags mergeFlags
	merge := &cobra.Command{
		Use:   "merge SHARD...",
		Short: "Join the reports of all shards of a run into one, with the verdict of the whole.",
		Long: `Join the report folders (or report.json with exchanges.json.gz beside it) that the runs with --shard wrote. All must be of
one target, contract, dialect, selection and split. A shard that is not there or cannot be read is a harness error in the report, with its
specs named; shopcheck run --failed runs them.

Exit codes are those of shopcheck run, of the whole.`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) (err error) {
			*code, err = mergeShards(args, flags, cmd.OutOrStdout())
			return err
		},
	}
	f := merge.Flags()
	f.StringVar(&flags.out, "out", "out", "folder for the report")
	f.StringVar(&flags.baseline, "baseline", "", "earlier report.json: only what is new since then fails the run")
	f.StringSliceVar(&flags.formats, "format", nil, "further forms of the report, as for shopcheck run")
	addQuiet(f, &flags.quiet)
	offerFormats(merge, allFormats()...)
	return merge
}

func mergeShards(places []string, flags mergeFlags, out io.Writer) (int, error) {
	baseline, err := readEarlier("--baseline", flags.baseline)
	if err != nil {
		return exitUsage, err
	}
	if err := checkFormats(flags.formats); err != nil {
		return exitUsage, err
	}
	if err := reports.PrepareFolder(flags.out); err != nil {
		return exitUsage, err
	}
	shards, lost := readShards(places)
	if len(shards) == 0 {
		return exitUsage, errors.New(strings.Join(lost, "\n"))
	}
	merged, err := reports.Merge(shards, lost...)
	if err != nil {
		return exitUsage, err
	}
	console := newConsole(out)
	console.folder = flags.out
	console.hush(flags.quiet)
	console.screen.say("%s of %d\n", reports.Plural(len(shards), "shard", "shards"), len(shards[0].Shard.Plan))
	console.End(merged)
	return publish(merged, new(reports.Archive), baseline, flags.out, flags.formats, console, out)
}

// readShards reads what can be read, and says why of the others.
func readShards(places []string) (shards []*reports.Report, lost []string) {
	for _, place := range places {
		shard, err := readShard(place)
		if err != nil {
			lost = append(lost, "a shard cannot be read: "+err.Error())
			continue
		}
		shards = append(shards, shard)
	}
	return shards, lost
}

// readShard reads a report with all its exchanges.
func readShard(place string) (*reports.Report, error) {
	report, err := readReport(place)
	if err != nil || report.ExchangesFile == "" {
		return report, err
	}
	folder := place
	if info, err := os.Stat(place); err != nil || !info.IsDir() {
		folder = filepath.Dir(place)
	}
	file, err := os.Open(filepath.Join(folder, reports.ExchangesFile))
	if err != nil {
		return nil, fmt.Errorf("%w; hand over the whole folder of a shard", err)
	}
	defer file.Close()
	if err := reports.Attach(report, file); err != nil {
		return nil, fmt.Errorf("%s: %w", place, err)
	}
	return report, nil
}
