package expect

import (
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/tidwall/gjson"

	"shopcheck/suites/contract"
)

func TestARecordIsKnownWhereNothingWasWrong(t *testing.T) {
	t.Parallel()
	const endpoint = "GET /shop/v3/products/{id}"
	good := sampleOf(contract.Product())
	bad := strings.Replace(good, `"name":`, `"title":`, 1)
	known := new(Known)
	for _, body := range []string{good, bad, good, bad} {
		got, want := known.InspectAnswer(answered(200, body), endpoint, nil), InspectAnswer(answered(200, body), endpoint, nil)
		if !slices.Equal(got.Findings, want.Findings) || !slices.Equal(got.Checked.IDs(), want.Checked.IDs()) {
			t.Errorf("found %v and checked %v, want %v and %v", got.Findings, got.Checked.IDs(), want.Findings, want.Checked.IDs())
		}
	}
	if len(known.records) != 1 {
		t.Errorf("%d records are known, want that without a fault", len(known.records))
	}
}

// A fault that was reported at an earlier record of an answer is one all the same.
func TestAFaultThatIsReportedOnceIsNotForgotten(t *testing.T) {
	t.Parallel()
	bad := strings.Replace(sampleOf(contract.Product()), `"name":`, `"title":`, 1)
	known := new(Known)
	list := answered(200, "["+bad+","+strings.Replace(bad, `"id":`, `"id": `, 1)+"]", "X-Shop-Total", "2", "X-Shop-TotalPages", "1")
	known.InspectAnswer(list, "GET /shop/v3/products", nil)
	if len(known.records) != 0 {
		t.Errorf("%d records are known", len(known.records))
	}
}

func TestARecordIsKnownAsWhatItWasComparedWith(t *testing.T) {
	t.Parallel()
	known, product := new(Known), sampleOf(contract.Product())
	known.InspectAnswer(answered(200, product), "GET /shop/v3/products/{id}", nil)
	if got := known.InspectAnswer(answered(200, product), "GET /shop/v3/orders/{id}", nil); len(got.Findings) == 0 {
		t.Error("a product passes for an order")
	}
}

func TestTheRecordsThatAreKnownAreBounded(t *testing.T) {
	t.Parallel()
	known, shape := new(Known), contract.Product()
	for n := range maxKnown + 10 {
		known.add(gjson.Result{Raw: strconv.Itoa(n)}, shape, contract.Set{})
	}
	if len(known.records) != maxKnown {
		t.Errorf("%d records are known, want %d", len(known.records), maxKnown)
	}
}
