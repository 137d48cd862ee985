package suites_test

// The run itself, with small topics of its own against a small fake shop.

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/onsi/ginkgo/v2"
	"github.com/onsi/gomega"

	"shopcheck/reports"
	"shopcheck/suites"
	"shopcheck/suites/contract"
	"shopcheck/suites/expect"
	"shopcheck/suites/profile"
	"shopcheck/suites/spec"
)

// fakeShop answers just enough for the preflight and a few specs. Its cart list may be bent by a test.
func fakeShop(t *testing.T, extra map[string]http.HandlerFunc) *httptest.Server {
	t.Helper()
	mux := http.NewServeMux()
	routes := map[string]http.HandlerFunc{
		"GET /shop/v3/products": func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("X-Shop-Total", "0")
			w.Header().Set("X-Shop-TotalPages", "0")
			answer(w, 200, []any{})
		},
		"GET /shop/store/v1/products": func(w http.ResponseWriter, _ *http.Request) { answer(w, 200, []any{}) },
		"/": func(w http.ResponseWriter, _ *http.Request) {
			answer(w, 404, map[string]any{"code": "rest_no_route", "message": "no", "data": map[string]any{"status": 404}})
		},
	}
	for pattern, handler := range extra {
		routes[pattern] = handler
	}
	for pattern, handler := range routes {
		mux.HandleFunc(pattern, handler)
	}
	server := httptest.NewServer(mux)
	t.Cleanup(server.Close)
	return server
}

func answer(w http.ResponseWriter, status int, body any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(body)
}

func profileFor(server *httptest.Server) profile.Profile {
	p := profile.New(server.URL)
	p.Credentials.ReadWrite = profile.Credentials{Key: "ck_test", Secret: "cs_very_secret"}
	p.Limits.RetryWait = time.Millisecond
	return p
}

// topic wraps specs as a topic of their own.
func topic(register func(*spec.Env)) []spec.Topic {
	return []spec.Topic{{Name: "probe", Register: register}}
}

func specOf(t *testing.T, r *reports.Report, id string) reports.Spec {
	t.Helper()
	for _, s := range r.Specs {
		if s.ID == id {
			return s
		}
	}
	t.Fatalf("no spec %s in the report; reasons %v", id, r.Reasons)
	return reports.Spec{}
}

func requirementOf(t *testing.T, r *reports.Report, id string) reports.Requirement {
	t.Helper()
	i := slices.IndexFunc(r.Requirements, func(q reports.Requirement) bool { return q.ID == id })
	if i < 0 {
		t.Fatalf("no requirement %s in the report", id)
	}
	return r.Requirements[i]
}

func TestAPassingSpecVerifiesItsRequirement(t *testing.T) {
	server := fakeShop(t, nil)
	r, err := suites.Run(context.Background(), suites.Options{Profile: profileFor(server), Topics: topic(func(env *spec.Env) {
		ginkgo.It("lists products", spec.Req("products.list"), func(ctx ginkgo.SpecContext) {
			gomega.Expect(env.Products.List(ctx, nil)).To(expect.HaveStatus(200))
		})
	})})
	if err != nil {
		t.Fatal(err)
	}
	if r.Verdict != reports.Conformant || r.ExitCode != 0 {
		t.Errorf("verdict %s, exit code %d: %v", r.Verdict, r.ExitCode, r.Reasons)
	}
	if q := requirementOf(t, r, "products.list"); q.Outcome != reports.Passed || !slices.Contains(q.Specs, "probe.lists-products") {
		t.Errorf("products.list is %s by %v", q.Outcome, q.Specs)
	}
	if q := requirementOf(t, r, "pagination.products.total"); q.Outcome != reports.Passed {
		t.Errorf("the header that passed by is %s, want passed", q.Outcome)
	}
}

// The page draws the run over time, and says where it took place and what the contract's sections are about.
func TestAReportSaysWhenAndWhereItsSpecsRan(t *testing.T) {
	server := fakeShop(t, nil)
	r, err := suites.Run(context.Background(), suites.Options{Profile: profileFor(server), Contract: "https://docs.example/api.md",
		Topics: topic(func(*spec.Env) {
			ginkgo.It("runs first", spec.Req("products.list"), func(ginkgo.SpecContext) {})
			ginkgo.It("runs then", spec.Req("products.list"), func(ginkgo.SpecContext) {})
		})})
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Specs) != 2 || r.Specs[0].StartedAt.Before(r.StartedAt) || r.Specs[1].StartedAt.Before(r.Specs[0].StartedAt) {
		t.Errorf("began at %v: %+v", r.StartedAt, r.Specs)
	}
	if e := r.Environment; e.Processes != 1 || e.CPUs < 1 || e.OS == "" || e.Arch == "" || !strings.HasPrefix(e.Go, "go") {
		t.Errorf("%+v", e)
	}
	if c := r.Contract; c.URL != "https://docs.example/api.md" || len(c.Sections) == 0 {
		t.Errorf("%+v", c)
	}
}

// What a deviation leaves to be looked at is looked at; what depends on it is not.
func TestASpecGoesOnAfterADeviationThatLeavesTheRest(t *testing.T) {
	server := fakeShop(t, map[string]http.HandlerFunc{
		"GET /shop/v3/products/7": func(w http.ResponseWriter, _ *http.Request) {
			answer(w, 401, map[string]any{"code": "other", "message": "no", "data": map[string]any{"status": 401, "resource_id": "8"}})
		},
	})
	r, _ := suites.Run(context.Background(), suites.Options{Profile: profileFor(server), Topics: topic(func(env *spec.Env) {
		ginkgo.It("looks", spec.Req("products.retrieve"), func(ctx ginkgo.SpecContext) {
			refused := env.Products.Get(ctx, 7)
			gomega.Expect(refused).To(expect.BeErrorEnvelope("shop_rest_product_invalid_id"))
			gomega.Expect(refused).To(expect.HaveJSON("data.resource_id", 7))
			gomega.Expect(refused).To(expect.HaveStatus(200))
			gomega.Expect(refused).To(expect.HaveJSON("never", "looked at"))
		})
		ginkgo.It("breaks", spec.Req("products.retrieve"), func(ctx ginkgo.SpecContext) {
			gomega.Expect(env.Products.Get(ctx, 7)).To(expect.HaveJSON("ids", gomega.HaveLen(1)))
			panic("of an empty list")
		})
	})})
	var wanted []string
	for _, f := range specOf(t, r, "probe.looks").Findings {
		wanted = append(wanted, strings.TrimSpace(f.Path+" "+f.Want))
	}
	want := []string{"status 404", "code shop_rest_product_invalid_id", "data.resource_id 7", "status 200"}
	if !slices.Equal(wanted, want) {
		t.Errorf("found %q, want %q", wanted, want)
	}
	if broken := specOf(t, r, "probe.breaks"); broken.Outcome != reports.Failed || r.ExitCode != 1 {
		t.Errorf("what breaks after a deviation is %s, the exit code %d", broken.Outcome, r.ExitCode)
	}
}

// Gomega cuts what it compares in its own way: a secret that is cut in two would be known by nobody.
func TestLongValuesAreCutWhereSecretsAreKnown(t *testing.T) {
	server := fakeShop(t, nil)
	r, _ := suites.Run(context.Background(), suites.Options{Profile: profileFor(server), Topics: topic(func(env *spec.Env) {
		ginkgo.It("compares", spec.Req("products.list"), func(ctx ginkgo.SpecContext) {
			env.Products.List(ctx, nil)
			long := strings.Repeat("x", 1000)
			gomega.Expect("cs_very_secret" + long + "cs_very_secret" + strings.Repeat(long, 5)).To(gomega.Equal(strings.Repeat(long, 6)))
		})
	})})
	found := specOf(t, r, "probe.compares").Findings
	if len(found) != 1 {
		t.Fatalf("%d findings", len(found))
	}
	said := found[0].Got + found[0].Want
	if strings.Contains(said, "cs_v") || strings.Contains(said, "secret") || strings.Contains(said, "Gomega") ||
		strings.Count(found[0].Got, "[redacted]") != 2 || !strings.Contains(found[0].Want, "more bytes)") {
		t.Errorf("got %s\nwant %s", found[0].Got, found[0].Want)
	}
}

func TestAFailureSaysWantedAndGot(t *testing.T) {
	server := fakeShop(t, nil)
	r, _ := suites.Run(context.Background(), suites.Options{Profile: profileFor(server), Topics: topic(func(env *spec.Env) {
		ginkgo.It("fails", spec.Req("products.retrieve"), func(ctx ginkgo.SpecContext) {
			gomega.Expect(env.Products.Get(ctx, 7)).To(expect.HaveStatus(200))
		})
	})})
	spec := specOf(t, r, "probe.fails")
	if r.ExitCode != 1 || spec.Outcome != reports.Failed || len(spec.Findings) != 1 {
		t.Fatalf("exit code %d, %s, findings %+v", r.ExitCode, spec.Outcome, spec.Findings)
	}
	f := spec.Findings[0]
	if f.Requirement != "products.retrieve" || f.Want != "status 200" || !strings.Contains(f.Got, "404") || f.Exchange != 0 {
		t.Errorf("finding %+v", f)
	}
	curl := spec.Exchanges[0].Curl
	if strings.Contains(curl, "cs_very_secret") || !strings.Contains(curl, "$SHOPCHECK_CREDENTIALS_READ_WRITE_SECRET") {
		t.Errorf("curl line %s", curl)
	}
}

func TestNoSecretIsInTheReport(t *testing.T) {
	server := fakeShop(t, map[string]http.HandlerFunc{
		"GET /shop/v3/orders": func(w http.ResponseWriter, q *http.Request) {
			_, secret, _ := q.BasicAuth()
			w.Header().Set("Cart-Token", "token-"+secret)
			answer(w, 500, map[string]any{"code": "x", "message": "you sent " + secret + " and token-" + secret,
				"data": map[string]any{"status": 500}})
		}})
	r, _ := suites.Run(context.Background(), suites.Options{Profile: profileFor(server), Topics: topic(func(env *spec.Env) {
		ginkgo.It("leaks", spec.Req("orders.list"), func(ctx ginkgo.SpecContext) {
			a := env.Orders.List(ctx, nil)
			env.Observe("leak", a.Get("message").String())
			gomega.Expect(a.Get("message").String()).To(gomega.Equal("nothing"))
		})
	})})
	text, err := json.Marshal(r)
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(string(text), "cs_very_secret") {
		t.Errorf("the secret is in the report: %s", text)
	}
}

func TestAShouldIsAWarningAndTheSpecGoesOn(t *testing.T) {
	server := fakeShop(t, nil)
	wentOn := false
	register := topic(func(env *spec.Env) {
		ginkgo.It("warns", spec.Req("variations.paging"), func(ctx ginkgo.SpecContext) {
			gomega.Expect(env.Products.List(ctx, nil)).To(expect.HaveHeader("No-Such", "x"))
			wentOn = true
		})
	})
	r, _ := suites.Run(context.Background(), suites.Options{Profile: profileFor(server), Topics: register})
	if got := specOf(t, r, "probe.warns").Outcome; got != reports.Warned || !wentOn || r.ExitCode != 0 {
		t.Errorf("outcome %s, went on %v, exit code %d", got, wentOn, r.ExitCode)
	}
	r, _ = suites.Run(context.Background(), suites.Options{Profile: profileFor(server), Topics: register, Strict: true})
	if got := specOf(t, r, "probe.warns").Outcome; got != reports.Failed || r.ExitCode != 1 {
		t.Errorf("strict: outcome %s, exit code %d", got, r.ExitCode)
	}
}

func TestADeviatingFieldIsFiledUnderItsOwnRequirement(t *testing.T) {
	server := fakeShop(t, map[string]http.HandlerFunc{
		"GET /shop/v3/products/{id}": func(w http.ResponseWriter, _ *http.Request) {
			answer(w, 200, map[string]any{"id": "seven", "name": nil})
		}})
	r, _ := suites.Run(context.Background(), suites.Options{Profile: profileFor(server), Topics: topic(func(env *spec.Env) {
		ginkgo.It("retrieves", spec.Req("products.retrieve"), func(ctx ginkgo.SpecContext) {
			gomega.Expect(env.Products.Get(ctx, 7)).To(expect.HaveStatus(200))
		})
	})})
	for id, want := range map[string]reports.Outcome{
		"product.field.id": reports.Failed, "product.field.name": reports.Failed, "product.field.sku": reports.Failed,
		"product.field.weight": reports.Warned, "products.retrieve": reports.Passed,
	} {
		if got := requirementOf(t, r, id).Outcome; got != want {
			t.Errorf("%s is %s, want %s", id, got, want)
		}
	}
	if got := specOf(t, r, "probe.retrieves").Outcome; got != reports.Failed {
		t.Errorf("the spec that saw the fields is %s", got)
	}
}

func TestFeaturesThatAreOffAreNotApplicable(t *testing.T) {
	server := fakeShop(t, nil)
	p := profileFor(server)
	p.Features = map[string]string{"store-cart": "off"}
	r, _ := suites.Run(context.Background(), suites.Options{Profile: p, Topics: topic(func(env *spec.Env) {
		ginkgo.It("reads the cart", spec.Req("cart.get"), func(ginkgo.SpecContext) { panic("must not run") })
		ginkgo.It("lists", spec.Req("products.list"), func(ctx ginkgo.SpecContext) { env.Products.List(ctx, nil) })
	})})
	if got := specOf(t, r, "probe.reads-the-cart").Outcome; got != reports.NotApplicable {
		t.Errorf("outcome %s", got)
	}
	if r.ExitCode != 0 {
		t.Errorf("exit code %d: %v", r.ExitCode, r.Reasons)
	}
}

func TestWhatCouldNotRunIsNeverGreen(t *testing.T) {
	server := fakeShop(t, nil)
	r, _ := suites.Run(context.Background(), suites.Options{Profile: profileFor(server), Topics: topic(func(env *spec.Env) {
		ginkgo.It("needs a read key", spec.Req("auth.read-reads"), func(ginkgo.SpecContext) { env.Key("read") })
	})})
	spec := specOf(t, r, "probe.needs-a-read-key")
	if spec.Outcome != reports.CouldNotRun || !strings.Contains(spec.Reason, "credentials.read") || r.ExitCode != 3 {
		t.Errorf("%s (%s), exit code %d", spec.Outcome, spec.Reason, r.ExitCode)
	}
}

func TestPanicsAreHarnessErrors(t *testing.T) {
	server := fakeShop(t, nil)
	r, _ := suites.Run(context.Background(), suites.Options{Profile: profileFor(server), Topics: topic(func(*spec.Env) {
		ginkgo.It("breaks", spec.Req("products.list"), func(ginkgo.SpecContext) { panic("boom") })
	})})
	if got := specOf(t, r, "probe.breaks").Outcome; got != reports.BrokenHarness || r.ExitCode != 2 {
		t.Errorf("%s, exit code %d", got, r.ExitCode)
	}
}

func TestUnsoundTreesDoNotRun(t *testing.T) {
	server := fakeShop(t, nil)
	cases := map[string]func(*spec.Env){
		"names no requirement": func(*spec.Env) { ginkgo.It("a", func() {}) },
		"unknown requirement":  func(*spec.Env) { ginkgo.It("b", spec.Req("no.such"), func() {}) },
		"focused":              func(*spec.Env) { ginkgo.FIt("c", spec.Req("products.list"), func() {}) },
		"unknown feature": func(*spec.Env) {
			ginkgo.It("f", spec.Req("products.list"), spec.Needs("no-such"), func() {})
		},
		"two specs": func(*spec.Env) {
			ginkgo.It("d", spec.Req("products.list"), func() {})
			ginkgo.It("D", spec.Req("products.list"), func() {})
		},
		"cannot be tested": func(*spec.Env) { ginkgo.It("e", spec.Req("nonce.lifetime"), func() {}) },
	}
	for want, register := range cases {
		r, err := suites.Run(context.Background(), suites.Options{Profile: profileFor(server), Topics: topic(register)})
		if err == nil || !strings.Contains(err.Error(), want) || r.ExitCode != 2 {
			t.Errorf("want an error with %q, got %v and exit code %d", want, err, r.ExitCode)
		}
	}
}

func TestNothingSelectedIsAnError(t *testing.T) {
	server := fakeShop(t, nil)
	register := topic(func(*spec.Env) { ginkgo.It("a", spec.Req("products.list"), func() {}) })
	for _, o := range []suites.Options{{Label: "nothing"}, {Focus: "nothing"}, {Label: "(("}, {Focus: "("}} {
		o.Profile, o.Topics = profileFor(server), register
		r, err := suites.Run(context.Background(), o)
		if err == nil || r.ExitCode != 2 {
			t.Errorf("label %q, focus %q: %v, exit code %d", o.Label, o.Focus, err, r.ExitCode)
		}
	}
}

func TestWaivers(t *testing.T) {
	server := fakeShop(t, nil)
	register := topic(func(env *spec.Env) {
		ginkgo.It("fails", spec.Req("products.retrieve"), func(ctx ginkgo.SpecContext) {
			gomega.Expect(env.Products.Get(ctx, 7)).To(expect.HaveStatus(200))
		})
		ginkgo.It("passes", spec.Req("products.list"), func(ctx ginkgo.SpecContext) { env.Products.List(ctx, nil) })
	})
	cases := []struct {
		id, expires, state string
		exit               int
	}{
		{"products.retrieve", "2999-01-01", "used", 0},
		{"probe.fails", "2999-01-01", "used", 0},
		{"products.retrieve", "2001-01-01", "expired", 1},
		{"products.list", "2999-01-01", "stale", 1},
	}
	for _, c := range cases {
		p := profileFor(server)
		p.Waivers = []profile.Waiver{{ID: c.id, Reason: "known", Expires: c.expires}}
		r, err := suites.Run(context.Background(), suites.Options{Profile: p, Topics: register})
		if err != nil {
			t.Fatal(err)
		}
		if r.Waivers[0].State != c.state || r.ExitCode != c.exit {
			t.Errorf("%s until %s is %s with exit code %d, want %s and %d", c.id, c.expires, r.Waivers[0].State, r.ExitCode,
				c.state, c.exit)
		}
	}
}

// A waiver that excuses nothing is found out before the target gets a request.
func TestAWaiverOfAnUnknownIDStopsTheRunBeforeItBegins(t *testing.T) {
	server := fakeShop(t, map[string]http.HandlerFunc{"/": func(http.ResponseWriter, *http.Request) { t.Error("a request was sent") }})
	p := profileFor(server)
	p.Waivers = []profile.Waiver{{ID: "products.retreive", Reason: "known", Expires: "2999-01-01"}}
	_, err := suites.Run(context.Background(), suites.Options{Profile: p, Topics: topic(func(env *spec.Env) {
		ginkgo.It("passes", spec.Req("products.list"), func(ctx ginkgo.SpecContext) { env.Products.List(ctx, nil) })
	})})
	if !errors.Is(err, suites.ErrSelection) || !strings.Contains(err.Error(), "did you mean products.retrieve?") {
		t.Error(err)
	}
}

// What makes an earlier report say nothing about a run is told before the run has sent anything.
func TestABaselineOfAnotherRunStopsTheRunBeforeItBegins(t *testing.T) {
	requests := 0
	count := func(w http.ResponseWriter, _ *http.Request) {
		requests++
		answer(w, 404, nil)
	}
	server := fakeShop(t, map[string]http.HandlerFunc{"/": count})
	run := func(change func(*suites.Options, *reports.Report)) error {
		requests = 0
		baseline := &reports.Report{Contract: reports.Contract{Revision: contract.Revision}, Target: reports.Target{Dialect: "neutral"}}
		options := suites.Options{Profile: profileFor(server), Baseline: baseline, Topics: topic(func(env *spec.Env) {
			ginkgo.It("passes", spec.Req("products.list"), func(ctx ginkgo.SpecContext) { env.Products.List(ctx, nil) })
		})}
		options.Profile.Dialect = "neutral"
		change(&options, baseline)
		_, err := suites.Run(context.Background(), options)
		return err
	}
	for want, change := range map[string]func(*suites.Options, *reports.Report){
		"the revision of the contract differs: 1 and ":         func(_ *suites.Options, r *reports.Report) { r.Contract.Revision = "1" },
		"the selection by label differs: none and probe":       func(o *suites.Options, _ *reports.Report) { o.Label = "probe" },
		"the selection by focus differs: none and pass":        func(o *suites.Options, _ *reports.Report) { o.Focus = "pass" },
		"the selection by spec differs: none and probe.passes": onlyPasses,
		"differs: what the specs need and nothing (read-only)": readOnly,
		"the dialect differs: acme and neutral":                func(_ *suites.Options, r *reports.Report) { r.Target.Dialect = "acme" },
		"strictness differs: false and true":                   func(o *suites.Options, _ *reports.Report) { o.Strict = true },
		"the shard differs: all and 1/1":                       firstOfOne,
		"no verdict: it ended by an error; take a":             afterAnError,
	} {
		if err := run(change); !errors.Is(err, suites.ErrSelection) || !strings.Contains(err.Error(), want) || requests > 0 {
			t.Errorf("%s: after %d requests: %v", want, requests, err)
		}
	}
	if err := run(func(*suites.Options, *reports.Report) {}); err != nil || requests == 0 {
		t.Errorf("of the same: %v after %d requests", err, requests)
	}
	err := run(func(o *suites.Options, r *reports.Report) { o.Profile.Dialect, r.Target.Dialect = "auto", "acme" })
	if !errors.Is(err, suites.ErrSelection) || !strings.Contains(err.Error(), "the dialect differs: acme and neutral") {
		t.Errorf("a dialect that is found by looking: %v", err)
	}
}

func onlyPasses(o *suites.Options, _ *reports.Report) { o.Specs = []string{"probe.passes"} }

func afterAnError(_ *suites.Options, r *reports.Report) { r.Verdict = reports.Errored }

func firstOfOne(o *suites.Options, _ *reports.Report) { o.Shard = &suites.Shard{Number: 1, Count: 1} }

func readOnly(o *suites.Options, _ *reports.Report) {
	o.Profile.ReadOnly, o.Reading = true, []string{"probe.passes"}
}

func TestAWaiverOfAWarningIsNotStale(t *testing.T) {
	server := fakeShop(t, nil)
	p := profileFor(server)
	p.Waivers = []profile.Waiver{{ID: "variations.paging", Reason: "known", Expires: "2999-01-01"}}
	register := topic(func(env *spec.Env) {
		ginkgo.It("warns", spec.Req("variations.paging"), func(ctx ginkgo.SpecContext) {
			gomega.Expect(env.Products.List(ctx, nil)).To(expect.HaveHeader("No-Such", "x"))
		})
	})
	for strict, want := range map[bool]reports.Outcome{false: reports.Warned, true: reports.Waived} {
		r, err := suites.Run(context.Background(), suites.Options{Profile: p, Topics: register, Strict: strict})
		if err != nil {
			t.Fatal(err)
		}
		if got := specOf(t, r, "probe.warns").Outcome; got != want || r.Waivers[0].State != "used" || r.ExitCode != 0 {
			t.Errorf("strict %v: %s, waiver %s, exit code %d: %v", strict, got, r.Waivers[0].State, r.ExitCode, r.Reasons)
		}
	}
}

func TestAnInterruptEndsTheRunAndCleansUp(t *testing.T) {
	deleted, made := make(chan string, 1), make(chan map[string]any, 1)
	server := fakeShop(t, map[string]http.HandlerFunc{
		"POST /shop/v3/products": func(w http.ResponseWriter, q *http.Request) {
			record := map[string]any{}
			_ = json.NewDecoder(q.Body).Decode(&record) // what is no record is not found by its mark
			record["id"] = 5
			made <- record
			answer(w, 201, record)
		},
		"GET /shop/v3/products/{id}":    func(w http.ResponseWriter, _ *http.Request) { answer(w, 200, <-made) },
		"DELETE /shop/v3/products/{id}": func(w http.ResponseWriter, q *http.Request) { deleted <- q.PathValue("id"); answer(w, 200, nil) },
	})
	ctx, interrupt := context.WithCancel(context.Background())
	r, err := suites.Run(ctx, suites.Options{Profile: profileFor(server), Topics: topic(func(env *spec.Env) {
		ginkgo.It("makes", spec.Req("products.create"), func(ctx ginkgo.SpecContext) {
			env.Products.Create(ctx, env.ProductBody())
			interrupt()
			env.Products.List(ctx, nil)
		})
		ginkgo.It("waits", spec.Req("products.list"), func(ctx ginkgo.SpecContext) { env.Products.List(ctx, nil) })
	})})
	if err != nil || r.Verdict != reports.Interrupted || r.ExitCode != 130 {
		t.Errorf("%v, verdict %s, exit code %d", err, r.Verdict, r.ExitCode)
	}
	if got := specOf(t, r, "probe.waits"); got.Outcome != reports.CouldNotRun {
		t.Errorf("the spec that was left is %s", got.Outcome)
	}
	select {
	case id := <-deleted:
		if id != "5" || len(r.Leftovers) != 0 {
			t.Errorf("deleted %s, left %v", id, r.Leftovers)
		}
	default:
		t.Error("the product that was made is not deleted")
	}
}

func TestTargetsThatAreNoShop(t *testing.T) {
	page := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte("<html>")) }))
	defer page.Close()
	gone := httptest.NewServer(http.NotFoundHandler())
	gone.Close()
	refuses := fakeShop(t, map[string]http.HandlerFunc{"GET /shop/v3/products": func(w http.ResponseWriter, _ *http.Request) {
		answer(w, 401, map[string]any{"code": "no", "message": "no", "data": map[string]any{"status": 401}})
	}})
	noLogin := fakeShop(t, map[string]http.HandlerFunc{"POST /jwt-auth/v1/token": func(w http.ResponseWriter, _ *http.Request) {
		answer(w, 403, map[string]any{"code": "no", "message": "no", "data": map[string]any{"status": 403}})
	}})
	register := topic(func(*spec.Env) { ginkgo.It("a", spec.Req("products.list"), func() {}) })
	elsewhere := func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, "https://login.example.test/", http.StatusFound)
	}
	moved := httptest.NewServer(http.HandlerFunc(elsewhere))
	defer moved.Close()
	down := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter,
		_ *http.Request) {
		w.WriteHeader(http.StatusServiceUnavailable)
	}))
	defer down.Close()
	gate := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusUnauthorized) }))
	defer gate.Close()
	endless := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		for chunk := make([]byte, 1<<20); ; {
			if _, err := w.Write(chunk); err != nil {
				return
			}
		}
	}))
	defer endless.Close()
	for want, server := range map[string]*httptest.Server{"not as a shop": page, "302 to https://login.example.test/": moved,
		"down for maintenance": down, "ask for a login of its own": gate, "sends more than 32 MiB": endless, "cannot be reached": gone,
		"refuses credentials.read_write": refuses, "refuses credentials.login": noLogin} {
		p := profileFor(server)
		p.Features = map[string]string{"login-basic": "off"}
		p.Credentials.Login = profile.Login{Username: "admin", Password: "password"}
		p.Limits.Retries = 0
		r, err := suites.Run(context.Background(), suites.Options{Profile: p, Topics: register})
		if err == nil || !strings.Contains(err.Error(), want) || r.ExitCode != 2 {
			t.Errorf("want %q, got %v and exit code %d", want, err, r.ExitCode)
		}
	}
}

// What a target sends is cut wherever it is shown: a report stays one that can be opened.
func TestHugeTextsOfATargetAreCut(t *testing.T) {
	huge := strings.Repeat("x", 1<<20)
	server := fakeShop(t, map[string]http.HandlerFunc{"GET /shop/v3/orders": func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("X-Junk", huge[:100_000])
		answer(w, 400, map[string]any{"code": huge, "message": huge, "data": map[string]any{"status": 400}})
	}})
	r, _ := suites.Run(context.Background(), suites.Options{Profile: profileFor(server), Topics: topic(func(env *spec.Env) {
		ginkgo.It("observes", spec.Req("orders.list"), func(ctx ginkgo.SpecContext) {
			env.Observe("orders.code", env.Orders.List(ctx, nil).Code())
			gomega.Expect(env.Orders.List(ctx, nil)).To(expect.HaveStatus(200))
		})
		ginkgo.It("compares", spec.Req("orders.list"), func(ctx ginkgo.SpecContext) {
			gomega.Expect(env.Orders.List(ctx, nil).Code()).To(gomega.Equal("short"))
		})
		ginkgo.It("leaves", spec.Req("orders.list"), func(ctx ginkgo.SpecContext) {
			env.CouldNotRun("it says %s", env.Orders.List(ctx, nil).Code())
		})
	})})
	var document strings.Builder
	if err := reports.WriteJSON(&document, r); err != nil {
		t.Fatal(err)
	}
	requirements, _ := json.MarshalIndent(r.Requirements, "", "  ")
	if size := document.Len() - len(requirements); size > 400_000 || len(r.Specs) != 3 {
		t.Errorf("the report of %d specs has %d bytes beside its requirements", len(r.Specs), size)
	}
}

func TestRetriedAnswersMakeASpecFlaky(t *testing.T) {
	tries := 0
	server := fakeShop(t, map[string]http.HandlerFunc{"GET /shop/v3/orders": func(w http.ResponseWriter, _ *http.Request) {
		if tries++; tries == 1 {
			answer(w, 503, nil)
			return
		}
		w.Header().Set("X-Shop-Total", "0")
		w.Header().Set("X-Shop-TotalPages", "0")
		answer(w, 200, []any{})
	}})
	r, _ := suites.Run(context.Background(), suites.Options{Profile: profileFor(server), Topics: topic(func(env *spec.Env) {
		ginkgo.It("lists", spec.Req("orders.list"), func(ctx ginkgo.SpecContext) {
			gomega.Expect(env.Orders.List(ctx, nil)).To(expect.HaveStatus(200))
		})
	})})
	spec := specOf(t, r, "probe.lists")
	if spec.Outcome != reports.Passed || !spec.Flaky || spec.Exchanges[0].Retries != 1 {
		t.Errorf("%s, flaky %v, exchanges %+v", spec.Outcome, spec.Flaky, spec.Exchanges)
	}
}

func TestNothingIsWrittenWhereItIsNotAllowed(t *testing.T) {
	p := profile.New("http://shop.example.test")
	if p.MayWrite() {
		t.Error("a distant target may be written to without being asked for")
	}
	p.AllowWrites = true
	if !p.MayWrite() {
		t.Error("allow_writes does not allow writes")
	}
}
