package management_test

import (
	"fmt"
	"strings"
	"testing"

	"shopcheck/mockserver/internal/shop"
	"shopcheck/mockserver/internal/testkit"
)

// testShop is a shop that a test fills as it likes, besides the category of what has none.
type testShop struct{ *testkit.Shop }

func newTestShop(t testing.TB, fill func(*shop.Tx) error) *testShop {
	t.Helper()
	return &testShop{testkit.Open(t, testkit.Options{Fill: func(tx *shop.Tx) error {
		if err := (&shop.Term{Taxonomy: shop.TaxonomyCategory, Name: "Uncategorized"}).Create(tx); err != nil || fill == nil {
			return err
		}
		return fill(tx)
	}})}
}

// in is the same shop for a subtest.
func (s *testShop) in(t testing.TB) *testShop { return &testShop{s.In(t)} }

// refusal is a call that must be refused, and as what.
type refusal struct {
	status             int
	code, method, path string
	body               string
}

// refuse makes a subtest of each refusal: it has the documented envelope, and changes nothing.
func refuse(t *testing.T, s *testShop, all ...refusal) {
	t.Helper()
	for _, r := range all {
		t.Run(fmt.Sprintf("%s %s %.60s", r.method, strings.TrimPrefix(r.path, "/shop/v3/"), r.body), func(t *testing.T) {
			s.In(t).Refuses(r.status, r.code, r.method, r.path, r.body)
		})
	}
}
