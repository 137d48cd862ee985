package client

import (
	"context"
	"net/http"
	"testing"
	"time"

	"shopcheck/suites/profile"
)

func TestWhatMayHangIsHurriedOnceTimeIsLost(t *testing.T) {
	for name, c := range map[string]struct {
		usual time.Duration // of an answer
		lost  int           // minutes
		asked string
		want  time.Duration // 0: what the limits say
	}{
		"nothing is lost":         {time.Millisecond, 0, "GET /new", 0},
		"it has answered":         {time.Millisecond, 1, "GET /good", 0},
		"nobody has asked it yet": {time.Millisecond, 1, "GET /new", time.Second},
		"it failed once":          {time.Millisecond, 1, "GET /bad", time.Second / 2},
		"it failed again":         {time.Millisecond, 2, "GET /bad", time.Second / 4},
		"it failed ten times":     {time.Millisecond, 10, "GET /bad", time.Second / 16},
		"the shop is slow":        {2 * time.Second, 10, "GET /bad", 6 * time.Second},
		"the shop is very slow":   {25 * time.Second, 1, "GET /new", 30 * time.Second},
	} {
		p := newPatience(profile.Limits{Timeout: 30 * time.Second, LostTime: time.Minute})
		p.note("GET /good", &Answer{Status: http.StatusOK}, c.usual)
		for range c.lost {
			p.note("GET /bad", &Answer{Err: context.DeadlineExceeded}, time.Minute)
		}
		if got := p.limit(c.asked); got != c.want {
			t.Errorf("%s: %v, want %v", name, got, c.want)
		}
	}
}
