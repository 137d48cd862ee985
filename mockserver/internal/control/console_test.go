package control

import (
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"shopcheck/mockserver/internal/shop"
)

func TestAShopWithoutAKeyCannotBeManagedWithoutOne(t *testing.T) {
	t.Parallel()
	s := &Services{Shop: shop.New(shop.NewState(&shop.Config{}), shop.Options{Clock: time.Now})}
	answer := httptest.NewRecorder()
	s.manage(nil, answer, httptest.NewRequest("GET", "/_mock/shop/v3/products", nil))
	if answer.Code != 409 || !strings.Contains(answer.Body.String(), "mock_no_key") {
		t.Errorf("%d %s", answer.Code, answer.Body)
	}
}
