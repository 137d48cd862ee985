package shopmock_test

// References: the mock gives records other ids, keys and tokens than the live shop did. A request that was recorded with one
// of these says instead where the live shop had given it – <<018-product-create id>> – and is sent with what the mock
// gave there. What the shop had from the beginning is named by its own name: <<seed product VAR-01>>.

import (
	"fmt"
	"maps"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/tidwall/gjson"
)

// kind is a sequence of ids: equal ids of one kind are the same record.
type kind string

const (
	aPost      kind = "post" // products, variations, orders, refunds, coupons
	aTerm      kind = "term"
	anAttr     kind = "attribute"
	aReview    kind = "review"
	aNote      kind = "note"
	aCustomer  kind = "customer"
	aRate      kind = "rate"
	aZone      kind = "zone"
	aMethod    kind = "method"
	aWebhook   kind = "webhook"
	aLine      kind = "line"
	aText      kind = "text" // order keys and keys of cart items
	noKind     kind = ""
	sharedKind kind = "of the collection"
)

// collections tells the kind of the records that lie under a word of a path.
var collections = map[string]kind{
	"products": aPost, "variations": aPost, "orders": aPost, "order": aPost, "checkout": aPost, "refunds": aPost, "coupons": aPost,
	"categories": aTerm, "tags": aTerm, "brands": aTerm, "shipping_classes": aTerm, "terms": aTerm, "attributes": anAttr,
	"reviews": aReview, "notes": aNote, "customers": aCustomer, "taxes": aRate, "zones": aZone, "methods": aMethod,
	"webhooks": aWebhook, "items": aText,
}

// fieldKinds tells the kind of what is in a field, wherever it is. An id is of the kind of the list that it is in.
var fieldKinds = map[string]kind{
	"product_id": aPost, "variation_id": aPost, "product_ids": aPost, "order_id": aPost, "product": aPost,
	"customer_id": aCustomer, "customer": aCustomer, "reassign": aCustomer, "parent": aTerm, "category": aTerm,
	"include": sharedKind, "exclude": sharedKind, "delete": sharedKind,
	"order_key": aText, "key": aText,
}

// listKinds tells the kind of the ids of the objects in a list.
var listKinds = map[string]kind{
	"line_items": aLine, "fee_lines": aLine, "shipping_lines": aLine, "refund_tax": aRate, "refunds": aPost,
	"categories": aTerm, "tags": aTerm, "attributes": anAttr,
}

// collectionOf returns the kind of the records that a path is about.
func collectionOf(target string) kind {
	path, _, _ := strings.Cut(target, "?")
	found := noKind
	for _, word := range strings.Split(path, "/") {
		if k, known := collections[word]; known {
			found = k
		}
	}
	if strings.Contains(target, "/store/v1/cart") || strings.Contains(target, "/store/v1/batch") {
		return aPost // what is put into a cart
	}
	return found
}

// identity is a value of a kind.
type identity struct {
	kind  kind
	value string
}

// sources knows where each identity was first given.
type sources struct {
	places map[identity]string
	tokens map[string]string // tokens and cookies
	nonces map[string]string // the newest answer that carried each nonce
}

func newSources() *sources {
	known := &sources{places: map[identity]string{}, tokens: map[string]string{}, nonces: map[string]string{}}
	for _, record := range seedRecords {
		known.places[identity{record.kind, record.live}] = reference("seed", record.name)
	}
	return known
}

func reference(answer, place string) string { return "<<" + answer + " " + place + ">>" }

// learn notes what an answer gave.
func (s *sources) learn(t *transcript) {
	body := t.json()
	walk(body, place{kind: collectionOf(t.target)}, func(p place, value gjson.Result) {
		s.note(identity{p.kind, value.String()}, reference(t.name, strings.Join(p.path, ".")))
	})
	for _, name := range []string{"Cart-Token", "Nonce"} {
		if value := t.answer.Get(name); value != "" {
			s.noteToken(name, value, reference(t.name, name))
		}
	}
	for _, cookie := range t.answer["Set-Cookie"] {
		pair, _, _ := strings.Cut(cookie, ";")
		s.noteToken("Cookie", pair, reference(t.name, "Cookie"))
	}
}

// opaqueText matches the texts that identify something: keys of orders and of cart items.
var opaqueText = regexp.MustCompile(`^(order_\w+|[0-9a-f]{32})$`)

// nobodysID matches the ids that are sent because no record has them, and the one that means none.
var nobodysID = regexp.MustCompile(`^(0|9{3,}[89])?$`)

func (s *sources) note(id identity, where string) {
	nobody := nobodysID.MatchString(id.value) || id.kind == aText && !opaqueText.MatchString(id.value)
	if _, known := s.places[id]; !known && !nobody {
		s.places[id] = where
	}
}

// noteToken keeps the first answer with a token, but the last one with a nonce: the newest is to be sent.
func (s *sources) noteToken(header, value, where string) {
	if header == "Nonce" {
		s.nonces[value] = where
		return
	}
	if _, known := s.tokens[value]; !known {
		s.tokens[value] = where
	}
}

// place is where a value is in a document, and of which kind an id there is.
type place struct {
	path []string
	kind kind // of an id here, or of the list's ids
}

// walk visits every value of a document that can identify a record.
func walk(value gjson.Result, at place, visit func(place, gjson.Result)) {
	collection := at.kind
	var step func(value gjson.Result, path []string, name string, ids kind)
	step = func(value gjson.Result, path []string, name string, ids kind) {
		if value.IsObject() || value.IsArray() {
			inner := innerKind(name, ids, collection)
			index := 0
			value.ForEach(func(key, element gjson.Result) bool {
				word, field := key.String(), key.String()
				if value.IsArray() {
					word, field = strconv.Itoa(index), name
					index++
				}
				step(element, append(slices.Clone(path), word), field, inner)
				return true
			})
			return
		}
		if found := valueKind(name, ids, collection); found != noKind {
			visit(place{path, found}, value)
		}
	}
	step(value, at.path, "", collection)
}

// innerKind is the kind of the ids inside a field.
func innerKind(name string, ids, collection kind) kind {
	switch k, known := listKinds[name]; {
	case known:
		return k
	case name == "create" || name == "update" || name == "body" || name == "items":
		return collection
	case name == "" || name == "requests" || name == "responses" || name == "delete":
		return ids
	default:
		return noKind
	}
}

func valueKind(name string, ids, collection kind) kind {
	if name == "id" {
		return ids
	}
	if k := fieldKinds[name]; k != sharedKind {
		return k
	}
	return collection
}

// in returns the reference to a recorded value, or the value itself where no answer gave it.
func (s *sources) in(k kind, value string) string {
	if where, known := s.places[identity{k, value}]; known {
		return where
	}
	return value
}

// inTarget puts references into a path and its query.
func (s *sources) inTarget(target string) string {
	path, query, hasQuery := strings.Cut(target, "?")
	words := strings.Split(path, "/")
	for i := 1; i < len(words); i++ {
		if k, known := collections[words[i-1]]; known {
			words[i] = s.in(k, words[i])
		}
	}
	if !hasQuery {
		return strings.Join(words, "/")
	}
	return strings.Join(words, "/") + "?" + s.inQuery(query, collectionOf(target))
}

func (s *sources) inQuery(query string, collection kind) string {
	pairs := strings.Split(query, "&")
	for i, pair := range pairs {
		name, value, _ := strings.Cut(pair, "=")
		if k := valueKind(name, noKind, collection); k != noKind {
			values := strings.Split(value, ",")
			for j := range values {
				values[j] = s.in(k, values[j])
			}
			pairs[i] = name + "=" + strings.Join(values, ",")
		}
	}
	return strings.Join(pairs, "&")
}

// sentHeaders are the headers of a request that change what is answered.
var sentHeaders = []string{"Content-Type", "Cart-Token", "Nonce", "Cookie", "X-Http-Method-Override"}

func (s *sources) inHeader(header http.Header) map[string]string {
	sent := map[string]string{}
	for _, name := range sentHeaders {
		if value := header.Get(name); value != "" {
			sent[name] = s.token(value)
		}
	}
	return sent
}

func (s *sources) token(value string) string {
	if where, known := s.tokens[value]; known {
		return where
	}
	if where, known := s.nonces[value]; known {
		return where
	}
	return value
}

// inBody puts references into a body. One that is no JSON is left as it is.
func (s *sources) inBody(t *transcript) string {
	if !gjson.Valid(t.body) {
		return t.body
	}
	edits := map[int]edit{}
	for name, where := range allTokens(s) {
		if at := strings.Index(t.body, name); at >= 0 && len(name) >= minTokenLength {
			for ; at >= 0; at = indexFrom(t.body, name, at+1) {
				edits[at] = edit{at, at + len(name), where}
			}
		}
	}
	walkText(t.body, collectionOf(t.target), func(k kind, value gjson.Result) {
		start, end := value.Index, value.Index+len(value.Raw)
		if value.Type == gjson.String {
			start, end = start+1, end-1
		}
		if where := s.in(k, value.String()); where != value.String() {
			edits[start] = edit{start, end, where}
		}
	})
	return applyEdits(t.body, edits)
}

// minTokenLength keeps short texts from being taken for tokens.
const minTokenLength = 10

func allTokens(s *sources) map[string]string {
	all := maps.Clone(s.tokens)
	maps.Copy(all, s.nonces)
	return all
}

func indexFrom(text, part string, from int) int {
	if i := strings.Index(text[from:], part); i >= 0 {
		return from + i
	}
	return -1
}

// edit replaces a stretch of a text.
type edit struct {
	start, end int
	by         string
}

func applyEdits(text string, edits map[int]edit) string {
	var edited strings.Builder
	done := 0
	for _, start := range slices.Sorted(maps.Keys(edits)) {
		edited.WriteString(text[done:start])
		edited.WriteString(edits[start].by)
		done = edits[start].end
	}
	return edited.String() + text[done:]
}

// walkText is walk, with each value's index in the whole text.
func walkText(text string, collection kind, visit func(kind, gjson.Result)) {
	document := gjson.Parse(text)
	walk(document, place{kind: collection}, func(p place, _ gjson.Result) {
		if value := gjson.Get(text, strings.Join(p.path, ".")); value.Index > 0 {
			visit(p.kind, value)
		}
	})
}

// referenceForm matches a reference: the answer, and the place in it.
var referenceForm = regexp.MustCompile(`<<(\S+) ([^>]+)>>`)

// answers are what the mock gave so far, by the names of the calls.
type answers map[string]*mockAnswer

// body is what the mock answered to a call, "" before it was sent.
func (a answers) body(call string) string {
	if given := a[call]; given != nil {
		return given.body
	}
	return ""
}

type mockAnswer struct {
	header http.Header
	body   string
}

// missingValue is sent for what the mock did not give: no record has this id.
const missingValue = "999997"

// fill puts the mock's own values in the place of references; missing names those that it did not give.
func (a answers) fill(text string) (filled string, missing []string) {
	filled = referenceForm.ReplaceAllStringFunc(text, func(whole string) string {
		parts := referenceForm.FindStringSubmatch(whole)
		value, given := a.value(parts[1], parts[2])
		if !given {
			missing = append(missing, whole)
			return missingValue
		}
		return value
	})
	return filled, missing
}

func (a answers) value(answer, place string) (string, bool) {
	given := a[answer]
	if given == nil {
		return "", false
	}
	switch place {
	case "Cart-Token", "Nonce":
		value := given.header.Get(place)
		return value, value != ""
	case "Cookie":
		return cookiesOf(given.header)
	default:
		value := gjson.Get(given.body, place)
		return value.String(), value.Exists()
	}
}

func cookiesOf(header http.Header) (string, bool) {
	var pairs []string
	for _, cookie := range (&http.Response{Header: header}).Cookies() {
		pairs = append(pairs, fmt.Sprintf("%s=%s", cookie.Name, cookie.Value))
	}
	return strings.Join(pairs, "; "), len(pairs) > 0
}
