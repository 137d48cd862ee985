package main

import (
	"bytes"
	"strings"
	"testing"

	"github.com/spf13/cobra"
)

// TestAStartMakesNoOtherCommands compares what the command that serves says when it is alone with what it says beside all others.
func TestAStartMakesNoOtherCommands(t *testing.T) {
	if made := commandFor([]string{"serve", "--seed", "empty"}).Commands(); len(made) != 1 {
		t.Errorf("a start makes %d commands, want 1", len(made))
	}
	if made := commandFor([]string{"listen"}).Commands(); len(made) != len(command().Commands()) {
		t.Errorf("another command makes %d commands, want all", len(made))
	}
	for _, args := range [][]string{{"serve", "--help"}, {"serve", "more"}, {"serve", "--no-such-flag"}, {"serve", "completion"}} {
		if alone, beside := saidBy(commandFor(args), args), saidBy(command(), args); alone != beside {
			t.Errorf("%q says\n%s\nand beside other commands\n%s", args, alone, beside)
		}
	}
}

// saidBy is what a command prints, with the error that it ends with.
func saidBy(root *cobra.Command, args []string) string {
	var out bytes.Buffer
	root.SetArgs(args)
	root.SetOut(&out)
	if err := root.Execute(); err != nil {
		out.WriteString(err.Error())
	}
	return out.String()
}

func TestTheCommandLineSaysWhatItIs(t *testing.T) {
	for want, args := range map[string][]string{"shopmock ": {"--version"}, "write shopmock trigger TOPIC": {"trigger"}} {
		if got := saidBy(commandFor(args), args); !strings.Contains(got, want) {
			t.Errorf("%q says %q, want %q", args, got, want)
		}
	}
}
