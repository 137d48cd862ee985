package client

import (
	"math/rand/v2"
	"strings"
	"testing"

	"shopcheck/suites/profile"
)

func TestPatternsAreFoundInAnyCase(t *testing.T) {
	p := newPatterns()
	for _, word := range []string{"secret-1", "secr", "tokén", "wxyz", "no!"} {
		p.add(pattern{text: word})
	}
	for text, want := range map[string]bool{
		"": false, "sec": false, "secr": true, "asecret": true, "secsecsecr": true, "a tokén": true, "token": false, "tok": false,
		"SECR": true, "wxy": false, "wXyZ": true, "\x00\x00wxyz\x00": true, "zyxw": false, "\x00\x00\x00": false, "no!": false,
		"wxy…": false, "toké…": true, "toké": false, "tokx…": false,
	} {
		if got := holds(p, text); got != want {
			t.Errorf("%q: %v", text, got)
		}
	}
	if holds(newPatterns(), "anything") {
		t.Error("no pattern is found")
	}
}

func holds(p *patterns, text string) bool {
	found := false
	p.each(text, false, func(int, int, pattern) { found = true })
	return found
}

// The search and a plain one agree on random texts of few letters, which hold many beginnings of patterns.
func TestASearchMissesNothing(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	text := func(size int) string {
		letters := make([]byte, size)
		for i := range letters {
			letters[i] = "abc"[random.IntN(3)]
		}
		return string(letters)
	}
	caught := 0
	for range 5000 {
		words, p := []string{text(4), text(5), text(7)}, newPatterns()
		for _, word := range words {
			p.add(pattern{text: word})
		}
		in := text(40)
		got := holds(p, in)
		if want := holdsAny(in, words); got != want {
			t.Fatalf("%v in %s: %v, want %v", words, in, got, want)
		}
		if got {
			caught++
		}
	}
	if caught == 0 || caught == 5000 {
		t.Errorf("%d of 5000 texts hold a word: that proves little", caught)
	}
}

func TestWhatIsNamedLikeASecretIsRedacted(t *testing.T) {
	r := NewRedactor(profile.Profile{})
	for _, text := range []string{"?consumer_secret=abc", "?password=abc", "?oauth_token=abc", "?oauth_signature=abc",
		`{"consumer_secret":"abc"}`, `{"password" : "abc"}`, `{"customer_password":"abc"}`, `{"secret":"abc"}`, `{"token":"abc"}`,
		`{"secret":"abc…`, `{"secret":"abc\`} {
		if got := r.Text(text); !strings.Contains(got, profile.Redacted) || strings.Contains(got, "abc") {
			t.Errorf("%q became %q", text, got)
		}
	}
}
