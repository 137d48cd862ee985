package main

// shopmock man: the manual, made from the commands.

import (
	"fmt"
	"os"

	"github.com/spf13/cobra"
	"github.com/spf13/cobra/doc"
)

func manCommand() *cobra.Command {
	var folder string
	man := &cobra.Command{
		Use:   "man --dir FOLDER",
		Short: "Write the manual pages of all commands into a folder, such as ~/.local/share/man/man1.",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := os.MkdirAll(folder, 0o755); err != nil {
				return fmt.Errorf("--dir: %w", err)
			}
			header := &doc.GenManHeader{Title: "SHOPMOCK", Section: "1", Source: "shopmock", Manual: "shopmock"}
			return doc.GenManTree(cmd.Root(), header, folder)
		},
	}
	man.Flags().StringVar(&folder, "dir", "", "folder that the pages are written into")
	man.MarkFlagRequired("dir") //nolint:errcheck // the flag is there
	return man
}
