package shop_test

import (
	"net/url"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"shopcheck/mockserver/internal/shop"
)

// TestWebAddressesAreThoseThatParse holds the short way for usual addresses against the parser of the standard library.
func TestWebAddressesAreThoseThatParse(t *testing.T) {
	t.Parallel()
	begins := rapid.SampledFrom([]string{"http://", "https://", "HTTP://", "ftp://", "http:", "//", "/", "", "https://a"})
	rests := rapid.OneOf(rapid.StringMatching(`[a-z0-9A-Z._/-]*`), rapid.StringMatching(`[a-zé0-9:@%\[\]?#\\ ._/~!-]*`))
	rapid.Check(t, func(t *rapid.T) {
		text := begins.Draw(t, "begin") + rests.Draw(t, "rest") + strings.Repeat("a", rapid.SampledFrom([]int{0, 2040}).Draw(t, "long"))
		address, err := url.Parse(text)
		want := err == nil && (address.Scheme == "http" || address.Scheme == "https") && address.Hostname() != "" &&
			len(text) <= shop.MaxWebAddress && !strings.ContainsAny(text, "\\ ")
		if got := shop.ValidWebAddress(text); got != want {
			t.Fatalf("%q: %v, want %v", text, got, want)
		}
	})
}
