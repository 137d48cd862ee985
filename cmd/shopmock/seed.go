package main

// shopmock seed: what seed files look like.

import (
	"github.com/spf13/cobra"

	"shopcheck/fixtures/seedfile"
)

func seedCommand() *cobra.Command {
	seed := &cobra.Command{Use: "seed", Short: "Say what seed files look like."}
	seed.AddCommand(&cobra.Command{
		Use: "schema", Short: "Print the JSON schema of seed files, for editors and validators.", Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			_, err := cmd.OutOrStdout().Write(seedfile.Schema())
			return err
		},
	})
	return seed
}
