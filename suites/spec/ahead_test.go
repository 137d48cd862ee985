package spec

// Records made ahead: given to one spec each, told in its record, and taken only as they were wanted.

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"shopcheck/reports"
	"shopcheck/suites/profile"
)

// batching is a shop that makes customers one by one and by batches, and notes the requests. bend changes what a batch makes.
func batching(t *testing.T, bend func(record map[string]any)) (env *Env, requests *[]string) {
	t.Helper()
	records := []map[string]any{}
	requests = &[]string{}
	create := func(record map[string]any) map[string]any {
		record["id"] = len(records) + 1
		records = append(records, record)
		return record
	}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		*requests = append(*requests, r.Method+" "+strings.TrimPrefix(r.URL.Path, "/shop/v3"))
		w.Header().Set("Content-Type", "application/json")
		var body map[string]any
		_ = json.NewDecoder(r.Body).Decode(&body)
		switch {
		case r.Method == http.MethodGet:
			_ = json.NewEncoder(w).Encode(records)
		case strings.HasSuffix(r.URL.Path, "/batch"):
			var made []map[string]any
			for _, each := range body["create"].([]any) {
				record := each.(map[string]any)
				bend(record)
				made = append(made, create(record))
			}
			_ = json.NewEncoder(w).Encode(map[string]any{"create": made})
		default:
			w.WriteHeader(http.StatusCreated)
			_ = json.NewEncoder(w).Encode(create(body))
		}
	}))
	t.Cleanup(server.Close)
	p := profile.New(server.URL)
	p.Credentials.ReadWrite = profile.Credentials{Key: "ck_test", Secret: "cs_test"}
	run := NewRun(context.Background(), p, nil, NonceOf(NewRunID(), 0))
	t.Cleanup(run.Close)
	return NewEnv(run), requests
}

// givenToEach gives a customer to each of n specs, and returns their records.
func givenToEach(t *testing.T, env *Env, n int, changes Fields) []*Record {
	t.Helper()
	seen := map[int64]bool{}
	records := make([]*Record, n)
	for i := range records {
		records[i] = &Record{Spec: reports.Spec{ID: fmt.Sprintf("probe.%d", i), Requirements: []string{"customers.create"}}}
		env.run.Begin(records[i])
		made := env.GivenCustomerWith(context.Background(), changes)
		env.run.End()
		if seen[made.ID()] {
			t.Errorf("customer %d was given to two specs", made.ID())
		}
		seen[made.ID()] = true
		if exchange := records[i].Exchanges[made.Exchange]; !strings.Contains(exchange.Response.Body, made.Get("email").String()) {
			t.Errorf("spec %d: the exchange of its customer is %s %s", i, exchange.Method, exchange.URL)
		}
	}
	return records
}

func TestTheSecondOfAKindIsMadeAheadWithMore(t *testing.T) {
	env, requests := batching(t, func(map[string]any) {})

	records := givenToEach(t, env, 5, Fields{"first_name": "Ada"})

	if got := strings.Join(*requests, ", "); got != "POST /customers, POST /customers/batch, GET /customers" {
		t.Errorf("five customers took %s", got)
	}
	for i, shared := range []bool{false, false, true, true, true} {
		if exchanges := records[i].Exchanges; len(exchanges) != min(1+i, 2) || exchanges[0].Shared != shared {
			t.Errorf("spec %d has %d exchanges, and was told of an earlier spec's: %v", i, len(exchanges), exchanges[0].Shared)
		}
	}
}

func TestWhatBatchesMakeOtherwiseOrTooLargeIsMadeAlone(t *testing.T) {
	for name, bend := range map[string]func(map[string]any){
		"another name":    func(record map[string]any) { record["first_name"] = "Grace" },
		"no name":         func(record map[string]any) { delete(record, "first_name") },
		"somebody else's": func(record map[string]any) { record["email"] = "ada@example.test" },
		"a megabyte":      func(record map[string]any) { record["about"] = strings.Repeat("x", mostShared) },
	} {
		env, requests := batching(t, bend)

		givenToEach(t, env, 4, Fields{"first_name": "Ada"})

		batches := strings.Count(strings.Join(*requests, ", "), "/batch")
		if alone := strings.Count(strings.Join(*requests, ", ")+",", "POST /customers,"); alone != 4 || batches != 1 {
			t.Errorf("%s: %d customers were made alone, and %d batches were tried", name, alone, batches)
		}
	}
}

func TestWhatIsOneOfAKindIsMadeAlone(t *testing.T) {
	env, requests := batching(t, func(map[string]any) {})
	name := env.Word()

	givenToEach(t, env, 3, Fields{"last_name": name})
	for range 3 {
		Fresh(env, func() *Record { return givenToEach(t, env, 1, nil)[0] })
	}

	if got := strings.Join(*requests, ", "); strings.Contains(got, "batch") {
		t.Errorf("six customers took %s", got)
	}
}
