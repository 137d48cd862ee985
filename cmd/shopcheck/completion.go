package main

// What a shell offers where a word begins: shopcheck completion bash|zsh|fish writes the script that asks.

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"shopcheck/fixtures"
	"shopcheck/fixtures/dialects"
	"shopcheck/suites"
	"shopcheck/suites/contract"
	"shopcheck/suites/profile"
	"shopcheck/suites/topics"
)

// completions are the words that each flag takes, by the flag's name; of a flag that is not here a shell offers files.
func completions() map[string]func(begun string) []string {
	return map[string]func(string) []string{
		"label": completeLabel,
		"spec":  func(string) []string { return specIDs() },
		"set":   completeAssignment,
		"shard": func(string) []string { return []string{"auto", "auto/"} },
		"procs": func(string) []string { return []string{autoProcs} },
		"by":    func(string) []string { return matrixColumns() },
	}
}

// completed teaches the flags of a command, and of those below it, which words they take.
func completed(cmd *cobra.Command) *cobra.Command {
	for name, words := range completions() {
		if cmd.Flags().Lookup(name) != nil {
			offer(cmd, name, words, cobra.ShellCompDirectiveNoFileComp)
		}
	}
	if cmd.Flags().Lookup("dialect") != nil {
		offer(cmd, "dialect", func(string) []string { return dialectNames() }, cobra.ShellCompDirectiveDefault) // or a file
	}
	for _, below := range cmd.Commands() {
		completed(below)
	}
	return cmd
}

func dialectNames() []string { return append(dialects.PresetNames(), dialects.Auto) }

func offer(cmd *cobra.Command, flag string, words func(string) []string, otherwise cobra.ShellCompDirective) {
	complete := func(_ *cobra.Command, _ []string, begun string) ([]string, cobra.ShellCompDirective) {
		directive := otherwise
		if strings.HasSuffix(begun, "=") || flag == "set" || flag == "label" {
			directive |= cobra.ShellCompDirectiveNoSpace
		}
		return beginning(begun, words(begun)), directive
	}
	if err := cmd.RegisterFlagCompletionFunc(flag, complete); err != nil {
		panic(err) // the flag is there, and has none yet
	}
}

// offerFormats makes --format offer names; with several, the last of a list.
func offerFormats(cmd *cobra.Command, names ...string) {
	offer(cmd, "format", func(begun string) []string {
		before := begun[:strings.LastIndex(begun, ",")+1]
		return prefixed(before, names)
	}, cobra.ShellCompDirectiveNoFileComp)
}

func beginning(begun string, words []string) []string {
	return slices.DeleteFunc(slices.Clone(words), func(word string) bool { return !strings.HasPrefix(word, begun) })
}

func prefixed(prefix string, words []string) []string {
	var out []string
	for _, word := range words {
		out = append(out, prefix+word)
	}
	return out
}

func planned() []suites.Planned {
	specs, err := suites.List(topics.All())
	if err != nil {
		return nil // nothing is offered; a run will say why
	}
	return specs
}

func specIDs() []string {
	var ids []string
	for _, spec := range planned() {
		ids = append(ids, spec.ID)
	}
	return ids
}

// completeLabel offers the labels behind the last operator.
func completeLabel(begun string) []string {
	at := strings.LastIndexAny(begun, "&|!(), ") + 1
	return prefixed(begun[:at], suites.Labels(planned()))
}

// completeAssignment offers keys of the profile, and the values of those that have few.
func completeAssignment(begun string) []string {
	key, _, isValue := strings.Cut(begun, "=")
	switch {
	case !isValue:
		return prefixedEnd((&profile.Profile{}).Keys(), "=")
	case key == "baseline":
		return prefixed(key+"=", fixtures.Baselines())
	case key == "dialect":
		return prefixed(key+"=", dialectNames())
	case strings.HasPrefix(key, "features."):
		return prefixed(key+"=", []string{"on", "off", "auto"})
	}
	return nil
}

func prefixedEnd(words []string, end string) []string {
	var out []string
	for _, word := range words {
		out = append(out, word+end)
	}
	return out
}

// completeRequirement offers the ids of requirements as the only argument.
func completeRequirement(_ *cobra.Command, args []string, begun string) ([]string, cobra.ShellCompDirective) {
	if len(args) > 0 {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	return beginning(begun, contract.All().IDs()), cobra.ShellCompDirectiveNoFileComp
}
