package metrics_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/prometheus/client_golang/prometheus/testutil"

	"shopcheck/mockserver"
	"shopcheck/mockserver/metrics"
)

func get(shop *mockserver.Server, path string, header ...string) *httptest.ResponseRecorder {
	request := httptest.NewRequest(http.MethodGet, path, nil)
	for i := 0; i < len(header); i += 2 {
		request.Header.Set(header[i], header[i+1])
	}
	answer := httptest.NewRecorder()
	shop.Handler().ServeHTTP(answer, request)
	return answer
}

func TestAServerIsCounted(t *testing.T) {
	t.Parallel()
	shop, err := mockserver.New(mockserver.Options{Seed: "empty"})
	if err != nil {
		t.Fatal(err)
	}
	if err := shop.SetFaults(1, mockserver.FaultRule{Path: "/shop/store/v1/cart", Effect: "status", Status: 503}); err != nil {
		t.Fatal(err)
	}
	sandbox := shop.Sandbox(t)
	length := get(shop, "/shop/store/v1/products").Body.Len()
	for _, path := range []string{"/shop/store/v1/nothing", "/shop/store/v1/cart", "/livez", "/readyz", "/_mock/clock"} {
		length += get(shop, path).Body.Len() * strings.Count(path, "store")
	}
	length += get(sandbox, "/shop/store/v1/products").Body.Len()
	want := `
# HELP shopmock_requests_total Requests, by the class of their answer's status; none: without an answer.
# TYPE shopmock_requests_total counter
shopmock_requests_total{status="1xx"} 0
shopmock_requests_total{status="2xx"} 2
shopmock_requests_total{status="3xx"} 0
shopmock_requests_total{status="4xx"} 1
shopmock_requests_total{status="5xx"} 1
shopmock_requests_total{status="none"} 0
# HELP shopmock_faulty_requests_total Requests to which something was done on purpose.
# TYPE shopmock_faulty_requests_total counter
shopmock_faulty_requests_total 1
# HELP shopmock_sandboxes Sandboxes that there are.
# TYPE shopmock_sandboxes gauge
shopmock_sandboxes 1
`
	err = testutil.CollectAndCompare(metrics.NewCollector(shop), strings.NewReader(want),
		"shopmock_requests_total", "shopmock_faulty_requests_total", "shopmock_sandboxes")
	if err != nil {
		t.Error(err)
	}
	if got := shop.Stats().AnswerBytes; got != uint64(length) {
		t.Errorf("%d bytes of answers, want %d", got, length)
	}
	if problems, err := testutil.CollectAndLint(metrics.NewCollector(shop)); err != nil || len(problems) > 0 {
		t.Errorf("%v, %v", problems, err)
	}
}

func TestMetricsAreServedUnderTheRulesOfTheMock(t *testing.T) {
	t.Parallel()
	shop, err := mockserver.New(mockserver.Options{Seed: "empty"})
	if err != nil {
		t.Fatal(err)
	}
	if answer := get(shop, "/_mock/metrics"); answer.Code != http.StatusNotFound {
		t.Errorf("without a handler: %d", answer.Code)
	}
	shop.ServeMetrics(metrics.Handler(shop))
	answer := get(shop, "/_mock/metrics")
	for _, name := range []string{`shopmock_records{kind="products"} 0`, "go_goroutines", "process_cpu_seconds_total",
		"shopmock_clock_seconds"} {
		if !strings.Contains(answer.Body.String(), name) {
			t.Errorf("no %s in %d %.300s", name, answer.Code, answer.Body)
		}
	}
	if answer := get(shop, "/_mock/metrics", "Origin", "https://evil.example"); answer.Code != http.StatusForbidden {
		t.Errorf("a stranger's page: %d", answer.Code)
	}
}
