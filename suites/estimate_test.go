package suites

// Estimates of a run.

import (
	"testing"
	"time"

	"shopcheck/suites/profile"
)

func TestHowManyWorkersAPaceIsWorth(t *testing.T) {
	for name, c := range map[string]struct {
		estimate estimate
		asked    int
		want     int
	}{
		"a shop in this process":          {estimate{1000, 500 * time.Microsecond, profile.Limits{Concurrency: 8}}, 0, 1},
		"one in the next room":            {estimate{1000, 5 * time.Millisecond, profile.Limits{Concurrency: 8}}, 0, 2},
		"a live one":                      {estimate{1000, 60 * time.Millisecond, profile.Limits{Concurrency: 8}}, 0, 8},
		"a live one, and few connections": {estimate{1000, 60 * time.Millisecond, profile.Limits{Concurrency: 2}}, 0, 2},
		"a live one, and few specs":       {estimate{30, 60 * time.Millisecond, profile.Limits{Concurrency: 8}}, 0, 1},
		"without a limit":                 {estimate{1000, time.Second, profile.Limits{}}, 0, mostByItself},
		"one that is not asked more": {estimate{1000, 60 * time.Millisecond,
			profile.Limits{Concurrency: 8, RequestsPerSecond: 20}}, 0, 2},
		"as many as asked":                   {estimate{1000, time.Millisecond, profile.Limits{Concurrency: 8}}, 5, 5},
		"no more than there are connections": {estimate{1000, time.Millisecond, profile.Limits{Concurrency: 2}}, 5, 2},
		"no answer yet":                      {estimate{1000, 0, profile.Limits{Concurrency: 8}}, 0, 1},
	} {
		if got := c.estimate.workers(c.asked); got != c.want {
			t.Errorf("%s: %d workers, want %d", name, got, c.want)
		}
	}
}

func TestAPaceHasAUnitThatSaysSomething(t *testing.T) {
	for latency, want := range map[time.Duration]string{
		0: "1µs", 300: "1µs", 84_321: "84µs", 999_400: "999µs", 1_400_000: "1ms", 61_700_000: "62ms", 2_345_000_000: "2.345s",
	} {
		if got := brief(latency); got != want {
			t.Errorf("%d ns: %q, want %q", latency, got, want)
		}
	}
}
