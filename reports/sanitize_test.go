package reports

import (
	"encoding/xml"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"pgregory.net/rapid"
)

func TestSanitize(t *testing.T) {
	for name, test := range map[string]struct{ text, want string }{
		"plain":              {"GET /cart → 200", "GET /cart → 200"},
		"lines and tabs":     {"a\n\tb", "a\n\tb"},
		"line ends":          {"a\r\nb\rc", "a\nb␍c"},
		"a colour":           {"\x1b[31mred", "␛[31mred"},
		"a title":            {"\x1b]0;owned\a", "␛]0;owned␇"},
		"eight-bit escapes":  {"\u009b2J", `\u009b2J`},
		"nul, delete":        {"\x00\x7f", "␀␡"},
		"direction override": {"abc\u202etxt.exe", `abc\u202etxt.exe`},
		"isolates and marks": {"\u2066\u2069\u200f\ufeff", `\u2066\u2069\u200f\ufeff`},
		"line separators":    {"a\u2028b", `a\u2028b`},
		"tags":               {"\U000e0041", `\u{e0041}`},
		"unassigned":         {"\u0378\U0003ffff", `\u0378` + "\ufffd"},
		"fillers":            {"a\u3164b\u115f", `a\u3164b\u115f`},
		"broken UTF-8":       {"a\xff\xfeb", "a\ufffdb"},
		"non-characters":     {"\ufffe\U0001ffff\ufdd0", "\ufffd\ufffd\ufffd"},
		"other scripts":      {"Größe 5 € 日本 🙂", "Größe 5 € 日本 🙂"},
	} {
		t.Run(name, func(t *testing.T) {
			if got := Sanitize(test.text); got != test.want {
				t.Errorf("Sanitize(%q) = %q, wanted %q", test.text, got, test.want)
			}
		})
	}
}

func TestSanitizeLineIsOneLine(t *testing.T) {
	if got, want := SanitizeLine("fine\n✓ all passed\t!"), "fine␊✓ all passed␉!"; got != want {
		t.Errorf("got %q, wanted %q", got, want)
	}
}

func TestSanitizedTextIsAlwaysHarmless(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := string(rapid.SliceOf(rapid.Byte()).Draw(t, "bytes")) + rapid.String().Draw(t, "text")
		safe := Sanitize(text)
		if !utf8.ValidString(safe) {
			t.Fatalf("%q is not valid UTF-8", safe)
		}
		for _, char := range safe {
			if char != '\n' && char != '\t' && !unicode.IsGraphic(char) && unicode.In(char, unicode.C) &&
				!unicode.Is(unicode.Co, char) {
				t.Fatalf("%q keeps %U", safe, char)
			}
		}
		if again := Sanitize(safe); again != safe {
			t.Fatalf("sanitizing twice changes %q to %q", safe, again)
		}
		var out strings.Builder
		if err := xml.EscapeText(&out, []byte(safe)); err != nil || strings.Count(out.String(), "\ufffd") != strings.Count(safe, "\ufffd") {
			t.Fatalf("XML can't hold %q", safe)
		}
	})
}
