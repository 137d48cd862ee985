package topics_test

// Suites leave a shop as they found it, whatever happens to them.

import (
	"context"
	"maps"
	"net/http"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/tidwall/gjson"

	"shopcheck/mockserver"
	"shopcheck/reports"
	"shopcheck/suites"
	"shopcheck/suites/client"
	"shopcheck/suites/profile"
	"shopcheck/suites/topics"
)

// ended matches the time until which an order holds stock: once it is over, any checkout of anybody clears it away.
var ended = regexp.MustCompile(`"StockHeldUntil":"[^"]*"`)

// export is everything that a shop knows: table and id → the row as JSON, and its settings. Carts are left out: they are
// visits, which end by themselves, and no API can delete one.
func export(t *testing.T, server *mockserver.Server) map[string]string {
	t.Helper()
	var document strings.Builder
	if err := server.Export(&document); err != nil {
		t.Fatal(err)
	}
	out := map[string]string{}
	gjson.Parse(document.String()).ForEach(func(table, rows gjson.Result) bool {
		switch table.Str {
		case "Config":
			out["Config"] = rows.Raw
		case "Carts", "shopmock", "Now", "LastID", "CartBytes": // besides visits: what counts, and goes on
		default:
			rows.ForEach(func(id, row gjson.Result) bool {
				out[table.Str+" "+id.Str] = ended.ReplaceAllString(row.Raw, "")
				return true
			})
		}
		return true
	})
	if len(out) < 100 {
		t.Fatalf("only %d rows were exported", len(out))
	}
	return out
}

// checkUntouched compares two exports row by row.
func checkUntouched(t *testing.T, before, after map[string]string) {
	t.Helper()
	for _, key := range slices.Sorted(maps.Keys(after)) {
		switch old, known := before[key]; {
		case !known:
			t.Errorf("%s is left behind: %s", key, brief(after[key]))
		case old != after[key]:
			t.Errorf("%s was changed\nfrom %s\nto   %s", key, brief(old), brief(after[key]))
		}
	}
	for key := range before {
		if _, still := after[key]; !still {
			t.Errorf("%s is gone", key)
		}
	}
}

func brief(text string) string { return text[:min(len(text), 600)] }

func TestARunLeavesTheShopAsItWas(t *testing.T) {
	server := mockserver.Start(t)
	before := export(t, server)
	requests := counter{inner: http.DefaultTransport}
	report, err := suites.Run(context.Background(),
		suites.Options{Profile: profileOf(t, server.URL()), Topics: topics.All(), Transport: &requests})
	if err != nil || report.Verdict != reports.Conformant || len(report.Leftovers) > 0 {
		t.Fatalf("%v, %s %v, left %v", err, report.Verdict, report.Reasons, report.Leftovers)
	}
	checkUntouched(t, before, export(t, server))
	if sent := requests.sent.Load(); sent > mostRequests {
		t.Errorf("the run took %d requests: share what specs only read (suites/spec/shared.go), or say why mostRequests grows", sent)
	}
}

// mostRequests is how many requests a whole run may take. A shop far away answers each of them slowly. 1 106 specs took 2 909; the links of
// filtered lists are looked at since then, the direction in which each order is unless asked otherwise, and a checkout of what ran short or
// was deleted: 1 105 took 2 949. Checkouts by each payment method, batches of several, and what a batch leaves out: 1 115 take 3 018. What
// a batch must refuse, keys in the query, addresses by rest_route, and what is deleted twice: 1 135 take 3 128. Lists of
// more than ten terms, an order whose payment was declined, two events of one webhook and the SKU of a variation: 1 139 take 3 141. What
// many changes at once leave, what a cart keeps of what was chosen, what a refused checkout leaves, and what keys may in v1 and v2: 1 149
// take 3 234. Keys of all kinds by each form of address, what a status, the trash and refusals leave of a record, two coupons and a second
// order of one visitor, and the cart in other answers: 1 175 take 3 561. The methods of a batch, and what products are
// filed under: 1 178 take 3 576. The password of an account that a checkout makes, and when orders
// were paid and completed, drafts in carts and the last pieces: 1 182 take 3 592.
const mostRequests = 3592

// counter is a transport that counts.
type counter struct {
	inner http.RoundTripper
	sent  atomic.Int64
}

func (c *counter) RoundTrip(r *http.Request) (*http.Response, error) {
	c.sent.Add(1)
	return c.inner.RoundTrip(r)
}

// stopper ends a run after some of its specs, in the middle of the next one.
type stopper struct {
	suites.Quiet
	stop  context.CancelFunc
	after int
	seen  int
}

func (s *stopper) Done(reports.Spec) {
	if s.seen++; s.seen == s.after {
		s.stop()
	}
}

func TestAnInterruptedRunLeavesTheShopAsItWas(t *testing.T) {
	server := mockserver.Start(t)
	before := export(t, server)
	for _, after := range []int{1, 60, 200} {
		ctx, cancel := context.WithCancel(context.Background())
		report, err := suites.Run(ctx, suites.Options{Profile: profileOf(t, server.URL()), Topics: topics.All(), Shuffle: true,
			Seed:     int64(after),
			Progress: &stopper{stop: cancel, after: after}})
		cancel()
		if err != nil || report.Verdict != reports.Interrupted || report.ExitCode != 130 || len(report.Leftovers) > 0 {
			t.Errorf("%v, %s with exit code %d, left %v", err, report.Verdict, report.ExitCode, report.Leftovers)
		}
		checkUntouched(t, before, export(t, server))
	}
}

// An interrupt that comes while the shop is busy making something must not lose what it makes.
func TestAnInterruptInTheMiddleOfAWriteLosesNothing(t *testing.T) {
	server := mockserver.Start(t)
	before := export(t, server)
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	var creates atomic.Int32
	interrupting := roundTrip(func(r *http.Request) (*http.Response, error) {
		if r.Method == http.MethodPost && strings.HasSuffix(r.URL.Path, "/products") && creates.Add(1) == 20 {
			cancel() // on its way already
		}
		return http.DefaultTransport.RoundTrip(r)
	})
	report, err := suites.Run(ctx, suites.Options{Profile: profileOf(t, server.URL()), Topics: topics.All(), Transport: interrupting})
	if err != nil || report.Verdict != reports.Interrupted || len(report.Leftovers) > 0 {
		t.Errorf("%v, %s, left %v", err, report.Verdict, report.Leftovers)
	}
	checkUntouched(t, before, export(t, server))
}

type roundTrip func(*http.Request) (*http.Response, error)

func (f roundTrip) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

// elsewhere runs the suites against a shop in a process of its own.
func elsewhere(t *testing.T, server *mockserver.Server) *exec.Cmd {
	t.Helper()
	return again(t, "run", server.URL())
}

func TestTwoRunsAtOnceDoNotMind(t *testing.T) {
	server := mockserver.Start(t)
	before := export(t, server)
	var both sync.WaitGroup
	for range 2 {
		both.Go(func() {
			if out, err := elsewhere(t, server).CombinedOutput(); err != nil {
				t.Errorf("%v\n%s", err, out)
			}
		})
	}
	both.Wait()
	checkUntouched(t, before, export(t, server))
}

func TestCleanupRemovesWhatAKilledRunLeft(t *testing.T) {
	server := mockserver.Start(t)
	p := profileOf(t, server.URL())
	makeLookalikes(t, p)
	before := export(t, server)
	kill(t, elsewhere(t, server), func() bool { return len(export(t, server)) > len(before)+150 })
	if left := len(export(t, server)) - len(before); left < 100 {
		t.Fatalf("the killed run left only %d records", left)
	}

	found, _, err := suites.Cleanup{Profile: p}.Run(context.Background())
	if err != nil || len(found) != 1 || len(found[0].Records) < 50 {
		t.Fatalf("found %v, %v", found, err)
	}
	again, left, err := suites.Cleanup{Profile: p, RunID: found[0].RunID, Agree: agree}.Run(context.Background())
	if err != nil || len(left) > 0 || len(again) != 1 || len(again[0].Records) != len(found[0].Records) {
		t.Errorf("of %v were deleted %v, left %v, %v", found, again, left, err)
	}
	checkUntouched(t, before, export(t, server))
	if found, _, err := (suites.Cleanup{Profile: p}).Run(context.Background()); len(found) > 0 || err != nil {
		t.Errorf("found once more: %v, %v", found, err)
	}
}

// agree lets clean-up delete what it has found.
func agree([]suites.LeftBehind) bool { return true }

// kill starts a program and kills it as soon as it is told to.
func kill(t *testing.T, command *exec.Cmd, now func() bool) {
	t.Helper()
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	for deadline := time.Now().Add(time.Minute); !now() && time.Now().Before(deadline); {
		time.Sleep(10 * time.Millisecond)
	}
	if err := command.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = command.Wait() // it was killed: there is nothing more to know
}

// makeLookalikes makes records of others whose names are like those of a run.
func makeLookalikes(t *testing.T, p profile.Profile) {
	t.Helper()
	api := client.New(p, client.NewRedactor(p), func(reports.Exchange) int { return 0 }, nil)
	defer api.Close()
	for _, r := range []struct {
		path   string
		record map[string]any
	}{
		{"/products", map[string]any{"name": "shopcheck", "sku": "shopcheck-12"}},
		{"/products", map[string]any{"name": "shopcheck-tee-1", "sku": "SHOPCHECK-abcdefgh-1"}},
		{"/products", map[string]any{"name": "scarf", "sku": "sc-1234-1"}},
		{"/products", map[string]any{"name": "xshopcheck-01234567-1"}},
		{"/orders", map[string]any{"billing": map[string]any{"email": "buyer@example.test"}}},
		{"/orders", map[string]any{"billing": map[string]any{"email": "buyer-7-1@example.test"}, "customer_note": "about shopcheck"}},
		{"/customers", map[string]any{"email": "buyer-of-shopcheck@example.test", "username": "sc12n3z"}},
		{"/coupons", map[string]any{"code": "shopcheck"}},
		{"/products/categories", map[string]any{"name": "sc-1"}},
	} {
		a := api.Do(context.Background(), client.Request{Method: http.MethodPost, Path: client.Management + r.path, Body: r.record,
			Auth: client.Auth{Credentials: p.Credentials.ReadWrite, Way: client.AnyWay}})
		if !a.OK() {
			t.Fatalf("%s: %s", a, a.Body)
		}
	}
}
