package manual_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"shopcheck/cmd/manual"
)

func TestPagesOfAllCommands(t *testing.T) {
	t.Parallel()
	root := &cobra.Command{Use: "tool", Short: "A tool."}
	inner := &cobra.Command{
		Use: "make THING", Short: "Make it.", Long: "Make it from\n.files, or\n'quotes', at C:\\dir.", Example: "tool make x-y",
		RunE: func(*cobra.Command, []string) error { return nil },
	}
	inner.Flags().StringP("dry-run", "n", "no", "say what would\nbe made")
	inner.Flags().String("secret", "", "not told")
	inner.Flags().Lookup("secret").Hidden = true
	root.AddCommand(inner, manual.Command())
	folder := filepath.Join(t.TempDir(), "man1")
	root.SetArgs([]string{"man", "--dir", folder})
	if err := root.Execute(); err != nil {
		t.Fatal(err)
	}
	for file, holds := range map[string][]string{
		"tool.1": {`.TH "TOOL" "1"`, "tool \\- A tool.", `\fBtool\-make(1)\fR`},
		"tool-make.1": {
			"\\fBtool make THING [flags]\\fR", "Make it from\n\\&.files, or\n\\&'quotes', at C:\\edir.\n", ".nf\ntool make x\\-y\n.fi\n",
			".TP\n\\fB\\-n\\fR, \\fB\\-\\-dry\\-run\\fR=\"no\"\nsay what would\nbe made\n", `.SH SEE ALSO` + "\n" + `\fBtool(1)\fR`,
		},
		"tool-man.1": {`\-\-dir`},
	} {
		page, err := os.ReadFile(filepath.Join(folder, file))
		if err != nil {
			t.Error(err)
		}
		for _, text := range holds {
			if !strings.Contains(string(page), text) {
				t.Errorf("%s has no %q:\n%s", file, text, page)
			}
		}
		if strings.Contains(string(page), "not told") {
			t.Errorf("%s tells a hidden flag", file)
		}
	}
}
