package suites

import (
	"slices"
	"testing"

	"shopcheck/reports"
)

// What a run leaves is not gone, whoever has its exchanges.
func TestWhatIsGoneIsNotedWithAnArchiveToo(t *testing.T) {
	t.Parallel()
	made := reports.Exchange{Method: "POST", Endpoint: "POST /shop/v3/products", Status: 201, Response: reports.Message{Body: `{"id":142}`}}
	read := reports.Exchange{Method: "GET", Endpoint: "GET /shop/v3/products/{id}", Status: 200,
		Curl: "curl -i https://shop/shop/v3/products/142"}
	for name, c := range map[string]struct {
		leftovers, gone []string
	}{"nothing is left": {nil, []string{"products 142"}}, "it is left": {[]string{"/shop/v3/products/142"}, nil}} {
		report := &reports.Report{Leftovers: c.leftovers,
			Specs: []reports.Spec{{ID: "a.b", Outcome: reports.Passed, Exchanges: []reports.Exchange{made, read}}}}
		archive := new(reports.Archive)
		archive.Add(&report.Specs[0])
		r := &runner{options: Options{Archive: archive}}
		if err := r.noteGone(report); err != nil {
			t.Fatal(err)
		}
		if err := archive.Restore(report); err != nil {
			t.Fatal(err)
		}
		if got := report.Specs[0].Exchanges[1]; got.Curl != read.Curl || !slices.Equal(got.Gone, c.gone) {
			t.Errorf("%s: gone is %q of %q, want %q", name, got.Gone, got.Curl, c.gone)
		}
	}
}
