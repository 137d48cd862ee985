// Package metrics tells Prometheus what a shop does. It is apart from package mockserver, so that only those who watch a shop need the
// libraries for it.
package metrics

import (
	"maps"
	"net/http"
	"slices"
	"strconv"
	"sync"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"shopcheck/mockserver"
)

// collector asks a server for its counts when somebody looks, so that requests pay nothing for it.
type collector struct {
	server                                                     *mockserver.Server
	requests, faulty, bytes, sandboxes, waiting, records, time *prometheus.Desc
}

// NewCollector returns what tells a registry of a server.
func NewCollector(server *mockserver.Server) prometheus.Collector {
	describe := func(name, help string, labels ...string) *prometheus.Desc {
		return prometheus.NewDesc("shopmock_"+name, help, labels, nil)
	}
	return &collector{
		server:    server,
		requests:  describe("requests_total", "Requests, by the class of their answer's status; none: without an answer.", "status"),
		faulty:    describe("faulty_requests_total", "Requests to which something was done on purpose."),
		bytes:     describe("answer_bytes_total", "Bytes of the bodies of answers."),
		sandboxes: describe("sandboxes", "Sandboxes that there are."),
		waiting:   describe("webhook_deliveries_waiting", "Deliveries of webhooks that wait or are under way."),
		records:   describe("records", "Records of the server's own shop.", "kind"),
		time:      describe("clock_seconds", "The time as the server's own shop has it, in seconds since 1970."),
	}
}

// Describe tells which metrics there are.
func (c *collector) Describe(to chan<- *prometheus.Desc) { prometheus.DescribeByCollect(c, to) }

// Collect tells their values.
func (c *collector) Collect(to chan<- prometheus.Metric) {
	stats := c.server.Stats()
	send := func(desc *prometheus.Desc, kind prometheus.ValueType, value float64, labels ...string) {
		to <- prometheus.MustNewConstMetric(desc, kind, value, labels...)
	}
	for _, class := range slices.Sorted(maps.Keys(stats.Requests)) {
		name := "none"
		if class > 0 {
			name = strconv.Itoa(class) + "xx"
		}
		send(c.requests, prometheus.CounterValue, float64(stats.Requests[class]), name)
	}
	send(c.faulty, prometheus.CounterValue, float64(stats.Faulty))
	send(c.bytes, prometheus.CounterValue, float64(stats.AnswerBytes))
	send(c.sandboxes, prometheus.GaugeValue, float64(stats.Sandboxes))
	send(c.waiting, prometheus.GaugeValue, float64(stats.Waiting))
	for _, kind := range slices.Sorted(maps.Keys(stats.Records)) {
		send(c.records, prometheus.GaugeValue, float64(stats.Records[kind]), kind)
	}
	send(c.time, prometheus.GaugeValue, float64(c.server.Now().UnixMilli())/1000)
}

// Handler answers with what a server does and what its process takes, for Server.ServeMetrics. What it needs is made with the first
// request: few look.
func Handler(server *mockserver.Server) http.Handler {
	handler := sync.OnceValue(func() http.Handler {
		registry := prometheus.NewRegistry()
		registry.MustRegister(NewCollector(server), collectors.NewGoCollector(),
			collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
		return promhttp.HandlerFor(registry, promhttp.HandlerOpts{})
	})
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { handler().ServeHTTP(w, r) })
}
