package management_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/gorilla/mux"
	"github.com/tidwall/gjson"

	"shopcheck/mockserver/internal/management"
	"shopcheck/mockserver/internal/rest"
	"shopcheck/mockserver/internal/shop"
)

// testShop is the management API over a shop that a test fills as it likes.
type testShop struct {
	t      testing.TB
	shop   *shop.Shop
	router *mux.Router
	now    time.Time
}

func newTestShop(t testing.TB, fill func(*shop.Tx) error) *testShop {
	t.Helper()
	test := &testShop{t: t, now: time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)}
	empty := shop.NewState(&shop.Config{
		Currency: "USD", CurrencySymbol: "$", CurrencyPosition: shop.SymbolLeft, ThousandSeparator: ",", DecimalSeparator: ".", Decimals: 2,
		Country: "US", State: "CA", TaxBasedOn: shop.TaxByShipping, CouponsEnabled: true, GuestCheckout: true, ManageStock: true,
		HoldStockMinutes: 60, LowStockThreshold: 2, ReviewsEnabled: true, WeightUnit: "kg", DimensionUnit: "cm",
	})
	filled, err := shop.Build(empty, test.now, 1, func(tx *shop.Tx) error {
		for _, key := range []shop.APIKey{
			{Key: "ck_rw", Secret: "cs_rw", Permission: shop.ReadWrite},
			{Key: "ck_r", Secret: "cs_r", Permission: shop.ReadOnly},
			{Key: "ck_w", Secret: "cs_w", Permission: shop.WriteOnly},
			{Key: "ck_gone", Secret: "cs_gone", Permission: shop.ReadWrite, Revoked: true},
		} {
			if err := key.Add(tx); err != nil {
				return err
			}
		}
		if err := (&shop.Term{Taxonomy: shop.TaxonomyCategory, Name: "Uncategorized"}).Create(tx); err != nil {
			return err
		}
		if fill == nil {
			return nil
		}
		return fill(tx)
	})
	if err != nil {
		t.Fatal(err)
	}
	test.shop = shop.New(filled, shop.Options{Clock: func() time.Time { return test.now }, Secret: []byte("1")})
	test.router = mux.NewRouter()
	for _, api := range management.APIs(nil) {
		api.Mount(test.router)
	}
	return test
}

type answer struct {
	*httptest.ResponseRecorder
	gjson.Result
}

// call sends a request with the read-write key.
func (s *testShop) call(method, path, body string) answer {
	return s.as("ck_rw", "cs_rw", method, path, body)
}

func (s *testShop) as(key, secret, method, path, body string) answer {
	s.t.Helper()
	request := httptest.NewRequest(method, path, strings.NewReader(body))
	if body != "" {
		request.Header.Set("Content-Type", "application/json")
	}
	if key != "" {
		request.SetBasicAuth(key, secret)
	}
	return s.do(request)
}

func (s *testShop) do(request *http.Request) answer {
	recorder := httptest.NewRecorder()
	host := rest.Host{Shop: s.shop, Site: rest.Site{Home: "http://shop.test", Root: "http://shop.test"}}
	rest.Serve(request.Context(), s.router, recorder, request, host)
	if text := recorder.Body.String(); text != "" && !gjson.Valid(text) {
		s.t.Fatalf("%s %s: not JSON: %s", request.Method, request.URL, text)
	}
	return answer{recorder, gjson.ParseBytes(recorder.Body.Bytes())}
}

func (s *testShop) want(a answer, status int) answer {
	s.t.Helper()
	if a.Code != status {
		s.t.Fatalf("status %d, want %d: %s", a.Code, status, a.Body)
	}
	return a
}

// refused checks that a call fails with a status and code, in the documented envelope, and changes nothing.
func (s *testShop) refused(status int, code, method, path, body string) answer {
	s.t.Helper()
	before := s.shop.Version()
	a := s.want(s.call(method, path, body), status)
	if a.Get("code").String() != code || a.Get("message").String() == "" || a.Get("data.status").Int() != int64(status) {
		s.t.Fatalf("%s %s %s: envelope %s, want code %s", method, path, body, a.Raw, code)
	}
	if after := s.shop.Version(); after != before {
		s.t.Fatalf("%s %s: refused, but the state changed", method, path)
	}
	return a
}
