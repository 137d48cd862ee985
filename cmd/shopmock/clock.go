package main

// shopmock clock: what time it is in a running shop, and another time.

import (
	"fmt"
	"io"
	"net/http"
	"time"

	"github.com/spf13/cobra"
	"github.com/tidwall/gjson"
)

func clockCommand() *cobra.Command {
	var shop shopFlags
	// doing is a command that sends what is to be done with the clock, and prints what time it is then.
	doing := func(use, short string, args cobra.PositionalArgs, method string, body func(args []string) any) *cobra.Command {
		return &cobra.Command{Use: use, Short: short, Args: args, RunE: func(cmd *cobra.Command, args []string) error {
			var sent io.Reader
			if body != nil {
				sent = jsonBody(body(args))
			}
			answer, err := shop.call(cmd.Context(), method, "clock", sent)
			if err != nil {
				return err
			}
			return printClock(cmd.OutOrStdout(), answer)
		}}
	}
	clock := doing("clock", "Show, freeze, set or advance the clock of a running shop.", cobra.NoArgs, http.MethodGet, nil)
	clock.Long = `Show, freeze, set or advance the clock of a running shop, or of one of its sandboxes.

Sales, coupons, nonces, tokens, held stock and the Date of answers go by it. What the time brings about is done at once.`
	shop.add(clock)
	clock.AddCommand(
		doing("freeze", "Let the clock stand.", cobra.NoArgs, http.MethodPost,
			func([]string) any { return map[string]bool{"freeze": true} }),
		doing("resume", "Let a clock that stands run on from there.", cobra.NoArgs, http.MethodPost,
			func([]string) any { return map[string]bool{"freeze": false} }),
		doing("set TIME", "Let the clock show a moment, such as 2026-03-01T12:00:00Z.", cobra.ExactArgs(1), http.MethodPost,
			func(args []string) any { return map[string]string{"set": args[0]} }),
		doing("advance DURATION", "Move the clock on by 90s, 36h or 30d; back by -15m, after --.", cobra.ExactArgs(1), http.MethodPost,
			func(args []string) any { return map[string]string{"advance": args[0]} }),
		doing("reset", "Let the clock follow that of the server again.", cobra.NoArgs, http.MethodDelete, nil),
	)
	return clock
}

// printClock prints the time, and whether it is not the server's.
func printClock(out io.Writer, answer []byte) error {
	state := gjson.ParseBytes(answer)
	line := state.Get("now").Time().Format(time.RFC3339)
	switch {
	case state.Get("frozen").Bool():
		line += " (frozen)"
	case state.Get("moved").Bool():
		line += " (moved)"
	}
	_, err := fmt.Fprintln(out, line)
	return err
}
