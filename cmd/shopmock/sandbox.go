package main

// shopmock sandbox, snapshot, reset, export, import: what a running shop knows.

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"time"

	"github.com/spf13/cobra"
	"github.com/tidwall/gjson"
)

// asking is a command that sends a call, whose path and body follow from its arguments, and prints of the answer what show says.
func (f *shopFlags) asking(
	use, short string, args cobra.PositionalArgs, method string, call func([]string) (path string, body any),
	show func(io.Writer, gjson.Result),
) *cobra.Command {
	return &cobra.Command{Use: use, Short: short, Args: args, RunE: func(cmd *cobra.Command, args []string) error {
		path, body := call(args)
		var sent io.Reader
		if body != nil {
			sent = jsonBody(body)
		}
		answer, err := f.call(cmd.Context(), method, path, sent)
		if err == nil && show != nil {
			show(harmless{cmd.OutOrStdout()}, gjson.ParseBytes(answer))
		}
		return err
	}}
}

// path is an address whose last part is an argument.
func path(before, argument, after string) string { return before + url.PathEscape(argument) + after }

func first(args []string) string {
	if len(args) == 0 {
		return ""
	}
	return args[0]
}

func sandboxCommand() *cobra.Command {
	var shop shopFlags
	sandbox := &cobra.Command{Use: "sandbox", Short: "Create, list and delete the sandboxes of a running shop."}
	shop.add(sandbox)
	var origin struct {
		Name     string `json:"name"`
		Seed     string `json:"seed"`
		Clone    string `json:"clone"`
		Snapshot string `json:"snapshot"`
	}
	create := shop.asking("create [NAME]", "Make a shop of its own, and print its address and key.", cobra.MaximumNArgs(1), http.MethodPost,
		func(args []string) (string, any) {
			origin.Name = first(args)
			return "sandboxes", origin
		}, printSandbox)
	create.Flags().StringVar(&origin.Seed, "seed", "", "what it begins with (default: what the server began with)")
	create.Flags().StringVar(&origin.Clone, "clone", "", "sandbox that it begins as; . is the server's own shop")
	create.Flags().StringVar(&origin.Snapshot, "snapshot", "", "snapshot of the server's own shop that it begins with")
	sandbox.AddCommand(create,
		shop.asking("list", "Print the sandboxes with their addresses and keys.", cobra.NoArgs, http.MethodGet,
			func([]string) (string, any) { return "sandboxes", nil },
			func(out io.Writer, list gjson.Result) {
				for _, one := range list.Array() {
					printSandbox(out, one)
				}
			}),
		shop.asking("delete NAME", "End a sandbox.", cobra.ExactArgs(1), http.MethodDelete,
			func(args []string) (string, any) { return path("sandboxes/", args[0], ""), nil }, nil))
	return sandbox
}

func printSandbox(out io.Writer, one gjson.Result) {
	fmt.Fprintf(out, "%s  %s  %s:%s\n", one.Get("name"), one.Get("url"), one.Get("consumer_key"), one.Get("consumer_secret"))
}

func snapshotCommand() *cobra.Command {
	var shop shopFlags
	snapshot := &cobra.Command{Use: "snapshot", Short: "Take, restore, list and delete snapshots of a running shop."}
	shop.add(snapshot)
	show := func(out io.Writer, one gjson.Result) {
		fmt.Fprintf(out, "%s  %s\n", one.Get("name"), one.Get("taken_at").Time().Format(time.RFC3339))
	}
	snapshot.AddCommand(
		shop.asking("take [NAME]", "Keep what the shop knows under a name.", cobra.MaximumNArgs(1), http.MethodPost,
			func(args []string) (string, any) { return "snapshots", map[string]string{"name": first(args)} }, show),
		shop.asking("restore NAME", "Put back what a snapshot holds.", cobra.ExactArgs(1), http.MethodPost,
			func(args []string) (string, any) { return path("snapshots/", args[0], "/restore"), nil }, nil),
		shop.asking("list", "Print the snapshots.", cobra.NoArgs, http.MethodGet,
			func([]string) (string, any) { return "snapshots", nil },
			func(out io.Writer, list gjson.Result) {
				for _, one := range list.Array() {
					show(out, one)
				}
			}),
		shop.asking("delete NAME", "Forget a snapshot.", cobra.ExactArgs(1), http.MethodDelete,
			func(args []string) (string, any) { return path("snapshots/", args[0], ""), nil }, nil))
	return snapshot
}

func resetCommand() *cobra.Command {
	var shop shopFlags
	var seed string
	reset := shop.asking("reset", "Put a running shop back to what it began with, or to a seed.", cobra.NoArgs, http.MethodPost,
		func([]string) (string, any) { return "reset?" + url.Values{"seed": {seed}}.Encode(), nil }, nil)
	shop.add(reset)
	reset.Flags().StringVar(&seed, "seed", "", "seed that it goes back to (default: what it began with)")
	return reset
}

func exportCommand() *cobra.Command {
	var shop shopFlags
	var file string
	export := &cobra.Command{
		Use:   "export",
		Short: "Write all that a running shop knows as one JSON document, which import takes.",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			document, err := shop.call(cmd.Context(), http.MethodGet, "export", nil)
			if err != nil {
				return err
			}
			if file == "" {
				_, err = cmd.OutOrStdout().Write(document)
				return err
			}
			return os.WriteFile(file, document, 0o600) // it holds keys
		},
	}
	shop.add(export)
	export.Flags().StringVarP(&file, "output", "o", "", "file to write (default: standard output)")
	return export
}

func importCommand() *cobra.Command {
	var shop shopFlags
	var copied copyFlags
	load := &cobra.Command{
		Use:   "import FILE | import --from URL --profile FILE [--out FILE]",
		Short: "Put an export into a running shop, or copy a live shop into a seed file.",
		Long: `With a FILE: put what an export holds in the place of all that a running shop knows; - reads standard input.

With --from or --profile: copy a live shop, through its management API, into a file that shopmock serve --seed takes. The shop is only
read. Copied are the catalogue with its reviews, coupons, taxes, shipping zones, settings, customers and orders, under the ids that they
have there. Customers are pseudonyms: the same person is the same one everywhere, and the key that they are made with is thrown away.
Of addresses only country, state and the beginning of the postcode are kept; of orders lines, totals, dates and status; of reviews the
stars. Notes, hidden meta data, files to download, and settings of mails and of payment methods are not copied. A profile is that of
shopcheck: address, keys, names, limits (shopcheck init writes one); a key that may only read is enough.`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			live := copied.from != "" || copied.profile != ""
			switch {
			case live == (len(args) == 1):
				return errors.New("give either a FILE that export has written, or the live shop to copy: --from URL, --profile FILE")
			case live:
				return runCopy(cmd.Context(), cmd.OutOrStdout(), cmd.ErrOrStderr(), copied)
			}
			document, err := readFile(cmd.InOrStdin(), args[0])
			if err != nil {
				return err
			}
			_, err = shop.call(cmd.Context(), http.MethodPost, "import", bytes.NewReader(document))
			return err
		},
	}
	shop.add(load)
	load.Flags().StringVar(&copied.from, "from", "", "address of the live shop's API root (default: that of the profile)")
	load.Flags().StringVar(&copied.profile, "profile", "", "profile of the live shop, with a key that may read it")
	load.Flags().StringVarP(&copied.file, "out", "o", "", "file that the copy is written to (default: standard output)")
	return load
}

func readFile(in io.Reader, name string) ([]byte, error) {
	if name == "-" {
		return io.ReadAll(in)
	}
	document, err := os.ReadFile(name)
	if errors.Is(err, os.ErrNotExist) {
		return nil, fmt.Errorf("there is no file %s: shopmock export -o %[1]s writes one", name)
	}
	return document, err
}
