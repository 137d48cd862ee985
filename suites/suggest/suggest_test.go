package suggest_test

import (
	"strings"
	"testing"

	"shopcheck/suites/suggest"
)

func TestDidYouMean(t *testing.T) {
	many := strings.Fields("a1 b2 c3 d4 e5 f6 g7 h8 i9 j10 k11 l12 m13 n14 o15 cart.add-item.adds-the-product")
	for _, c := range []struct {
		word, want string
		known      []string
	}{
		{"traget", "; did you mean target?", []string{"profile", "target"}},
		{"xylophone", "; known are profile, target", []string{"profile", "target"}},
		{"add-item", "; the nearest are cart.add-item.adds-the-product, ", many},
		{"versionin", "; did you mean versioning?", []string{"req:versioning.v1", "versioning"}},
		{"--quiet", "; known are --out, --baseline", []string{"--out", "--baseline"}},
		{"", "", nil},
	} {
		if got := suggest.DidYouMean(c.word, c.known); !strings.HasPrefix(got, c.want) || c.want == "" && got != "" {
			t.Errorf("%q: %q, want %q", c.word, got, c.want)
		}
	}
}

func TestNearestPrefersWordsThatHoldTheWord(t *testing.T) {
	got := suggest.Nearest("COUPON", []string{"cupon", "cart.apply-coupon.unknown", "orders"})
	if got[0] != "cart.apply-coupon.unknown" || got[1] != "cupon" {
		t.Error(got)
	}
}
