package client

import (
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"html"
	"math/rand/v2"
	"net/url"
	"strconv"
	"strings"
	"testing"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"

	"shopcheck/suites/profile"
)

// disguise is how a target may write a secret: a form of it, whose head and tail hold no whole byte of it, with escapes around.
type disguise struct {
	head, form, tail string
	escape           func(string) string // of each character for itself
}

// chosenDisguise chooses by chance. What surrounds a secret in base64 is text, too.
func chosenDisguise(secret string, random *rand.Rand) disguise {
	d := disguise{form: secret, escape: func(s string) string { return s }}
	switch random.IntN(7) {
	case 0:
		d.form = strings.ToUpper(secret)
	case 1:
		d.form = strings.ToLower(secret)
	case 2:
		d.form = hex.EncodeToString([]byte(secret))
	case 3:
		d.form = strings.ToUpper(hex.EncodeToString([]byte(secret)))
	case 4, 5:
		before, after := strings.Repeat("k", random.IntN(5)), strings.Repeat(":", random.IntN(5))
		encoding := []*base64.Encoding{base64.StdEncoding, base64.RawURLEncoding}[random.IntN(2)]
		whole := encoding.EncodeToString([]byte(before + secret + after))
		from, to := (len(before)*8+5)/6, (len(before)+len(secret))*8/6
		d.head, d.form, d.tail = whole[:from], whole[from:to], whole[to:]
	}
	for range random.IntN(4) {
		outer, inner := escapesOfTargets()[random.IntN(len(escapesOfTargets()))], d.escape
		d.escape = func(s string) string { return outer(inner(s)) }
	}
	return d
}

func escapesOfTargets() []func(string) string {
	each := func(write func(rune) string) func(string) string {
		return func(s string) string {
			var out strings.Builder
			for _, char := range s {
				out.WriteString(write(char))
			}
			return out.String()
		}
	}
	return []func(string) string{
		func(s string) string { return strings.ReplaceAll(url.QueryEscape(s), "+", "%20") },
		url.PathEscape,
		html.EscapeString,
		func(s string) string { quoted, _ := json.Marshal(s); return string(quoted[1 : len(quoted)-1]) },
		func(s string) string { quoted := strconv.QuoteToASCII(s); return quoted[1 : len(quoted)-1] },
		func(s string) string { return strings.ReplaceAll(s, "'", `'\''`) },
		func(s string) string { return strings.ReplaceAll(s, "/", `\/`) },
		func(s string) string { // every byte, in either case
			var out strings.Builder
			for i := range len(s) {
				fmt.Fprintf(&out, []string{"%%%02X", "%%%02x"}[i%2], s[i])
			}
			return out.String()
		},
		each(func(char rune) string { return fmt.Sprintf("&#%d;", char) }),
		each(func(char rune) string {
			var out strings.Builder
			for _, unit := range utf16.Encode([]rune{char}) {
				fmt.Fprintf(&out, `\u%04x`, unit)
			}
			return out.String()
		}),
	}
}

// Whatever stands around a secret, and however it is written, no character of it is left; where it was cut off, three at most.
func FuzzSecretsStayHidden(f *testing.F) {
	f.Add("cs_0123456789abcdef", "Basic ", `"}`, uint64(1))
	f.Add("p4ss w0rd+&=/%41<é>😀", `{"a":"\`, "%", uint64(2))
	f.Add(`it's \u0041 "quoted"\n`, "…", "&", uint64(3))
	f.Add("00010&0", "0", "0", uint64(31))
	f.Add("00é0😀", "0", "0", uint64(188))
	f.Fuzz(func(t *testing.T, secret, before, after string, seed uint64) {
		if !utf8.ValidString(secret+before+after) || !worthHiding(secret) || len(secret) > 200 ||
			strings.ContainsFunc(secret, func(char rune) bool { return unicode.IsControl(char) || char == utf8.RuneError }) {
			t.Skip("no secret")
		}
		if plain, escaped := (&decoded{text: secret}).next(); escaped && len(plain.text) < 2*minSecret {
			t.Skip("it looks escaped, and may be too short to be looked for without")
		}
		if strings.Contains(secret, `\'`) {
			t.Skip("quoted for a shell, its backslash escapes the quote that was added")
		}
		r := NewRedactor(profile.Profile{})
		r.Learn(secret)
		d := chosenDisguise(secret, rand.New(rand.NewPCG(seed, 0)))
		if len(d.form) < minSecret {
			t.Skip("capitals make it too short")
		}
		head, written, tail := before+d.escape(d.head), d.escape(d.form), d.escape(d.tail)+after
		if r.Text(head) != head || r.Text(tail) != tail {
			t.Skip("what surrounds it is not free of secrets")
		}
		if _, hinted := r.find(head+written+tail, false); hinted {
			t.Skip("it stands behind the name of a secret")
		}
		if _, escaped := (&decoded{text: written}).next(); escaped && runTogether(head, written, tail) {
			t.Skip("what surrounds it makes an escape of an end of it")
		}
		checkHidden(t, r.Text(head+written+tail), head, written, tail)
		if _, cut := Cut(written, int(seed%uint64(len(written)))); cut > 0 {
			kept, _ := Cut(written, len(written)-cut)
			checkCut(t, r, d, head, kept)
		}
	})
}

// runTogether reports whether texts side by side hold an escape that none of them holds alone.
func runTogether(texts ...string) bool {
	whole, more := &decoded{text: strings.Join(texts, "")}, true
	for more {
		whole, more = whole.next()
		for i, text := range texts {
			alone, _ := (&decoded{text: text}).next()
			texts[i] = alone.text
		}
		if whole.text != strings.Join(texts, "") {
			return true
		}
	}
	return false
}

func checkHidden(t *testing.T, got, head, written, tail string) {
	t.Helper()
	kept := strings.Split(got, profile.Redacted)
	last := len(kept) - 1
	for i := range kept[:last] { // a secret that looks escaped itself may be found without the backslashes before its characters
		kept[i] = strings.TrimRight(kept[i], `\`)
	}
	if last == 0 || !strings.HasPrefix(head, kept[0]) || !strings.HasSuffix(tail, kept[last]) || strings.Join(kept[1:last], "") != "" {
		t.Errorf("%q before %q, then %q became %q", head, written, tail, got)
	}
}

// checkCut cuts the text off after what is kept of a secret.
func checkCut(t *testing.T, r *Redactor, d disguise, head, kept string) {
	t.Helper()
	got := strings.TrimSuffix(r.Text(head+kept+cutMark), cutMark)
	got, _, hidden := strings.Cut(got, profile.Redacted)
	shown := d.escape(string([]rune(d.form)[:min(minSecret, utf8.RuneCountInString(d.form))]))
	if hidden && strings.HasPrefix(head, got) || len(got) < len(head+shown) && strings.HasPrefix(head+shown, got) {
		return
	}
	t.Errorf("%q before %q, then the cut, became %q", head, kept, got)
}
