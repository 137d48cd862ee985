package auth

// What an OAuth signature covers: the parameters of a request and its signature base string (RFC 5849, section 3.4.1).

import (
	"bytes"
	"cmp"
	"io"
	"mime"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"shopcheck/mockserver/internal/rest"
)

// parameter is one name and value, decoded.
type parameter struct{ name, value string }

// parameters are all parameters of a request that a signature covers: of the Authorization header, the query and a form
// body. Those of one name stand in the order in which they were sent.
type parameters []parameter

// collect gathers the parameters of a request. The body can be read again afterwards.
func collect(r *http.Request, target *url.URL) parameters {
	var all parameters
	all = all.with(headerParameters(r.Header))
	all = all.with(queryParameters(target.RawQuery))
	return all.with(queryParameters(formBody(r)))
}

func (all parameters) with(more url.Values) parameters {
	for name, values := range more {
		for _, value := range values {
			all = append(all, parameter{name, value})
		}
	}
	return all
}

// queryParameters decodes a query. One that cannot be decoded has none: reading the request refuses it later.
func queryParameters(raw string) url.Values {
	values, err := url.ParseQuery(raw)
	if err != nil {
		return nil
	}
	return values
}

// headerParameters decodes Authorization: OAuth realm="…", oauth_token="…" (section 3.5.1).
func headerParameters(header http.Header) url.Values {
	list, sent := authorization(header, "OAuth")
	if !sent {
		return nil
	}
	values := url.Values{}
	for item := range strings.SplitSeq(list, ",") {
		name, value, _ := strings.Cut(strings.TrimSpace(item), "=")
		name, nameErr := url.PathUnescape(strings.TrimSpace(name))
		value, valueErr := url.PathUnescape(strings.Trim(strings.TrimSpace(value), `"`))
		if nameErr == nil && valueErr == nil && name != "" && name != "realm" {
			values.Add(name, value)
		}
	}
	return values
}

// formBody reads the body of a form and puts it back. It gives "" for other bodies, and for one that is too large to be
// read later.
func formBody(r *http.Request) string {
	if kind, _, _ := mime.ParseMediaType(r.Header.Get("Content-Type")); kind != "application/x-www-form-urlencoded" || r.Body == nil {
		return ""
	}
	sent := r.Body
	text, err := io.ReadAll(io.LimitReader(sent, rest.MaxBody+1))
	r.Body = struct {
		io.Reader
		io.Closer
	}{io.MultiReader(bytes.NewReader(text), sent), sent}
	if err != nil || len(text) > rest.MaxBody {
		return ""
	}
	return string(text)
}

// last returns the value of a name that counts: the last one.
func (all parameters) last(name string) string {
	for _, p := range slices.Backward(all) {
		if p.name == name {
			return p.value
		}
	}
	return ""
}

// collapsed leaves what a shop makes of parameters that were sent more than once: the last value of each name, and each
// value of a list (name[]) once. Widely used clients send every query parameter twice and sign it once.
func (all parameters) collapsed() parameters {
	var kept parameters
	seen := map[parameter]bool{}
	for _, p := range slices.Backward(all) {
		same := parameter{name: p.name}
		if strings.HasSuffix(p.name, "[]") {
			same = p
		}
		if !seen[same] {
			seen[same] = true
			kept = append(kept, p)
		}
	}
	return kept
}

// signable are the texts that a client may have signed: each parameter as often as it was sent, as the RFC has it, or each once; or the
// entries of a list in the order of their numbers. Shops of this family sign so, and clients that were written for them.
func (all parameters) signable() []string {
	texts := []string{all.normalized()}
	once := all.collapsed()
	if len(once) < len(all) {
		texts = append(texts, once.normalized())
	}
	if slices.ContainsFunc(once, func(p parameter) bool { return entryOf(percentEncode(p.name)).number > 9 }) { // else the orders are one
		texts = append(texts, once.joined(byNumber))
	}
	return texts
}

// normalized is the parameters as they are signed (section 3.4.1.3.2): encoded, sorted by name, then value.
func (all parameters) normalized() string { return all.joined(byName) }

func (all parameters) joined(order func(a, b parameter) int) string {
	encoded := make(parameters, 0, len(all))
	for _, p := range all {
		if p.name != "oauth_signature" {
			encoded = append(encoded, parameter{percentEncode(p.name), percentEncode(p.value)})
		}
	}
	slices.SortFunc(encoded, order)
	var text strings.Builder
	for i, p := range encoded {
		if i > 0 {
			text.WriteByte('&')
		}
		text.WriteString(p.name + "=" + p.value)
	}
	return text.String()
}

func byName(a, b parameter) int {
	return cmp.Or(cmp.Compare(a.name, b.name), cmp.Compare(a.value, b.value))
}

// byNumber has include[2] before include[10].
func byNumber(a, b parameter) int {
	one, other := entryOf(a.name), entryOf(b.name)
	return cmp.Or(cmp.Compare(one.list, other.list), cmp.Compare(one.number, other.number), byName(a, b))
}

// entry is a place in a list.
type entry struct {
	list   string
	number int // -1: it has none
}

// entryOf reads the encoded name of a parameter: include%5B10%5D.
func entryOf(name string) entry {
	list, index, indexed := strings.Cut(name, "%5B")
	number, err := strconv.Atoi(strings.TrimSuffix(index, "%5D"))
	if !indexed || err != nil {
		return entry{name, -1}
	}
	return entry{list, number}
}

// baseString is what is signed (section 3.4.1.1).
func baseString(method, address, normalized string) string {
	return strings.ToUpper(method) + "&" + percentEncode(address) + "&" + percentEncode(normalized)
}

// baseAddress is the address that is signed (section 3.4.1.2): the one that the client dialled, without its query, in lower
// case up to the path, and without the port that the scheme means.
func baseAddress(dial rest.Dial, target *url.URL) string {
	scheme, host := strings.ToLower(dial.Scheme), strings.ToLower(dial.Host)
	switch scheme {
	case "http":
		host = strings.TrimSuffix(host, ":80")
	case "https":
		host = strings.TrimSuffix(host, ":443")
	}
	return scheme + "://" + host + cmp.Or(target.EscapedPath(), "/")
}

// percentEncode encodes all but the unreserved characters (section 3.6).
func percentEncode(s string) string { return strings.ReplaceAll(url.QueryEscape(s), "+", "%20") }
