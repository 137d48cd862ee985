package reports

// The signatures of a deviation: what it says of the kind and the place of what is wrong, without the ids, numbers and
// tokens of the record that showed it. Two deviations with a signature in common have one cause.

import (
	"encoding/json"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/tidwall/gjson"
)

// deviation is a finding with what its cause is recognised by.
type deviation struct {
	SpecFinding
	kind       Outcome
	number     int             // in the findings of its spec; -1 for none
	resource   string          // the route of its answer without ids and actions: /shop/v3/products
	paths      []string        // the fields that it is about, without the places in lists
	aboutField bool            // of a success: its value, or that it is missing
	broadly    bool            // its place is broken as a whole: nothing follows from one field
	met        map[string]bool // resources that its spec had asked for by then
	signatures []string        // the most telling first; never empty
	said       []string        // the words in which it speaks of fields
	telling    []string        // the words of its first field's name that others do not have
}

func newDeviation(found SpecFinding, kind Outcome) *deviation {
	d := &deviation{SpecFinding: found, kind: kind, number: slices.Index(found.Spec.Findings, found.Finding)}
	if e := found.Exchanged(); e != nil {
		d.resource = resourceOf(e.Endpoint)
	}
	d.paths = placesOf(found.Finding)
	d.met = resourcesMet(found.Spec, found.Exchange)
	d.signatures = d.sign()
	d.said = wordsOf(d.Requirement + " " + d.Path)
	if !isOfStatus(d.Want) {
		d.said = append(d.said, wordsOf(d.Want)...)
	}
	if d.Path == "" && !strings.HasPrefix(d.Got, "status ") { // a comparison says in words what of
		d.said = append(d.said, wordsOf(d.Message)...)
	}
	if len(d.paths) > 0 {
		d.telling = slices.DeleteFunc(wordsOf(d.leaf()), func(word string) bool { return slices.Contains(commonWords(), word) })
	}
	return d
}

// isOfStatus reports whether what was wanted is a status of HTTP, which has nothing to do with a field of that name.
func isOfStatus(want string) bool {
	return strings.HasPrefix(want, "status ") || strings.HasSuffix(want, "xx status")
}

// sign tries the rules in their order; the first that applies says what the deviation is about.
func (d *deviation) sign() []string {
	e := d.Exchanged()
	switch {
	case d.kind == BrokenHarness:
		return []string{"harness " + plain(d.Message)}
	case e == nil:
		return []string{rulePrefix + d.Requirement + " " + plain(d.Message)}
	case e.Status == 0:
		return []string{"silence " + plain(d.Got)}
	case d.isAccepted():
		return d.acceptedSignatures(e)
	case e.Status == http.StatusNotFound, e.Status >= http.StatusInternalServerError,
		e.Status >= http.StatusBadRequest && !isHeader(d.Finding):
		return d.errorSignatures(e)
	case d.innerError() != "":
		return []string{d.innerError()}
	case isHeader(d.Finding) && isNone(d.Got) && d.Path != "Link":
		return d.headerSignatures()
	case d.isAboutLinks():
		return []string{"header Link " + d.resource, rulePrefix + d.Requirement}
	case isEmptyList(e) && (d.Path == "" || isHeader(d.Finding)):
		return []string{"empty list " + d.resource}
	case isHeader(d.Finding):
		return d.headerSignatures()
	case holdsError(e):
		return []string{"error with status " + e.Answer()[:3] + " " + codeOf(e)}
	case strings.HasPrefix(d.Got, "status "):
		return []string{"status " + d.Got + " instead of " + d.Want + " " + d.resource, d.ruleSignature()}
	case isList(d.Finding):
		return d.listSignatures()
	case len(d.paths) > 0:
		return d.fieldSignatures()
	}
	return []string{d.ruleSignature()}
}

// ruleSignature is that of a requirement: what breaks one rule at one resource has one cause, unless something better is known. A
// rule about values that are not allowed, or not given, belongs to the rule about the parameter.
func (d *deviation) ruleSignature() string {
	rule := strings.TrimSuffix(strings.TrimSuffix(d.Requirement, ".invalid"), ".default")
	return rulePrefix + rule + " " + d.resource
}

// isAboutLinks reports whether the deviation is about where the links of a list lead: what is found behind a wrong one follows.
func (d *deviation) isAboutLinks() bool {
	return strings.HasPrefix(d.Requirement, "pagination.") && strings.Contains(d.Requirement, "link")
}

func (d *deviation) headerSignatures() []string {
	if isNone(d.Got) {
		return []string{"header " + d.Path + " missing", d.ruleSignature()}
	}
	return []string{"header " + d.Path + " " + d.resource, "header " + d.Path + " " + d.Requirement}
}

// errorSignatures: an answer that refuses what must be done, or refuses with another error. All that is missing in it follows.
func (d *deviation) errorSignatures(e *Exchange) []string {
	if isEnvelopeField(d.Finding) {
		if strings.HasPrefix(d.paths[0], "data") && !gjson.Get(e.Response.Body, "data").IsObject() {
			return []string{"error envelope without data"}
		}
		return []string{"error envelope " + firstNames(d.paths[0]) + " " + codeOf(e), "error envelope by " + d.Requirement}
	}
	signatures, code := []string{errorSignature(e.Status, codeOf(e), d.resource)}, codeOf(e)
	if d.isOfAccess() {
		signatures = append(signatures, d.accessSignature())
	}
	wanted := d.wantedCode()
	if wantsRefusal(d.Finding) && code != "" { // the code is known, and its status is another wherever it is answered
		wanted = d.Want
	}
	if wanted != "" {
		signatures = append(signatures, errorSignature(e.Status, code, "")+" instead of "+wanted)
	}
	return signatures
}

// errorSignature names a refusal. One for lack of permission has a cause that lies before any resource.
func errorSignature(status int, code, resource string) string {
	signature := "error " + strings.TrimSpace(strconv.Itoa(status)+" "+code)
	if status == http.StatusUnauthorized || status == http.StatusForbidden {
		return signature
	}
	return strings.TrimSpace(signature + " " + resource)
}

// innerError is the first error within a batch that the spec has sent: what is missing after it follows.
func (d *deviation) innerError() string {
	for i := range d.Spec.Exchanges[:min(d.Exchange+1, len(d.Spec.Exchanges))] {
		e := &d.Spec.Exchanges[i]
		if !strings.HasSuffix(e.Endpoint, "/store/v1/batch") {
			continue
		}
		for n, inner := range gjson.Get(e.Response.Body, "responses").Array() {
			if status := int(inner.Get("status").Int()); status >= http.StatusBadRequest {
				path := gjson.Get(e.Request.Body, "requests."+strconv.Itoa(n)+".path").String()
				return errorSignature(status, inner.Get("body.code").String(), resourceOf("POST "+path))
			}
		}
	}
	return ""
}

// firstNames are the first two names of a path: data.params of data.params.billing_address.city.
func firstNames(path string) string {
	names := strings.SplitN(path, ".", 3)
	return strings.Join(names[:min(2, len(names))], ".")
}

func codeOf(e *Exchange) string { return gjson.Get(e.Response.Body, "code").String() }

// holdsError reports whether an answer that calls itself a success is an error all the same.
func holdsError(e *Exchange) bool {
	return codeOf(e) != "" && gjson.Get(e.Response.Body, "message").Exists()
}

func isEmptyList(e *Exchange) bool { return strings.TrimSpace(e.Response.Body) == "[]" }

func (d *deviation) wantedCode() string {
	if d.Path != "code" {
		return ""
	}
	return strings.Trim(d.Want, `"`)
}

// acceptedSignatures: an answer that accepts what must be refused. Where the request was not allowed to be made, that is the
// cause, whatever was asked for; else it is what was asked.
func (d *deviation) acceptedSignatures(e *Exchange) []string {
	if holdsError(e) {
		return []string{"error with status " + e.Answer()[:3] + " " + codeOf(e)}
	}
	if gap := credentialGap(e); gap != "" {
		return []string{"accepted " + gap}
	}
	accepted := "accepted " + d.Want + " " + e.Endpoint + " " + inputsOf(e)
	if d.isOfAccess() {
		return []string{accepted, d.accessSignature()}
	}
	return []string{accepted, d.ruleSignature()}
}

// isOfAccess reports whether somebody had to be turned away for what he came with: that is looked at in one place for all resources.
func (d *deviation) isOfAccess() bool {
	topic, _, _ := strings.Cut(d.Requirement, ".")
	return wantsRefusal(d.Finding) && slices.Contains([]string{"auth", "login", "nonce", "carttoken"}, topic)
}

func (d *deviation) accessSignature() string { return "access by " + d.Requirement }

// isAccepted reports whether a success came in place of a refusal.
func (d *deviation) isAccepted() bool {
	e := d.Exchanged()
	return e != nil && wantsRefusal(d.Finding) && e.Status < http.StatusBadRequest
}

func wantsRefusal(f Finding) bool {
	return strings.HasPrefix(f.Want, "status 4") || strings.HasPrefix(f.Want, "a 4xx") || f.Want == "anything but a 2xx status"
}

// credentialGap says by what a request that was accepted lacked the right; "" where it had what such requests need.
func credentialGap(e *Exchange) string {
	has := func(name string) bool {
		return slices.ContainsFunc(e.Request.Header, func(h Header) bool { return strings.EqualFold(h.Name, name) })
	}
	key := keyVariable().FindStringSubmatch(e.Curl)
	switch {
	case isStoreRoute(e.Endpoint) && e.Method != http.MethodGet && !has("Nonce") && !has("Cart-Token"):
		return "without a nonce"
	case isStoreRoute(e.Endpoint):
		return ""
	case strings.Contains(e.Curl, oauthVariable) || strings.Contains(e.URL, "oauth_"):
		return "with a bad signature"
	case key != nil && key[1] != "READ_WRITE":
		return "with the key " + key[1]
	case key == nil && !strings.Contains(e.URL, "consumer_key=") && !has("Authorization"):
		return "without credentials"
	}
	return ""
}

// oauthVariable stands for a signature in the curl lines of the suites.
const oauthVariable = "$SHOPCHECK_OAUTH_HEADER"

func isStoreRoute(endpoint string) bool { return strings.Contains(endpoint, "/store/") }

// queryNames are the names of the parameters in a request's query.
func queryNames(e *Exchange) (names []string) {
	_, query, found := strings.Cut(e.URL, "?")
	if !found {
		return nil
	}
	for pair := range strings.SplitSeq(query, "&") {
		name, _, _ := strings.Cut(pair, "=")
		if !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}

// inputsOf names the parameters of a request.
func inputsOf(e *Exchange) string {
	names := queryNames(e)
	gjson.Parse(e.Request.Body).ForEach(func(name, _ gjson.Result) bool {
		names = append(names, name.String())
		return true
	})
	slices.Sort(names)
	return strings.Join(names, ",")
}

// listSignatures: an empty list has one cause whatever was asked for; another one belongs to what was asked.
func (d *deviation) listSignatures() []string {
	if slices.Contains([]string{"[]", "0", "nil", `"[]"`}, d.Got) {
		return []string{"empty list " + d.resource}
	}
	return []string{d.ruleSignature()}
}

func (d *deviation) fieldSignatures() []string {
	d.aboutField = true
	signatures := make([]string, 0, len(d.paths)+1)
	for _, path := range d.paths {
		signatures = append(signatures, "field "+path+" "+d.resource)
	}
	if d.isAboutAnyField() {
		return signatures
	}
	return append(signatures, d.ruleSignature())
}

// isAboutAnyField reports whether the rule is one for whatever field: two fields that break it need not have one cause.
func (d *deviation) isAboutAnyField() bool {
	return strings.HasSuffix(d.Requirement, ".one-record") || strings.HasSuffix(d.Requirement, ".empty-values")
}

// severalOf is how many things that are wrong alike have one cause: a place that is broken as a whole.
const severalOf = 3

// markWhatIsOtherwise gives deviations at one place that is broken as a whole a signature in common: an answer that lacks several
// fields is another record, and an endpoint that accepts several requests that must be refused accepts whatever is sent.
func markWhatIsOtherwise(all []*deviation) {
	markWhatIsNoList(all)
	alike := map[string][]*deviation{}
	for _, d := range all {
		if at := d.brokenPlace(); at != "" {
			alike[at] = append(alike[at], d)
		}
	}
	for at, same := range alike {
		kinds := map[string]bool{}
		for _, d := range same {
			kinds[d.signatures[0]] = true
		}
		if len(kinds) < severalOf {
			continue
		}
		for _, d := range same {
			d.signatures, d.broadly = append(d.signatures, at), true
		}
	}
}

// NoArray is the message of a finding that a collection is something else than an array.
const NoArray = "the collection is no array"

// markWhatIsNoList gives all that is said of a collection that is no array one signature: what is looked for in its records
// cannot be there. What its headers say is another matter.
func markWhatIsNoList(all []*deviation) {
	none, instead := map[string]bool{}, map[string]bool{}
	for _, d := range all {
		if e := d.Exchanged(); d.Message == NoArray {
			none[e.Endpoint], instead[fieldsIn(e)] = true, true
		}
	}
	for _, d := range all {
		e := d.Exchanged()
		if e == nil || isHeader(d.Finding) || gjson.Parse(e.Response.Body).IsArray() {
			continue
		}
		switch isSuch := e.Method == http.MethodGet && instead[fieldsIn(e)] && fieldsIn(e) != ""; {
		case isSuch:
			d.signatures = []string{"no array but " + fieldsIn(e)}
		case none[e.Endpoint]:
			d.signatures = []string{"no array " + e.Endpoint}
		}
	}
}

// fieldsIn are those of the object that an answer is: lists that are wrapped in one have them in common.
func fieldsIn(e *Exchange) string {
	var names []string
	gjson.Parse(e.Response.Body).ForEach(func(name, _ gjson.Result) bool {
		names = append(names, name.String())
		return true
	})
	slices.Sort(names)
	return strings.Join(names, ",")
}

// brokenPlace names the place that is broken as a whole if several deviations name it.
func (d *deviation) brokenPlace() string {
	e := d.Exchanged()
	switch {
	case e == nil:
		return ""
	case d.isAccepted():
		return "accepts whatever is sent to " + e.Endpoint
	case d.aboutField && (d.Got == "no such field" || d.isAboutAnyField()):
		return "another record than that of " + e.Endpoint
	case d.aboutField && e.Method != http.MethodGet && fieldSent().MatchString(d.Requirement):
		return "keeps nothing of what is sent to " + e.Endpoint
	case e.Status >= http.StatusBadRequest && !wantsRefusal(d.Finding):
		return d.Requirement + " is refused by " + errorSignature(e.Status, codeOf(e), "")
	}
	return ""
}

func (d *deviation) leaf() string {
	path := d.paths[0]
	return path[strings.LastIndexByte(path, '.')+1:]
}

var (
	fieldSent      = pattern(`\.(create|update)\.field\.`)
	wordSeparators = pattern(`[^a-z0-9]+`)
	listPicks      = pattern(`\[[^\]]*\]`)
	listPlaces     = pattern(`(^|\.)\d+(\.|$)`)
	batchLists     = pattern(`^(create|update|delete)\.`)
	keyVariable    = pattern(`SHOPCHECK_CREDENTIALS_([A-Z_]+)_SECRET`)
	variableParts  = pattern(`"[^"]*"|[0-9a-f]{8,}|\d+`)
)

func wordsOf(text string) []string { return wordSeparators().Split(strings.ToLower(text), -1) }

// plain leaves out what differs from record to record: quoted values, tokens, numbers.
func plain(text string) string { return variableParts().ReplaceAllString(text, "#") }

// bareValue is a value without its quotes, "" for all that stands for none.
func bareValue(text string) string {
	text = strings.TrimPrefix(text, "the number ")
	text = strings.Trim(text, `"`)
	if slices.Contains([]string{"null", "no such field", "nil", "0", "[]"}, text) {
		return ""
	}
	return text
}

// webhookPlace begins what stands for the endpoint of a delivery.
const webhookPlace = "webhook "

// resourceOf is the route of an endpoint without method, ids and actions. What the Store API does with a cart is the cart's, and what a
// webhook tells of a record is the same whatever has become of it.
func resourceOf(endpoint string) string {
	if topic, isWebhook := strings.CutPrefix(endpoint, webhookPlace); isWebhook {
		resource, _, _ := strings.Cut(topic, ".")
		return webhookPlace + resource
	}
	_, route, _ := strings.Cut(endpoint, " ")
	before, after, isStore := strings.Cut(route, "/store/")
	if isStore { // with its version or without
		root, _, _ := strings.Cut(strings.TrimPrefix(after, "v1/"), "/")
		return before + "/store/" + root
	}
	segments := strings.Split(route, "/")
	return strings.Join(slices.DeleteFunc(segments, func(s string) bool { return strings.HasPrefix(s, "{") || s == "batch" }), "/")
}

// placesOf names the fields that a finding is about, without places in lists: 0.images.1.src is images.src.
func placesOf(f Finding) []string {
	prefix, set, several := strings.Cut(f.Path, "{")
	if several {
		var fields []string
		for _, name := range differing(strings.Split(strings.TrimSuffix(set, "}"), ","), f) {
			fields = append(fields, bareField(prefix+name))
		}
		return fields
	}
	if names, found := strings.CutPrefix(f.Got, "none of "); found {
		var fields []string
		for _, name := range strings.Split(names, ", ") {
			fields = append(fields, bareField(f.Path+"."+name))
		}
		return fields
	}
	if field := bareField(f.Path); field != "" {
		return []string{field}
	}
	return nil
}

func bareField(path string) string {
	path = listPicks().ReplaceAllString(path, "")
	for listPlaces().MatchString(path) {
		path = listPlaces().ReplaceAllString(path, ".")
	}
	return batchLists().ReplaceAllString(strings.Trim(path, "."), "")
}

// differing are the names whose values are not the same in what was wanted and what came; all of them where that cannot be read.
func differing(names []string, f Finding) []string {
	var want, got map[string]any
	if json.Unmarshal([]byte(f.Want), &want) != nil || json.Unmarshal([]byte(f.Got), &got) != nil {
		return names
	}
	var out []string
	for _, name := range names {
		if want[name] != got[name] {
			out = append(out, name)
		}
	}
	return out
}

// isNone reports whether what came is said to be nothing at all.
func isNone(got string) bool { return got == "none" || got == "nothing" }

// isHeader tells headers from fields: these are written in lower case.
func isHeader(f Finding) bool { return f.Path != "" && f.Path[0] >= 'A' && f.Path[0] <= 'Z' }

func isList(f Finding) bool {
	return f.Path == "" && (strings.HasPrefix(f.Want, "[") || strings.HasPrefix(f.Got, "[") || strings.Contains(f.Message, "list"))
}

// isEnvelopeField tells findings about the form of an error from those about what it refuses.
func isEnvelopeField(f Finding) bool {
	name, _, _ := strings.Cut(f.Path, ".")
	isAnotherCode := f.Path == "code" && strings.HasPrefix(f.Got, `"`)
	return (name == "data" || name == "message" || name == "code") && !isAnotherCode
}

// pattern compiles a regular expression when it is first used: not every process needs each.
func pattern(text string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(text) })
}
