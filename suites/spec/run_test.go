package spec

import (
	"context"
	"net/http"
	"testing"
	"testing/synctest"
	"time"

	"shopcheck/suites/client"
	"shopcheck/suites/profile"
)

// A target may ask for any wait between the tries of a request: how long all of them take is up to the client. Only an
// interrupt ends them: a read at once, a write when the try that is under way must have its answer.
func TestOnlyAnInterruptEndsARequest(t *testing.T) {
	p := profile.New("https://shop.example.test")
	for method, wait := range map[string]time.Duration{http.MethodGet: 0, http.MethodPost: p.Limits.Timeout} {
		synctest.Test(t, func(t *testing.T) {
			run, interrupt := context.WithCancel(t.Context())
			r := &Run{Context: run, Profile: p}
			life, end := r.lifeOf(t.Context(), client.Request{Method: method, Path: "/shop/v3/products"})
			defer end()
			time.Sleep(time.Hour)
			if life.Err() != nil {
				t.Errorf("%s: %v, and nobody has interrupted", method, life.Err())
			}
			interrupt()
			time.Sleep(wait - time.Millisecond)
			if synctest.Wait(); wait > 0 && life.Err() != nil {
				t.Errorf("%s: %v before its answer can be here", method, life.Err())
			}
			time.Sleep(time.Second)
			if synctest.Wait(); life.Err() == nil {
				t.Errorf("%s: goes on after an interrupt", method)
			}
		})
	}
}
