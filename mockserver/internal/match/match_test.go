package match_test

import (
	"strings"
	"testing"

	"shopcheck/mockserver/internal/match"
)

func TestWhichRequestsAreMeant(t *testing.T) {
	t.Parallel()
	const body = `{"payment_method":"bacs","items":[{"id":7,"gift":true}],"note":"a=b"}`
	for name, c := range map[string]struct {
		method, path string
		fields       []string
		want         bool
	}{
		"all":                             {"", "", nil, true},
		"by method":                       {"post", "", nil, true},
		"another method":                  {"GET", "", nil, false},
		"the whole path":                  {"", "/shop/v3/orders/12", nil, true},
		"a part of the path":              {"", "/shop/v3/orders", nil, false},
		"any segment":                     {"", "/shop/*/orders/*", nil, true},
		"a segment is no two":             {"", "/shop/*/12", nil, false},
		"within a segment":                {"", "/shop/v3/ord*/1*", nil, true},
		"all below":                       {"", "/shop/**", nil, true},
		"a segment by name":               {"", "/shop/v3/{resource}/{id}", nil, true},
		"another one beside a name":       {"", "/shop/v3/{resource}/13", nil, false},
		"a dot is a dot":                  {"", "/shop/v3.orders/12", nil, false},
		"a value":                         {"", "", []string{"payment_method=bacs"}, true},
		"another value":                   {"", "", []string{"payment_method=cod"}, false},
		"a number":                        {"", "", []string{"items.0.id=7"}, true},
		"a boolean, and something at all": {"", "", []string{"items.0.gift=true", "items.0.id"}, true},
		"nothing there":                   {"", "", []string{"items.1"}, false},
		"a value with an equals sign":     {"", "", []string{"note=a=b"}, true},
		"one of two":                      {"", "", []string{"note", "coupon"}, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			meant, err := match.NewRequest(c.method, c.path, c.fields...)
			if err != nil {
				t.Fatal(err)
			}
			got := meant.Matches("POST", "/shop/v3/orders/12", func() []byte { return []byte(body) })
			if got != c.want {
				t.Errorf("%v, want %v", got, c.want)
			}
		})
	}
	meant, err := match.NewRequest("", "", "id")
	if err != nil {
		t.Fatal(err)
	}
	for _, broken := range []string{"", `{"id":1`, "id=1"} {
		if meant.Matches("POST", "/", func() []byte { return []byte(broken) }) {
			t.Errorf("%q holds an id", broken)
		}
	}
}

func TestWhatMeansNothingIsRefused(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ method, path, field, told string }{
		{"FETCH", "", "a", `"FETCH"`}, {"", "shop/v3", "a", "slash"}, {"", "/shop/**/orders", "a", "end"},
		{"", "/" + strings.Repeat("x", 1000), "a", "1001"}, {"", "", "=x", "payment_method=bacs"},
	} {
		if _, err := match.NewRequest(c.method, c.path, c.field); err == nil || !strings.Contains(err.Error(), c.told) {
			t.Errorf("%+v: %v", c, err)
		}
	}
}
