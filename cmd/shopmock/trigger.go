package main

// shopmock trigger: topics of webhooks, brought about by hand in a running shop.

import (
	"cmp"
	"fmt"
	"io"
	"net/http"
	"strings"

	"github.com/spf13/cobra"
	"github.com/tidwall/gjson"

	"shopcheck/mockserver"
)

func triggerCommand() *cobra.Command {
	var shop shopFlags
	var sets []string
	trigger := &cobra.Command{
		Use:   "trigger TOPIC [--set FIELD=VALUE …]",
		Short: "Bring a topic of webhooks about in a running shop, such as order.created.",
		Long: `Bring a topic of webhooks about in a running shop, or in one of its sandboxes.

It makes real records by the rules of the management API, such as an order of a customer for a product of the shop, and does with them what
the topic tells of: an update changes the record that was made, a deletion deletes it. Webhooks that are registered for it go out by
themselves. It prints what was made, and what was delivered.

--set takes fields by their places in the record. An order's total may be set, too: its first line gets the price that comes to it. What
else follows from other fields is refused, with what to set instead; then nothing changes.`,
		Example: `  shopmock trigger order.created --set total=199.00 --set billing.email=ann@example.test
  shopmock trigger order.updated --set status=completed --set line_items.0.quantity=2`,
		Args:              cobra.ExactArgs(1),
		ValidArgsFunction: cobra.FixedCompletions(mockserver.TriggerTopics(), cobra.ShellCompDirectiveNoFileComp),
		RunE: func(cmd *cobra.Command, args []string) error {
			values := map[string]string{}
			for _, set := range sets {
				place, value, found := strings.Cut(set, "=")
				if !found {
					return fmt.Errorf("--set %q: take a field and its value, such as billing.email=ann@example.test", set)
				}
				values[place] = value
			}
			answer, err := shop.call(cmd.Context(), http.MethodPost, "trigger", jsonBody(map[string]any{"topic": args[0], "set": values}))
			if err != nil {
				return err
			}
			printTriggered(harmless{cmd.OutOrStdout()}, gjson.ParseBytes(answer))
			return nil
		},
	}
	shop.add(trigger)
	trigger.Flags().StringArrayVar(&sets, "set", nil, "a field and its value: total=199.00, line_items.0.quantity=2; may be repeated")
	return trigger
}

// printTriggered prints what was made, and what went out.
func printTriggered(out io.Writer, done gjson.Result) {
	for _, made := range done.Get("made").Array() {
		fmt.Fprintf(out, "made: %s %s\n", made.Get("resource").Str, made.Get("id"))
	}
	topic, told := done.Get("topic").Str, false
	for _, sent := range done.Get("deliveries").Array() {
		told = told || sent.Get("topic").Str == topic
		said := cmp.Or(printable(sent.Get("reason").Str), "answered "+sent.Get("status").Raw)
		if first := sent.Get("repeat_of"); first.Exists() {
			said += ", as delivery " + first.Raw + " was before"
		}
		if fault := sent.Get("fault").Str; fault != "" {
			said += "; a fault of yours: " + printable(fault)
		}
		fmt.Fprintf(out, "%s: %s to %s (webhook %s, delivery %s): %s\n", sent.Get("state").Str, printable(sent.Get("topic").Str),
			printable(sent.Get("url").Str), sent.Get("webhook_id"), sent.Get("id"), said)
	}
	if !told {
		fmt.Fprintf(out, "No webhook is registered for %s: POST /shop/v3/webhooks registers one.\n", topic)
	}
}
