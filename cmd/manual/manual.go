// Package manual has the command that writes a program's manual pages, which both programs have.
package manual

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
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
			return write(cmd.Root(), folder)
		},
	}
	man.Flags().StringVar(&folder, "dir", "", "folder that the pages are written into")
	man.MarkFlagRequired("dir") //nolint:errcheck // the flag is there
	return man
}

// write writes the pages of a command and of all below it. Each is made here: cobra's own pages go by way of Markdown, whose libraries
// would be linked, and set up at each start, in a program that serves a shop.
func write(cmd *cobra.Command, folder string) error {
	if err := os.WriteFile(filepath.Join(folder, name(cmd)+".1"), page(cmd), 0o644); err != nil {
		return fmt.Errorf("--dir: %w", err)
	}
	for _, below := range shown(cmd) {
		if err := write(below, folder); err != nil {
			return err
		}
	}
	return nil
}

// name is what a command's page is called: its words with hyphens between them.
func name(cmd *cobra.Command) string { return strings.ReplaceAll(cmd.CommandPath(), " ", "-") }

func shown(cmd *cobra.Command) []*cobra.Command {
	var all []*cobra.Command
	for _, below := range cmd.Commands() {
		if below.IsAvailableCommand() && !below.IsAdditionalHelpTopicCommand() {
			all = append(all, below)
		}
	}
	return all
}

// page is the manual page of a command, as man(7) has it. It bears no date, so that one program always writes the same pages.
func page(cmd *cobra.Command) []byte {
	cmd.InitDefaultHelpFlag()
	var b bytes.Buffer
	program := text(cmd.Root().Name())
	fmt.Fprintf(&b, ".TH \"%s\" \"1\" \"\" \"%s\" \"%s\"\n", strings.ToUpper(text(name(cmd))), program, program)
	about := cmd.Long
	if about == "" {
		about = cmd.Short
	}
	fmt.Fprintf(&b, ".SH NAME\n%s \\- %s\n.SH SYNOPSIS\n\\fB%s\\fR\n.SH DESCRIPTION\n%s\n", text(name(cmd)), text(cmd.Short),
		text(cmd.UseLine()), text(about))
	options(&b, "OPTIONS", cmd.NonInheritedFlags())
	options(&b, "OPTIONS OF ALL COMMANDS", cmd.InheritedFlags())
	if cmd.Example != "" {
		fmt.Fprintf(&b, ".SH EXAMPLE\n.nf\n%s\n.fi\n", text(cmd.Example))
	}
	var also []string
	if cmd.HasParent() {
		also = append(also, reference(cmd.Parent()))
	}
	for _, below := range shown(cmd) {
		also = append(also, reference(below))
	}
	if len(also) > 0 {
		fmt.Fprintf(&b, ".SH SEE ALSO\n%s\n", strings.Join(also, ", "))
	}
	return b.Bytes()
}

func reference(cmd *cobra.Command) string { return `\fB` + text(name(cmd)) + `(1)\fR` }

func options(b *bytes.Buffer, title string, flags *pflag.FlagSet) {
	if !flags.HasAvailableFlags() {
		return
	}
	fmt.Fprintf(b, ".SH %s\n", title)
	flags.VisitAll(func(flag *pflag.Flag) {
		if flag.Hidden || flag.Deprecated != "" {
			return
		}
		short := ""
		if flag.Shorthand != "" {
			short = `\fB\-` + flag.Shorthand + `\fR, `
		}
		value := flag.DefValue
		if flag.Value.Type() == "string" {
			value = fmt.Sprintf("%q", value)
		}
		fmt.Fprintf(b, ".TP\n%s\\fB\\-\\-%s\\fR=%s\n%s\n", short, text(flag.Name), text(value), text(flag.Usage))
	})
}

// special are the characters that mean something in roff, and the hyphen, which would be set as a dash that cannot be copied.
var special = strings.NewReplacer(`\`, `\e`, "-", `\-`)

// text writes what people read so that none of it is taken for a request, which begins a line with a dot or a quote.
func text(of string) string {
	lines := strings.Split(strings.TrimSpace(of), "\n")
	for i, line := range lines {
		lines[i] = special.Replace(line)
		if strings.HasPrefix(line, ".") || strings.HasPrefix(line, "'") {
			lines[i] = `\&` + lines[i]
		}
	}
	return strings.Join(lines, "\n")
}
