package rest

// What a call brings and nobody declares: a shop ignores it, and its client does not know.

import (
	"net/url"
	"slices"
	"strings"
)

// Undeclared are the names of parameters and fields that a call brings and that its endpoint does not declare.
type Undeclared struct {
	Query  []string
	Fields []string // of the body, with the fields that they are in: "billing.zip"
}

const maxUndeclared = 8 // names that are told of one call

// knownEverywhere are parameters of the query that no endpoint declares and that are read before it: credentials, the address, and what
// shows a record in another way.
var knownEverywhere = []string{"rest_route", "consumer_key", "consumer_secret", "context"}

func isKnownEverywhere(name string) bool {
	return strings.HasPrefix(name, "_") || strings.HasPrefix(name, "oauth_") || slices.Contains(knownEverywhere, name)
}

// noticeQuery tells what of the query is not declared. It reads names alone: most calls have nothing to tell.
func (r *Request) noticeQuery(checks *checklist) {
	var names []string
	for pair := range strings.SplitSeq(r.HTTP.URL.RawQuery, "&") {
		name, _, _ := strings.Cut(pair, "=")
		if checks.byName[name] != nil {
			continue
		}
		name, err := url.QueryUnescape(name)
		name, _, _ = strings.Cut(name, "[")
		if _, inPath := r.Path[name]; err != nil || name == "" || inPath || checks.byName[name] != nil || isKnownEverywhere(name) {
			continue
		}
		if len(names) < maxUndeclared && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	r.foreign = len(names) > 0
	if r.foreign && r.Unknown != nil {
		r.Unknown(Undeclared{Query: names})
	}
}

// undeclaredFields are the names in the body that are not declared. Checking it takes them out.
func (r *Request) undeclaredFields(checks *checklist) []string {
	if r.Unknown == nil {
		return nil
	}
	var names []string
	note := func(name string) {
		if len(names) < maxUndeclared && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	for _, sent := range r.input.body {
		switch param := checks.byName[sent.Name]; {
		case param != nil && !isMeta(sent.Name):
			undeclaredIn(param, sent.Name, sent.Value, note)
		case param == nil && !isKnownEverywhere(sent.Name) && sent.Name != WholeBody && r.Path[sent.Name] == "":
			note(sent.Name)
		}
	}
	slices.Sort(names)
	return names
}

// isMeta reports whether a field is a record's metadata, which is shown with more than is taken.
func isMeta(name string) bool { return name == "meta_data" }

// undeclaredIn looks into objects and lists whose fields are declared.
func undeclaredIn(param *Param, name string, value any, note func(string)) {
	switch v := value.(type) {
	case []any:
		if param.Items != nil {
			for _, item := range v {
				undeclaredIn(param.Items, name, item, note)
			}
		}
	case Args:
		if param.Fields == nil {
			return
		}
		for _, inner := range v {
			at := slices.IndexFunc(param.Fields, func(f Param) bool { return f.Name == inner.Name })
			switch {
			case at >= 0 && holdsMore(inner.Value) && !isMeta(inner.Name):
				undeclaredIn(&param.Fields[at], name+"."+inner.Name, inner.Value, note)
			case at < 0 && !isKnownEverywhere(inner.Name):
				note(name + "." + inner.Name)
			}
		}
	}
}

// holdsMore reports whether a value has values in it.
func holdsMore(value any) bool {
	switch value.(type) {
	case []any, Args:
		return true
	}
	return false
}
