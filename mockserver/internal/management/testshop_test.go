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

// invalid makes a subtest of each body that is refused, and names the parameter that is refused for.
func invalid(t *testing.T, s *testShop, path string, params map[string]string) {
	t.Helper()
	for body, param := range params {
		t.Run(fmt.Sprintf("%.60s", body), func(t *testing.T) { s.in(t).refusesParam("POST", path, body, param) })
	}
}

// invalidQueries makes a subtest of each query of one parameter that a list refuses.
func invalidQueries(t *testing.T, s *testShop, path string, queries ...string) {
	t.Helper()
	for _, query := range queries {
		param, _, _ := strings.Cut(query, "=")
		t.Run(query, func(t *testing.T) { s.in(t).refusesParam("GET", path+"?"+query, "", param) })
	}
}

func (s *testShop) refusesParam(method, path, body, param string) {
	s.T.Helper()
	if got := s.Refuses(400, "rest_invalid_param", method, path, body); !got.Get("data.params." + param).Exists() {
		s.T.Errorf("data.params does not name %s: %s", param, got.Raw)
	}
}

// lists makes a subtest of each query of a list: the rows that it finds in their order, told by one field.
func lists(t *testing.T, s *testShop, path, field string, all map[string]string) {
	t.Helper()
	for query, want := range all {
		t.Run(query, func(t *testing.T) {
			var rows []string
			for _, row := range s.In(t).Get(path + "?" + query).Want(200).Array() {
				rows = append(rows, row.Get(field).String())
			}
			if got := strings.Join(rows, " "); got != want {
				t.Errorf("found %s, want %s", got, want)
			}
		})
	}
}
