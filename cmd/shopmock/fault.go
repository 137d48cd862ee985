package main

// shopmock fault: what goes wrong on purpose in a running shop.

import (
	"fmt"
	"io"
	"net/http"
	"strings"

	"github.com/spf13/cobra"
	"github.com/tidwall/gjson"

	"shopcheck/mockserver"
)

func faultCommand() *cobra.Command {
	var shop shopFlags
	list := func([]string) (string, any) { return "faults", nil }
	fault := shop.asking("fault", "Show, add and end what goes wrong on purpose in a running shop.", cobra.NoArgs, http.MethodGet,
		list, printFaults)
	shop.add(fault)
	names := strings.Join(mockserver.FaultScenarios(), ", ")
	scenario := shop.asking("scenario NAME", "Let the rules of a name be the only ones: "+names+".",
		cobra.ExactArgs(1), http.MethodPut,
		func(args []string) (string, any) { return "faults", map[string]string{"scenario": args[0]} }, printFaults)
	scenario.ValidArgsFunction = cobra.FixedCompletions(mockserver.FaultScenarios(), cobra.ShellCompDirectiveNoFileComp)
	fault.AddCommand(
		faultAddCommand(&shop), scenario,
		shop.asking("list", "Print the rules, and how often each happened.", cobra.NoArgs, http.MethodGet, list, printFaults),
		shop.asking("clear", "Let nothing go wrong any more.", cobra.NoArgs, http.MethodDelete, list, nil))
	return fault
}

// faultRule is a rule as the shop takes it.
type faultRule struct {
	Effect     string   `json:"effect"`
	Name       string   `json:"name,omitempty"`
	Method     string   `json:"method,omitempty"`
	Path       string   `json:"path,omitempty"`
	Body       []string `json:"body,omitempty"`
	Topic      string   `json:"topic,omitempty"`
	Nth        int64    `json:"nth,omitempty"`
	Share      float64  `json:"share,omitempty"`
	Times      int64    `json:"times,omitempty"`
	Until      string   `json:"until,omitempty"`
	Delay      string   `json:"delay,omitempty"`
	DelayMax   string   `json:"delay_max,omitempty"`
	Sigma      float64  `json:"sigma,omitempty"`
	Status     int      `json:"status,omitempty"`
	Code       string   `json:"code,omitempty"`
	Message    string   `json:"message,omitempty"`
	RetryAfter int      `json:"retry_after,omitempty"`
	Percent    float64  `json:"percent,omitempty"`
}

func faultAddCommand(shop *shopFlags) *cobra.Command {
	var rule faultRule
	add := shop.asking("add EFFECT", "Add a rule: what goes wrong, at which requests, how often.", cobra.ExactArgs(1), http.MethodPost,
		func(args []string) (string, any) {
			rule.Effect = args[0]
			return "faults", rule
		}, printFaults)
	add.Long = "Add a rule to those that there are. The effects:\n\n  " + strings.Join(mockserver.FaultEffects(), "\n  ")
	add.Example = `  shopmock fault add status --status 503 --method POST --path /shop/store/v1/checkout --times 2
  shopmock fault add latency --delay 800ms --delay-max 2s --path '/shop/**' --share 0.1
  shopmock fault add webhook-twice --topic order.created`
	add.ValidArgsFunction = cobra.FixedCompletions(mockserver.FaultEffects(), cobra.ShellCompDirectiveNoFileComp)
	flags := add.Flags()
	flags.StringVar(&rule.Name, "name", "", "what the rule is called")
	flags.StringVar(&rule.Method, "method", "", "only requests of this method")
	flags.StringVar(&rule.Path, "path", "",
		"only requests of this path; * or {id} is anything between two slashes, ** at the end all that follows")
	flags.StringArrayVar(&rule.Body, "body", nil,
		"only requests whose JSON body holds this: payment_method=bacs, or items.0.id; may be repeated")
	flags.StringVar(&rule.Topic, "topic", "", "of webhook-…: only deliveries of this topic")
	flags.Int64Var(&rule.Nth, "nth", 0, "only the nth request that is meant")
	flags.Float64Var(&rule.Share, "share", 0, "share of the requests that are meant, 0 to 1 (default: all)")
	flags.Int64Var(&rule.Times, "times", 0, "how often at most (default: always)")
	flags.StringVar(&rule.Until, "until", "", "moment of the shop's clock from which on it is over, such as 2026-03-01T12:00:00Z")
	flags.StringVar(&rule.Delay, "delay", "", "of latency, webhook-late, webhook-reordered and each piece of dribble: 800ms")
	flags.StringVar(&rule.DelayMax, "delay-max", "", "of latency: drawn evenly between --delay and this")
	flags.Float64Var(&rule.Sigma, "sigma", 0, "of latency: drawn log-normally around --delay, with this deviation of its logarithm")
	flags.IntVar(&rule.Status, "status", 0, "of status: 400 to 599")
	flags.StringVar(&rule.Code, "code", "", "of status: code of the error (default: the contract's)")
	flags.StringVar(&rule.Message, "message", "", "of status: message of the error")
	flags.IntVar(&rule.RetryAfter, "retry-after", 0, "of status: seconds (default: 1 with 429 and 503)")
	flags.Float64Var(&rule.Percent, "percent", 0, "of price-changed: 10 makes prices a tenth higher (default: 10)")
	return add
}

// printFaults prints a line for each rule: what goes wrong, when and how, and how often it did.
func printFaults(out io.Writer, list gjson.Result) {
	rules := list.Get("rules").Array()
	if len(rules) == 0 {
		fmt.Fprintln(out, "Nothing goes wrong on purpose.")
	}
	for _, rule := range rules {
		line := rule.Get("effect").Str
		rule.ForEach(func(name, value gjson.Result) bool {
			switch name.Str {
			case "effect", "matched", "fired":
			default:
				line += " " + name.Str + "=" + printable(value.String())
			}
			return true
		})
		came := "never fired"
		if fired := rule.Get("fired").Int(); fired > 0 {
			came = fmt.Sprintf("fired %d times", fired)
		}
		fmt.Fprintf(out, "%s: %s, matched %d\n", line, came, rule.Get("matched").Int())
	}
}
