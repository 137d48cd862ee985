package journal

// What must not be seen: credentials, tokens and passwords, wherever requests and answers carry them by name. Each is replaced by a mark
// that is the same for equal secrets, so that one can see whether a client used the same one again.

import (
	"bytes"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"
)

// redactor replaces secrets. Its value is the key of the marks: who does not know it learns nothing of a secret by its mark.
type redactor []byte

// mark returns what stands for a secret.
func (key redactor) mark(secret string) string {
	mac := hmac.New(sha256.New, key)
	mac.Write([]byte(secret))
	return "[redacted " + hex.EncodeToString(mac.Sum(nil)[:2]) + "]"
}

// isSecret reports whether a field, parameter or header of a name holds a secret.
func isSecret(name string) bool {
	name = strings.ReplaceAll(strings.ToLower(name), "-", "_")
	for _, part := range [...]string{"password", "passwd", "secret", "token", "nonce", "authorization", "cookie", "consumer_key",
		"api_key", "signature", "oauth_verifier", "card_number", "cvc", "cvv"} {
		if strings.Contains(name, part) {
			return !strings.HasSuffix(name, "_timeout") && !strings.HasSuffix(name, "_timestamp") && name != "oauth_signature_method"
		}
	}
	return false
}

// header returns a copy without secrets. Of credentials the scheme stays, of cookies the name.
func (key redactor) header(header http.Header) http.Header {
	shown := http.Header{}
	for name, values := range header {
		for _, value := range values {
			shown[name] = append(shown[name], key.headerValue(name, value))
		}
	}
	return shown
}

func (key redactor) headerValue(name, value string) string {
	switch {
	case name == "Authorization" || name == "Proxy-Authorization":
		scheme, secret, several := strings.Cut(value, " ")
		if !several {
			return key.mark(value)
		}
		return scheme + " " + key.mark(secret)
	case name == "Cookie" || name == "Set-Cookie":
		name, secret, _ := strings.Cut(value, "=")
		return name + "=" + key.mark(secret)
	case strings.HasPrefix(name, "Access-Control-"):
		return value
	case isSecret(name):
		return key.mark(value)
	}
	return key.text(value)
}

// target returns a path with its query without secrets, whatever else is wrong with it.
func (key redactor) target(target string) string {
	path, query, any := strings.Cut(target, "?")
	if !any {
		return target
	}
	return path + "?" + key.form(query)
}

// form returns a query or a form without secrets, as it was written otherwise.
func (key redactor) form(query string) string {
	pairs := strings.Split(query, "&")
	for i, pair := range pairs {
		name, value, _ := strings.Cut(pair, "=")
		plain, err := url.QueryUnescape(name)
		if err != nil || isSecret(plain) && value != "" {
			pairs[i] = name + "=" + key.mark(value)
		}
	}
	return strings.Join(pairs, "&")
}

// queries finds parameters within any text, and where it begins: forms come without a type, too.
var queries = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(^|[?&;])([A-Za-z0-9_\[\]%.-]+)=([^&"'<>\s]+)`) })

// text returns a text without the secrets of the addresses in it.
func (key redactor) text(text string) string {
	if !strings.Contains(text, "=") {
		return text
	}
	return queries().ReplaceAllStringFunc(text, func(found string) string {
		parameter := strings.TrimLeft(found, "?&;")
		return found[:len(found)-len(parameter)] + key.form(parameter)
	})
}

// body returns what is shown of a body: text without secrets. length is that of the whole body, of which there may be less here.
func (key redactor) body(header http.Header, body []byte, length int64) string {
	shown := ""
	switch kind := header.Get("Content-Type"); {
	case len(body) == 0:
		return ""
	case looksLikeJSON(kind, body):
		shown = key.json(body)
	case strings.HasPrefix(kind, "application/x-www-form-urlencoded"):
		shown = key.form(string(body))
	case utf8.Valid(body) && !strings.HasPrefix(kind, "multipart/"):
		shown = key.text(string(body))
	default:
		return fmt.Sprintf("[%d bytes]", length)
	}
	if int64(len(body)) < length {
		shown += fmt.Sprintf("… [%d bytes in all]", length)
	}
	return shown
}

func looksLikeJSON(kind string, body []byte) bool {
	first := bytes.TrimLeft(body, " \t\r\n")
	return strings.Contains(kind, "json") || len(first) > 0 && (first[0] == '{' || first[0] == '[')
}

// json returns a document without the values of the fields that hold secrets. What cannot be read is left out from there on.
func (key redactor) json(document []byte) string {
	decoder := jsontext.NewDecoder(bytes.NewReader(document), jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
	r := &jsonRedaction{key: key, document: document, decoder: decoder}
	for {
		token, err := decoder.ReadToken()
		if err != nil {
			break
		}
		switch {
		case token.Kind() == '{' && decoder.StackDepth() == r.early.depth: // another object
			r.early = member{}
		case token.Kind() != '"' || !isName(decoder):
		case !r.member(token.String()):
			return r.shown.String() + `: "[redacted]"`
		}
	}
	r.shown.Write(document[r.from:decoder.InputOffset()])
	return r.shown.String()
}

// jsonRedaction is a document that is being read.
type jsonRedaction struct {
	key      redactor
	document []byte
	decoder  *jsontext.Decoder
	shown    strings.Builder
	from     int64  // what of the document has been written
	named    string // the value of "key" in the objects that say {"key": …, "value": …}
	early    member // "value" before that: {"value": …, "key": …}
}

// member is the value of a member of an object, with the colon before it.
type member struct {
	depth      int // of the object
	start, end int64
	value      jsontext.Value
}

// member reads the value of a member, if it may have to be hidden. It returns false where a secret cannot be read: what stood before it is
// written.
func (r *jsonRedaction) member(name string) (ok bool) {
	kind := r.decoder.PeekKind()
	hidden := isSecret(name) || name == "value" && isSecret(r.named)
	if !hidden && (name != "key" && name != "value" || kind == '{' || kind == '[') {
		return true
	}
	read := member{depth: r.decoder.StackDepth(), start: r.decoder.InputOffset()}
	value, err := r.decoder.ReadValue()
	read.value, read.end = value, r.decoder.InputOffset()
	switch {
	case err != nil && !hidden: // the next token says so, too
	case err != nil:
		r.shown.Write(r.document[r.from:read.start])
		return false
	case hidden:
		r.hide(read)
	case name == "value":
		read.value = value.Clone()
		r.early = read
	case kind == '"':
		named, _ := jsontext.AppendUnquote(nil, value)
		r.named = string(named)
		if isSecret(r.named) && r.early.depth == read.depth && r.early.start >= r.from {
			r.hide(r.early)
		}
	}
	return true
}

// hide writes what stands before a value, and a mark in its place.
func (r *jsonRedaction) hide(secret member) {
	r.shown.Write(r.document[r.from:secret.start])
	r.shown.WriteString(": " + r.key.secretValue(secret.value))
	r.from = secret.end
}

// isName reports whether the token that was read last names a member of an object.
func isName(decoder *jsontext.Decoder) bool {
	kind, length := decoder.StackIndex(decoder.StackDepth())
	return kind == '{' && length%2 == 1
}

// secretValue returns the JSON that stands for a secret. What is no value at all, and what says whether there is one, stays.
func (key redactor) secretValue(value jsontext.Value) string {
	switch value.Kind() {
	case 'n', 't', 'f':
		return string(value)
	case '"':
		if len(value) == len(`""`) {
			return string(value)
		}
	}
	return `"` + key.mark(string(value)) + `"`
}
