// Package manual has what both programs say of themselves: their manual pages, their version, and how a command is written.
package manual

import (
	"fmt"
	"os"
	"runtime/debug"
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

// Version is that of the module, or the revision that the program was built from.
func Version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "unknown"
	}
	for _, s := range info.Settings {
		if s.Key == "vcs.revision" {
			return s.Value[:min(12, len(s.Value))]
		}
	}
	return info.Main.Version
}

// TellUsage lets errors about arguments say how their command is written.
func TellUsage(root *cobra.Command) {
	for _, command := range root.Commands() {
		TellUsage(command)
		check := command.Args
		if check == nil {
			continue
		}
		command.Args = func(cmd *cobra.Command, args []string) error {
			if err := check(cmd, args); err != nil {
				return fmt.Errorf("%w; write %s", err, cmd.UseLine())
			}
			return nil
		}
	}
}
