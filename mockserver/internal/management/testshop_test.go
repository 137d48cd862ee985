package management_test

import (
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
