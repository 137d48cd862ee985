// Package manual has the command that writes a program's manual pages, which both programs have.
package manual

import (
	"fmt"
	"os"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/cobra/doc"
)

// Command returns the command man of a program.
func Command() *cobra.Command {
	var folder string
	man := &cobra.Command{
		Use:   "man --dir FOLDER",
		Short: "Write the manual pages of all commands into a folder, such as ~/.local/share/man/man1.",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := os.MkdirAll(folder, 0o755); err != nil {
				return fmt.Errorf("--dir: %w", err)
			}
			name := cmd.Root().Name()
			header := &doc.GenManHeader{Title: strings.ToUpper(name), Section: "1", Source: name, Manual: name}
			return doc.GenManTree(cmd.Root(), header, folder)
		},
	}
	man.Flags().StringVar(&folder, "dir", "", "folder that the pages are written into")
	man.MarkFlagRequired("dir") //nolint:errcheck // the flag is there
	return man
}
