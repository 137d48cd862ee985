package reports

// A finding as a shell script: the requests that led to it, in their order, for any shop that has just been set up. Ids, keys and tokens
// are taken from the answers that the script itself gets, and words that must be new are new each time.

import (
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/tidwall/gjson"
)

// ErrNoScript marks findings that cannot be repeated by curl alone.
var ErrNoScript = errors.New("no script repeats it")

// Script is a finding as a shell script.
type Script struct {
	Finding string // the id of its cause
	File    string // its place in the report's folder
	Text    string
}

// mostScripts bounds how many findings get a script: what is broken everywhere is repeated by some of them.
const mostScripts = 100

// Scripts returns the scripts of those findings that one can be made of.
func Scripts(r *Report) []Script {
	var out []Script
	for _, cause := range Causes(r) {
		var text strings.Builder
		if len(out) < mostScripts && WriteScript(&text, r, cause) == nil {
			out = append(out, Script{cause.ID, ScriptFolder + "/" + scriptFile(cause), text.String()})
		}
	}
	return out
}

// ScriptFiles returns the places of the scripts, by the ids of their findings.
func ScriptFiles(r *Report) map[string]string {
	files := map[string]string{}
	for _, script := range Scripts(r) {
		files[script.Finding] = script.File
	}
	return files
}

// WriteScript writes a POSIX shell script that sends the requests of the finding's most specific deviation and ends at it. It needs curl
// and jq. The report must hold all exchanges (see Attach).
func WriteScript(w io.Writer, r *Report, c Cause) error {
	found := r.Found(c)
	if len(found) == 0 || found[0].Exchange < 0 || found[0].Exchange >= len(found[0].Spec.Exchanges) {
		return fmt.Errorf("%w: no request shows it", ErrNoScript)
	}
	s := script{report: r, cause: c, finding: found[0], exchanges: found[0].Spec.Exchanges[:found[0].Exchange+1]}
	text, err := s.text()
	if err != nil {
		return err
	}
	_, err = io.WriteString(w, text)
	return err
}

// script is one that is being written.
type script struct {
	report    *Report
	cause     Cause
	finding   SpecFinding
	exchanges []Exchange
}

// scriptHelpers are the functions of every script. Answer number N is in the files N.head and N.body.
const scriptHelpers = `work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
RUN=$(printf '%08d' $(( ($(date +%s) + $$ * 7919) % 100000000 )))
fail() { echo "$1" >&2; touch "$work/failed"; exit 2; } # also out of a subshell: the next request is not sent
command -v jq >/dev/null || fail 'jq is needed to read answers (Debian: apt-get install jq)'
ask() { # ask N ARGUMENTS: sends request N
  [ ! -e "$work/failed" ] || exit 2
  number=$1; shift
  curl -sS -D "$work/$number.head" -o "$work/$number.body" "$@" || fail "request $number has no answer"
  touch "$work/$number.body"
  sed -n 's/^[Ss]et-[Cc]ookie: *\([^;]*\).*/\1/p' "$work/$number.head" | tr -d '\r' >>"$work/cookies"
  echo "request $number: $(status "$number")"
}
status() { sed -n 's/^HTTP[^ ]* \([0-9]*\).*/\1/p' "$work/$1.head" | tail -n 1; }
header() { # header N NAME: of answer N
  tr -d '\r' <"$work/$1.head" | awk -v name="$2" 'BEGIN { FS = ": *" } tolower($1) == tolower(name) { sub(/^[^:]*: */, ""); print; exit }'
}
from() { # from N FILTER: out of the body of answer N
  jq -er "$2" "$work/$1.body" 2>/dev/null || fail "answer $1 has no $2: $(head -c 300 "$work/$1.body")"
}
cookies() { awk -F= '{ value[$1] = $0 } END { for (name in value) { printf "%s%s", sep, value[name]; sep = "; " } }' "$work/cookies"; }
`

func (s *script) text() (string, error) {
	var out strings.Builder
	line := func(format string, args ...any) { fmt.Fprintf(&out, format+"\n", args...) }
	line("#!/bin/sh")
	line("# %s: %s", comment(s.cause.Requirement), comment(s.cause.What()))
	line("# of the spec %s. SHOP=https://… %s runs it against another shop.", comment(s.finding.Spec.ID), scriptFile(s.cause))
	line("# What it makes there stays: shopcheck cleanup finds it, and deletes it.")
	line("set -u")
	for _, name := range s.variables() {
		line(`: "${%s:?is not set: the script needs the secret of the profile that it is named after}"`, name)
	}
	if _, roots := s.arguments(0); roots != "" {
		line(`[ -n "${SHOP:-}" ] || export CURL_CA_BUNDLE=%s # whom the run trusted`, roots)
	}
	line("SHOP=${SHOP:-%s}", ShellWord(strings.TrimSuffix(s.report.Target.URL, "/")))
	out.WriteString(scriptHelpers)
	for i := range s.exchanges {
		command, err := s.command(i)
		if err != nil {
			return "", err
		}
		line("\n# %s", comment(s.exchanges[i].Endpoint))
		line("ask %d %s", i+1, command)
	}
	s.writeEnd(line)
	return out.String(), nil
}

// comment is a text that stays in its line.
func comment(text string) string { return SanitizeLine(text) }

// writeEnd shows what the last answer has where it deviated, beside what was wanted.
func (s *script) writeEnd(line func(string, ...any)) {
	last := len(s.exchanges)
	line("\necho")
	line("echo %s", ShellWord("wanted: "+comment(s.cause.What()+": "+s.finding.Want)))
	line("echo %s", ShellWord("it was: "+comment(s.finding.Got)))
	line("echo \"it is:  status $(status %d)\"", last)
	switch path := SanitizeLine(s.finding.Path); {
	case path == "":
		line(`head -c 2000 "$work/%d.body"; echo`, last)
	case isHeader(s.finding.Finding) && headerName().MatchString(path):
		line(`echo %s"$(header %d %s)"`, ShellWord(path+": "), last, ShellWord(path))
	default:
		line(`printf '%%s' %s; jq -c %s "$work/%d.body"`, ShellWord(path+": "), ShellWord(jqPath(path)), last)
	}
}

var headerName = pattern(`^[A-Z][A-Za-z0-9-]*$`)

// jqPath is a dotted path as jq has it: items.0.key is .items[0].key.
func jqPath(path string) string {
	var filter strings.Builder
	for _, part := range strings.Split(path, ".") {
		switch {
		case part == "#" || part == "":
			filter.WriteString("[]")
		case strings.Trim(part, "0123456789") == "":
			filter.WriteString("[" + part + "]")
		default:
			filter.WriteString("[" + quoted(part) + "]")
		}
	}
	return "." + strings.TrimPrefix(filter.String(), ".") + "?"
}

func quoted(text string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(text) + `"`
}

var variable = pattern(`\$(SHOPCHECK_[A-Z0-9_]+)`)

const (
	tokenVariable  = "$SHOPCHECK_CART_TOKEN"
	cookieVariable = "$SHOPCHECK_COOKIE"
	bearerVariable = "$SHOPCHECK_BEARER_TOKEN"
)

// variables are the secrets that a script takes from the environment.
func (s *script) variables() []string {
	names := map[string]bool{}
	for i := range s.exchanges {
		command, err := s.command(i)
		if err != nil {
			continue
		}
		for _, match := range variable().FindAllStringSubmatch(command, -1) {
			names[match[1]] = true
		}
	}
	return slices.Sorted(maps.Keys(names))
}

var trusting = pattern(`^--cacert ('(?:[^']|'\\'')*') `)

// arguments are those of the curl line of a request, and the file of the authorities that it trusts: "" for those of the machine.
func (s *script) arguments(at int) (arguments, roots string) {
	arguments, _ = strings.CutPrefix(s.exchanges[at].Curl, curlStart)
	if match := trusting().FindStringSubmatch(arguments); match != nil {
		return arguments[len(match[0]):], match[1]
	}
	return arguments, ""
}

// curlStart begins the lines of all requests that one line can repeat.
const curlStart = "curl -sS -i "

// command is the arguments of curl for a request: those of its line, with what earlier answers gave in the place of what they gave then.
func (s *script) command(at int) (string, error) {
	e := s.exchanges[at]
	arguments, _ := s.arguments(at)
	if !strings.HasPrefix(e.Curl, curlStart) || e.Request.Body != "" && !strings.Contains(arguments, " --data-raw ") {
		return "", fmt.Errorf("%w: request %d is too long for a line, or was sent by the shop", ErrNoScript, at+1)
	}
	if e.Method == "HEAD" {
		arguments = "-I " + arguments
	}
	arguments = strings.Replace(arguments, "'"+strings.TrimSuffix(s.report.Target.URL, "/"), `"$SHOP"'`, 1)
	arguments = s.withIDs(arguments, at)
	arguments = s.withTokens(arguments, at)
	return renewed(arguments), nil
}

var runMark = pattern(`(?i)((?:shopcheck-|buyer-|sc-|sc))([0-9a-f]{8})(-|n)`)

// renewed gives the words of the run another mark each time the script runs: a shop takes a SKU or an address once.
func renewed(arguments string) string {
	return runMark().ReplaceAllString(arguments, `${1}'"$$RUN"'${3}`)
}

// withTokens takes nonces, cart tokens, cookies and bearer tokens from the answers that gave them.
func (s *script) withTokens(arguments string, at int) string {
	for i := at - 1; i >= 0; i-- {
		earlier := s.exchanges[i]
		if token := s.exchanges[at].SentToken; token != 0 && earlier.GivenToken == token {
			arguments = strings.ReplaceAll(arguments, tokenVariable, fmt.Sprintf("$(header %d Cart-Token)", i+1))
		}
		for _, h := range earlier.Response.Header {
			if headerName().MatchString(h.Name) && h.Name != "Set-Cookie" && len(h.Value) >= shortestNonce {
				arguments = strings.ReplaceAll(arguments, ": "+h.Value+"'", fmt.Sprintf(`: '"$(header %d %s)"`, i+1, h.Name))
			}
		}
		if strings.HasSuffix(earlier.Endpoint, "/token") && earlier.Status/100 == 2 {
			arguments = strings.ReplaceAll(arguments, bearerVariable, fmt.Sprintf("$(from %d .token)", i+1))
		}
	}
	if at > 0 {
		arguments = strings.ReplaceAll(arguments, cookieVariable, "$(cookies)")
	}
	return arguments
}

// shortestNonce is from how many bytes on a header's value that is sent again counts as taken from the answer.
const shortestNonce = 8

// placed is where an answer holds a value.
type placed struct {
	number int // of the answer
	filter string
}

// idMembers are the members that other requests name a record by.
var idMembers = []string{"id", "order_id", "customer_id", "variation_id", "product_id"}

// keyMembers are texts of the same use.
var keyMembers = []string{"key", "order_key"}

// given lists the ids and keys of the answers before a request, the first place of each.
func (s *script) given(at int) map[string]placed {
	values := map[string]placed{}
	for i := range at {
		if s.exchanges[i].Response.Truncated == 0 {
			collect(gjson.Parse(s.exchanges[i].Response.Body), "", func(filter, value string) {
				if _, known := values[value]; !known {
					values[value] = placed{i + 1, filter}
				}
			})
		}
	}
	return values
}

// collect tells the ids and keys of a document, those that lie less deep first.
func collect(document gjson.Result, filter string, tell func(filter, value string)) {
	var inner []func()
	document.ForEach(func(key, value gjson.Result) bool {
		at := filter + "[" + key.Raw + "]"
		if document.IsArray() {
			at = fmt.Sprintf("%s[%d]", filter, key.Int())
		}
		switch {
		case value.IsObject() || value.IsArray():
			inner = append(inner, func() { collect(value, at, tell) })
		case value.Type == gjson.Number && value.Int() > 0 && slices.Contains(idMembers, key.String()),
			value.Type == gjson.String && len(value.String()) >= shortestNonce && slices.Contains(keyMembers, key.String()):
			tell("."+at, value.String())
		}
		return true
	})
	for _, next := range inner {
		next()
	}
}

// idPlace is a number where a request names a record: a part of its path, a value of its query, a member of its body, one of a list.
var idPlace = pattern(`(/|=|%2C|"[a-z_]*ids?":|\[|,|"parent":|"key":"|key=)([A-Za-z0-9_]{8,}|[0-9]+)`)

// withIDs takes ids and keys from the answers that gave them.
func (s *script) withIDs(arguments string, at int) string {
	values := s.given(at)
	var out strings.Builder
	rest := arguments
	for {
		match := idPlace().FindStringSubmatchIndex(rest)
		if match == nil {
			return out.String() + rest
		}
		value, after := rest[match[4]:match[5]], rest[match[5]:]
		place, known := values[value]
		out.WriteString(rest[:match[4]])
		if known && (after == "" || strings.ContainsAny(after[:1], `/?&'%,]}"`)) {
			fmt.Fprintf(&out, `'"$(from %d %s)"'`, place.number, ShellWord(place.filter))
		} else {
			out.WriteString(value)
		}
		rest = after
	}
}

// scriptFile is the name of the script of a finding, in the folder ScriptFolder of a report.
func scriptFile(c Cause) string {
	return notInNames().ReplaceAllString(c.Requirement+"-"+c.ID, "_") + ".sh"
}

// notInNames is what a report from elsewhere might lead to other folders by.
var notInNames = pattern(`[^A-Za-z0-9._-]`)

// ScriptFolder is the folder of scripts in that of a report.
const ScriptFolder = "scripts"
