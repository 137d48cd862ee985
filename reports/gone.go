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
		r.Specs[i].noteGone(r.isThere)
	}
}

// noteGone is NoteGone for a spec, with what is still there.
func (s *Spec) noteGone(isThere func(kind, id string) bool) {
	made := map[string]string{} // kind and id, by the id
	for i := range s.Exchanges {
		e := &s.Exchanges[i]
		e.Gone = nil
		eachID(e.Curl, func(id string) { e.Gone = addNew(e.Gone, made[id]) })
		for kind, ids := range e.makes() {
			for _, id := range ids {
				if !isThere(kind, id) {
					made[id] = kind + " " + id
				}
			}
		}
	}
}

// eachID passes on the numbers of a text that stand where idPlace finds them, which looks for keys too and takes fifty times as long.
func eachID(text string, tell func(id string)) {
	for at := 1; at < len(text); at++ {
		if isDigit(text[at]) && endsBeforeID(text[:at]) {
			tell(idAt(text[at:]))
		}
	}
}

// endsBeforeID reports whether a text ends in what idPlace has before an id.
func endsBeforeID(text string) bool {
	switch text[len(text)-1] {
	case '/', '=', '[', ',':
		return true
	case 'C':
		return strings.HasSuffix(text, "%2C")
	case '"':
		return strings.HasSuffix(text, `"key":"`)
	case ':':
		name, isMember := strings.CutSuffix(text, `":`)
		quote := strings.LastIndexByte(name, '"')
		return isMember && quote >= 0 && namesID(name[quote+1:])
	}
	return false
}

// namesID reports whether the value of a member is an id, or several.
func namesID(member string) bool {
	isName := strings.Trim(member, "abcdefghijklmnopqrstuvwxyz_") == ""
	return member == "parent" || isName && strings.HasSuffix(strings.TrimSuffix(member, "s"), "id")
}

// idAt returns what a text begins with: a word of eight characters, which may be a key, or else a number.
func idAt(text string) string {
	word := text[:len(text)-len(strings.TrimLeft(text, wordCharacters))]
	if len(word) >= 8 {
		return word
	}
	return word[:len(word)-len(strings.TrimLeft(word, "0123456789"))]
}

const wordCharacters = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz"

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

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
