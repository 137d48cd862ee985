package reports

// What is gone: records that a curl line names and that the run has deleted since, so that the line needs other ids.

import (
	"slices"
	"strings"

	"github.com/tidwall/gjson"
)

// NoteGone notes at each exchange which records it names that the run has made and has not left at the target.
func NoteGone(r *Report) {
	for i := range r.Specs {
		made := map[string]string{} // kind and id, by the id
		for j := range r.Specs[i].Exchanges {
			e := &r.Specs[i].Exchanges[j]
			if mentions(e.Curl, made) { // the pattern is slow, and few lines name one
				for _, match := range idPlace().FindAllStringSubmatch(e.Curl, -1) {
					if record := made[match[2]]; record != "" {
						e.Gone = addNew(e.Gone, record)
					}
				}
			}
			for kind, ids := range e.makes() {
				for _, id := range ids {
					if record := kind + " " + id; !r.isThere(kind, id) {
						made[id] = record
					}
				}
			}
		}
	}
}

// mentions reports whether an id stands in a text where one may: before it is what idPlace ends in, and behind it no further digit.
func mentions(text string, made map[string]string) bool {
	for id := range made {
		for rest := text; ; {
			_, after, found := strings.Cut(rest, id)
			if !found {
				break
			}
			at := len(text) - len(after) - len(id)
			if at > 0 && strings.IndexByte(`/=C:[,"`, text[at-1]) >= 0 && (after == "" || after[0] < '0' || after[0] > '9') {
				return true
			}
			rest = after
		}
	}
	return false
}

// makes returns the ids of the records that an exchange has made, by their kind.
func (e Exchange) makes() map[string][]string {
	body := e.Response.Body
	collection, managed := strings.CutPrefix(e.Endpoint, "POST /shop/v3/")
	switch {
	case e.Status/100 != 2:
		return nil
	case strings.HasSuffix(e.Endpoint, "/checkout"):
		return map[string][]string{"orders": texts(gjson.Get(body, "order_id"))}
	case !managed:
		return nil
	}
	kind, inBatch := strings.CutSuffix(strings.ReplaceAll(collection, "{id}/", ""), "/batch")
	if inBatch {
		return map[string][]string{kind: texts(gjson.Get(body, "create.#.id"))}
	}
	return map[string][]string{kind: texts(gjson.Get(body, "id"))}
}

// texts lists numbers above zero as text.
func texts(ids gjson.Result) []string {
	var out []string
	for _, id := range ids.Array() {
		if id.Int() > 0 {
			out = append(out, id.String())
		}
	}
	return out
}

// isThere reports whether a record was kept, or could not be deleted.
func (r *Report) isThere(kind, id string) bool {
	path := "/shop/v3/" + kind + "/" + id
	return slices.ContainsFunc(r.Kept, func(k Kept) bool { return k.Path == path }) ||
		slices.ContainsFunc(r.Leftovers, func(left string) bool {
			return strings.Contains(left+" ", path+" ") || strings.Contains(left, path+"?")
		})
}

// GoneInWords says which records a curl line names that are not there any more, "" for none.
func (e Exchange) GoneInWords() string {
	if len(e.Gone) == 0 {
		return ""
	}
	return strings.Join(e.Gone, ", ") + ", deleted after the run: take the id of another"
}
