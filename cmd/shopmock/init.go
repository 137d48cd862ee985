package main

// shopmock init: what runs the shop elsewhere.

import (
	_ "embed"
	"io"

	"github.com/spf13/cobra"
)

//go:embed kubernetes.yaml
var kubernetesManifest string

func initCommand() *cobra.Command {
	start := &cobra.Command{Use: "init", Short: "Print what runs the shop elsewhere."}
	start.AddCommand(&cobra.Command{
		Use:   "kubernetes",
		Short: "Print manifests for a cluster: the shop as a Deployment with its probes, a Service, and a volume that keeps it.",
		Long: `Print manifests for a cluster: the shop as a Deployment with its probes, a Service, and a volume that keeps it.
Their head says what they expect.

  shopmock init kubernetes | kubectl apply -f -`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			_, err := io.WriteString(cmd.OutOrStdout(), kubernetesManifest)
			return err
		},
	})
	return start
}
