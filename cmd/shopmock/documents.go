package main

// Documents of what is served, for other programs.

import (
	"archive/zip"
	"bytes"
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"shopcheck/mockserver"
)

// usualAddress is where shopmock serve listens unless it is told otherwise.
const usualAddress = "http://127.0.0.1:8080"

func openapiCommand() *cobra.Command {
	var url string
	command := &cobra.Command{
		Use:   "openapi",
		Short: "Print an OpenAPI 3.1 document of everything that is served: both APIs and /_mock.",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			text, err := mockserver.OpenAPI(url)
			if err == nil {
				_, err = cmd.OutOrStdout().Write(append(text, '\n'))
			}
			return err
		},
	}
	command.Flags().StringVar(&url, "url", usualAddress, "address of the shop that the document is for")
	return command
}

func collectionCommand() *cobra.Command {
	var url, out string
	command := &cobra.Command{
		Use:       "collection postman|bruno --out PLACE",
		Short:     "Write a collection of all calls: a file for Postman, a folder for Bruno.",
		Args:      cobra.MatchAll(cobra.ExactArgs(1), cobra.OnlyValidArgs),
		ValidArgs: []string{"postman", "bruno"},
		RunE: func(cmd *cobra.Command, args []string) error {
			text, err := mockserver.Collection(args[0], url)
			if err == nil {
				err = writeCollection(args[0], text, out)
			}
			if err == nil {
				fmt.Fprintf(cmd.OutOrStdout(), "%s is written: open it with %s\n", out, args[0])
			}
			return err
		},
	}
	command.Flags().StringVar(&url, "url", usualAddress, "address of the shop that is called")
	command.Flags().StringVarP(&out, "out", "o", "", "file for Postman, folder for Bruno; neither may be there yet")
	command.MarkFlagRequired("out") //nolint:errcheck // the flag is there
	return command
}

// writeCollection writes a file, or the folder that an archive holds. What is there already stays.
func writeCollection(kind string, text []byte, out string) error {
	if _, err := os.Lstat(out); err == nil {
		return fmt.Errorf("%s is there already: give --out another name", out)
	}
	if kind == "postman" {
		return os.WriteFile(out, text, 0o644)
	}
	archive, err := zip.NewReader(bytes.NewReader(text), int64(len(text)))
	if err != nil {
		return err
	}
	return os.CopyFS(out, archive)
}
