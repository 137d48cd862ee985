package client

import (
	"math/rand/v2"
	"strings"
	"testing"

	"shopcheck/suites/profile"
)

func TestAPrefilterFindsWhatHoldsAWord(t *testing.T) {
	s := newPrefilter("secret-1", "secr", "tokén", "wxyz")
	for text, want := range map[string]bool{
		"": false, "sec": false, "secr": true, "asecret": true, "secsecsecr": true, "a tokén": true, "token": false, "tok": false,
		"SECR": false, "wxy": false, "wxyz": true, "\x00\x00wxyz\x00": true, "zyxw": false, "\x00\x00\x00": false,
	} {
		if got := s.matches(text); got != want {
			t.Errorf("%q: %v", text, got)
		}
	}
	if newPrefilter().matches("anything") {
		t.Error("an empty prefilter finds something")
	}
}

// A prefilter and a plain search agree on random texts of few letters, which hold many beginnings of words.
func TestAPrefilterMissesNothing(t *testing.T) {
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
		words := []string{text(4), text(5), text(7)}
		in := text(40)
		got := newPrefilter(words...).matches(in)
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

func TestThePrefilterFindsAllThatIsRedacted(t *testing.T) {
	r := NewRedactor(profile.Profile{})
	for _, text := range []string{"?consumer_secret=abc", "?password=abc", "?oauth_token=abc", "?oauth_signature=abc",
		`{"consumer_secret":"abc"}`,
		`{"password" : "abc"}`, `{"customer_password":"abc"}`, `{"secret":"abc"}`, `{"token":"abc"}`} {
		if got := r.Text(text); !r.prefilter.matches(text) || !strings.Contains(got, profile.Redacted) || strings.Contains(got, "abc") {
			t.Errorf("%q became %q", text, got)
		}
	}
}
