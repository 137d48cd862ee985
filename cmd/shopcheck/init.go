package main

// shopcheck init: a profile of a shop, written from what is found there.

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"shopcheck/reports"
	"shopcheck/suites"
	"shopcheck/suites/client"
	"shopcheck/suites/profile"
	"shopcheck/suites/topics"
)

func initCommand(code *int) *cobra.Command {
	var target, caFile, gate, file string
	command := &cobra.Command{
		Use:   "init",
		Short: "Look at a shop and write a profile of it, with comments.",
		Long: `Look at a shop, with requests that change nothing, and write a profile of it: what was found is turned on, so that it
cannot go missing without a failure. Keys are taken from environment variables (SHOP_READ_WRITE_KEY and SHOP_READ_WRITE_SECRET; the same
with READ, WRITE and REVOKED; SHOP_LOGIN_USERNAME and SHOP_LOGIN_PASSWORD; SHOP_GATE_SECRET with --gate-header) or, on a terminal,
asked for; the profile names the variables and never holds a secret. A file that is there is never written over. shopcheck init ci prints
a pipeline.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			w := profileWriter{profile: profile.New(target), out: cmd.OutOrStdout(), lookup: os.LookupEnv,
				ask: func(string) string { return "" }}
			w.profile.CAFile, w.profile.Gate.Header = caFile, gate
			if isTerminal(cmd.OutOrStdout()) && isTerminal(cmd.InOrStdin()) {
				w.ask = asking(cmd.InOrStdin(), cmd.OutOrStdout())
			}
			err := w.write(cmd.Context(), file)
			if err != nil {
				*code = exitUsage
			}
			return err
		},
	}
	command.AddCommand(pipelineCommand())
	f := command.Flags()
	f.StringVar(&target, "target", "", "base URL of the shop's API root")
	f.StringVar(&caFile, "ca-file", "", "certificates (PEM) of authorities to trust beside those of this machine")
	f.StringVar(&gate, "gate-header", "", "header that something before the shop asks for, such as the gate of a staging site")
	f.StringVar(&file, "file", "shopcheck.yaml", "where the profile goes")
	return command
}

// asking asks a person, line by line.
func asking(in io.Reader, out io.Writer) func(string) string {
	lines := bufio.NewScanner(in)
	return func(question string) string {
		fmt.Fprintf(out, "%s: ", question)
		lines.Scan()
		return strings.TrimSpace(lines.Text())
	}
}

// profileWriter makes a profile.
type profileWriter struct {
	profile profile.Profile
	out     io.Writer
	lookup  profile.Lookup
	ask     func(question string) string // "" for no answer
	unset   []string                     // variables that the profile needs and that are not set
}

// secretPair is a pair of the profile that comes from two variables.
type secretPair struct {
	name          string // below credentials
	keys          [2]string
	first, second *string
	comment       string
}

func (s secretPair) variable(i int) string {
	return "SHOP_" + strings.ToUpper(s.name+"_"+s.keys[i])
}

func (w *profileWriter) pairs() []secretPair {
	c, key := &w.profile.Credentials, [2]string{"key", "secret"}
	return []secretPair{
		{"read_write", key, &c.ReadWrite.Key, &c.ReadWrite.Secret, "may read and write"},
		{"read", key, &c.Read.Key, &c.Read.Secret, "may only read"},
		{"write", key, &c.Write.Key, &c.Write.Secret, "may only write"},
		{"revoked", key, &c.Revoked.Key, &c.Revoked.Secret, "worked once, and does no more"},
		{"login", [2]string{"username", "password"}, &c.Login.Username, &c.Login.Password, "a user who may read and change products"},
	}
}

// write looks at the shop and writes the file.
func (w *profileWriter) write(ctx context.Context, path string) (err error) {
	if w.profile.Target == "" {
		if w.profile.Target = w.ask("address of the shop"); w.profile.Target == "" {
			return errors.New("name the shop by --target")
		}
	}
	if _, err := os.Lstat(path); err == nil {
		return fmt.Errorf("%s is there already, and is not written over: name another file by --file", path)
	}
	w.findSecrets()
	if w.profile.Gate.Given() && w.profile.Gate.Secret == "" {
		return fmt.Errorf("--gate-header %s: set %s to its value", w.profile.Gate.Header, gateVariable)
	}
	found, err := suites.Diagnose(ctx, suites.Options{Profile: w.profile, Topics: topics.All()})
	if err != nil {
		return err
	}
	if len(found.Features) == 0 {
		if err := writeDiagnosis(w.out, found); err != nil {
			return err
		}
		return errors.New("there is nothing to write a profile of")
	}
	file, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return fmt.Errorf("write the profile: %w", err)
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	if _, err := io.WriteString(file, w.text(found)); err != nil {
		return fmt.Errorf("write the profile: %w", err)
	}
	w.tell(path)
	return nil
}

// gateVariable holds the value of the header that a gate before the shop asks for.
const gateVariable = "SHOP_GATE_SECRET"

// findSecrets takes what the environment has, and asks for the rest.
func (w *profileWriter) findSecrets() {
	if w.profile.Gate.Given() {
		value, set := w.lookup(gateVariable)
		if !set {
			value = w.ask("gate.secret (the value of " + w.profile.Gate.Header + ")")
			w.unset = append(w.unset, gateVariable)
		}
		w.profile.Gate.Secret = value
	}
	for _, pair := range w.pairs() {
		for i, place := range []*string{pair.first, pair.second} {
			value, set := w.lookup(pair.variable(i))
			if !set && (i == 0 || *pair.first != "") {
				if value = w.ask(fmt.Sprintf("credentials.%s.%s (%s; empty: none)", pair.name, pair.keys[i], pair.comment)); value != "" {
					w.unset = append(w.unset, pair.variable(i))
				}
			}
			*place = value
		}
		if *pair.first == "" || *pair.second == "" {
			*pair.first, *pair.second = "", ""
		}
	}
}

// tell says what to do with the profile.
func (w *profileWriter) tell(path string) {
	fmt.Fprintf(w.out, "%s is written. Read it, then:\n", path)
	if !w.given() {
		fmt.Fprintln(w.out, "  # no key was given: make one that may read and write, and name it under credentials")
	}
	for _, name := range w.unset {
		fmt.Fprintf(w.out, "  export %s=…\n", name)
	}
	fmt.Fprintf(w.out, "  shopcheck doctor --profile %s\n  shopcheck run --profile %s\n", reports.ShellWord(path), reports.ShellWord(path))
}

// text is the profile as YAML, with comments.
func (w *profileWriter) text(d suites.Diagnosis) string {
	var b strings.Builder
	line := func(format string, args ...any) { fmt.Fprintf(&b, format+"\n", args...) }
	line("# Profile of a shop for shopcheck, written by shopcheck init from what was found. What is left out keeps its default; all keys")
	line("# are explained in fixtures/profiles/example.yaml. ${NAME} is an environment variable: no secret stands here.\n")
	line("target: %s", quoted(w.profile.Target))
	line("dialect: %s # how the shop names things", cmp.Or(d.Dialect, "auto"))
	if w.profile.CAFile != "" {
		line("ca_file: %s # authorities to trust beside those of the machine", quoted(w.profile.CAFile))
	}
	if w.profile.Gate.Given() {
		line("gate: # a header that goes with every request\n  header: %s\n  secret: ${%s}", quoted(w.profile.Gate.Header), gateVariable)
	}
	if !w.profile.Loopback() {
		line("\n# Nothing is written to the shop until this is true. What a run makes carries its mark, and is deleted afterwards.")
		line("allow_writes: false")
	}
	w.writePairs(line)
	w.writeFound(line, d)
	return b.String()
}

// writePairs writes the pairs, those that are not given as comments that need the # taken away only.
func (w *profileWriter) writePairs(line func(string, ...any)) {
	all := ""
	if w.given() {
		line("\n# Specs that need a pair which is left out are reported as \"could not run\".\ncredentials:")
	} else {
		all = "# "
		line("\n# No key was given: specs that need one are reported as \"could not run\". Make keys at the shop, put them into these")
		line("# variables, and take away the # before credentials and before each pair that there is.\n# credentials:")
	}
	for _, pair := range w.pairs() {
		mark := "# "
		if all != "" || *pair.first != "" {
			mark = ""
		}
		line("%s  %s%s: # %s", all, mark, pair.name, pair.comment)
		for i, key := range pair.keys {
			line("%s  %s  %s: ${%s}", all, mark, key, pair.variable(i))
		}
	}
}

// given reports whether there is any pair.
func (w *profileWriter) given() bool {
	return slices.ContainsFunc(w.pairs(), func(pair secretPair) bool { return *pair.first != "" })
}

// writeFound writes what was found, or what to fill in.
func (w *profileWriter) writeFound(line func(string, ...any), d suites.Diagnosis) {
	if c := d.Coupon; c.Code != "" {
		line("\n# A coupon that exists, does not expire, and goes with any product.\ncoupon:\n  code: %s\n  type: %s\n  amount: %s",
			quoted(c.Code), c.Type, c.Amount)
	} else {
		line("\n# No coupon was found that goes with any product. Make one, and name it:\n# coupon:\n#   code: SAVE10\n#   type: " +
			"percent\n#   amount: 10")
	}
	a := w.profile.Address
	line("\n# An address that the shop ships to: change it where this one is out of the way.\naddress:")
	for _, field := range [][2]string{{"first_name", a.FirstName}, {"last_name", a.LastName}, {"address_1", a.Address1}, {"city", a.City},
		{"state", a.State}, {"postcode", a.Postcode}, {"country", a.Country}, {"phone", a.Phone}} {
		line("  %s: %s", field[0], quoted(field[1]))
	}
	line("\n# Payment methods that a test may order with. The cart names: %s.\npayment_methods: [%s]", strings.Join(d.Payments, ", "),
		strings.Join(harmless(d.Payments), ", "))
	line("\n# What was found is on: where it goes missing, its specs fail. off: not tested. auto: looked for before each run.\nfeatures:")
	for _, state := range d.Features {
		line("  %s: %s", state.Name, w.pin(state, d))
	}
}

// pin is what the profile says of a feature.
func (w *profileWriter) pin(state client.FeatureState, d suites.Diagnosis) string {
	switch {
	case state.Name == "jwt" && !w.profile.Credentials.TokenLogin().Given():
		return "off # give credentials.login to test it"
	case state.Name == "coupons" && d.Coupon.Code != "":
		return "on"
	case state.Missing:
		return "auto # demanded by the contract, and not found"
	case state.On:
		return "on"
	}
	return "auto # not found"
}

// harmless are the payment methods of those offered that take no money by themselves; without any of these, the first one.
func harmless(offered []string) []string {
	var out []string
	for _, method := range []string{"cheque", "bacs", "cod"} {
		if slices.Contains(offered, method) {
			out = append(out, quoted(method))
		}
	}
	if len(out) == 0 && len(offered) > 0 {
		return []string{quoted(offered[0])}
	}
	return out
}

// quoted writes a text so that YAML takes it as that text, whatever a target has put into it.
func quoted(text string) string {
	text = reports.SanitizeLine(text)
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`, "${", "$ {").Replace(text) + `"`
}
