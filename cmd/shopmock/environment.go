package main

// Flags by the environment: what a container or a script sets once.

import (
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// fromEnvironment lets variables set the flags of a command and of those below it that the command line leaves out, and tells their names
// with the flags.
func fromEnvironment(root *cobra.Command) {
	visit(root, func(command *cobra.Command) {
		name := func(flag *pflag.Flag) {
			flag.Usage += " [$" + variableOf(command, flag) + "]"
		}
		command.LocalFlags().VisitAll(func(flag *pflag.Flag) {
			if isOurs(flag) && !strings.Contains(flag.Usage, "[$") {
				name(flag)
			}
		})
	})
	root.PersistentPreRunE = func(command *cobra.Command, _ []string) error {
		var wrong []error
		command.Flags().VisitAll(func(flag *pflag.Flag) {
			variable := variableOf(command, flag)
			value, set := os.LookupEnv(variable)
			if !isOurs(flag) || !set || flag.Changed {
				return
			}
			if err := command.Flags().Set(flag.Name, value); err != nil {
				wrong = append(wrong, fmt.Errorf("%s=%s: %w", variable, value, err))
			}
		})
		return errors.Join(wrong...)
	}
}

func visit(command *cobra.Command, do func(*cobra.Command)) {
	do(command)
	for _, below := range command.Commands() {
		visit(below, do)
	}
}

func isOurs(flag *pflag.Flag) bool { return flag.Name != "help" && flag.Name != "version" }

// variableOf is the name of a flag's variable: SHOPMOCK_SEED for those of serve, and for those that several commands share; with the
// command's name before it for all others, SHOPMOCK_LISTEN_SECRET.
func variableOf(command *cobra.Command, flag *pflag.Flag) string {
	words := "shopmock "
	if shared := command.InheritedFlags().Lookup(flag.Name) != nil || command.PersistentFlags().Lookup(flag.Name) != nil; !shared &&
		command.Name() != serveName {
		words += command.Name() + " "
	}
	return strings.ToUpper(strings.NewReplacer(" ", "_", "-", "_").Replace(words + flag.Name))
}
