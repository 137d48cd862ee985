package client

// One line of shell that repeats a request. Secrets stand as variables that the reader sets.

import (
	"net/http"
	"sort"
	"strings"

	"shopcheck/suites/profile"
)

const curlBody = 4 << 10 // bytes; a longer body makes no line that anyone pastes

// Variables of curl lines beside those that set a key of the profile.
const (
	oauthVariable  = profile.EnvironmentPrefix + "OAUTH_HEADER"
	bearerVariable = profile.EnvironmentPrefix + "BEARER_TOKEN"
)

// CurlVariables returns the names of all of these: whoever repeats a request may have set them.
func CurlVariables() []string {
	names := []string{oauthVariable, bearerVariable}
	for _, header := range secretHeaders() {
		names = append(names, headerVariable(header))
	}
	return names
}

func headerVariable(header string) string { return profile.EnvironmentName(strings.ToLower(header)) }

// curlLine writes the request for a POSIX shell.
func (r *Redactor) curlLine(req Request, address string, sent http.Header, body []byte) string {
	var line strings.Builder
	line.WriteString("curl -sS -i")
	if r.roots != "" && strings.HasPrefix(address, "https:") {
		line.WriteString(" --cacert " + r.shell(r.roots))
	}
	if req.Method != http.MethodGet {
		line.WriteString(" -X " + req.Method)
	}
	line.WriteString(" " + r.shell(address))
	if req.Auth.Way == BasicWay {
		line.WriteString(" -u " + r.userArgument(req.Auth.Credentials))
	}
	switch req.Auth.Way { // a nonce is used once, and a token ends: who repeats the request brings new ones
	case SignedWay:
		line.WriteString(` -H "Authorization: $` + oauthVariable + `"`)
	case BearerWay:
		line.WriteString(` -H "Authorization: Bearer $` + bearerVariable + `"`)
	}
	for _, name := range worthSending(sent) {
		line.WriteString(" -H " + r.headerArgument(name, sent.Get(name)))
	}
	if len(body) > 0 && len(body) <= curlBody {
		line.WriteString(" --data-raw " + r.shell(string(body)))
	}
	return line.String()
}

func worthSending(sent http.Header) []string {
	var names []string
	for name := range sent {
		switch name {
		case "Authorization", "User-Agent", "Accept-Encoding", "Content-Length":
		default:
			names = append(names, name)
		}
	}
	sort.Strings(names)
	return names
}

func (r *Redactor) headerArgument(name, value string) string {
	if isSecretHeader(name) {
		return `"` + name + ": $" + headerVariable(name) + `"`
	}
	return r.shell(name + ": " + value)
}

// userArgument is name and secret, the latter as a variable where it is one of the profile.
func (r *Redactor) userArgument(pair profile.Credentials) string {
	if key, known := r.keys[pair.Secret]; known {
		return r.shell(pair.Key+":") + `"$` + profile.EnvironmentName(key) + `"`
	}
	return r.shell(pair.Key + ":" + pair.Secret)
}

// quoteInQuotes is how a shell takes a single quote within single quotes.
const quoteInQuotes = `'\''`

// shell quotes an argument, with a variable in place of each secret of the profile. What is secret but has no
// variable of its own is redacted.
func (r *Redactor) shell(argument string) string {
	return r.redact("'"+strings.ReplaceAll(argument, "'", quoteInQuotes)+"'", false, true)
}
