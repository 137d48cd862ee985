package mockserver

import (
	"net/http"
	"testing"
	"time"
)

func TestTheClockOfAShop(t *testing.T) {
	t.Parallel()
	shop := Start(t)
	christmas := time.Date(2026, 12, 24, 18, 0, 0, 0, time.UTC)
	if err := shop.FreezeClock(); err != nil {
		t.Fatal(err)
	}
	if err := shop.SetClock(christmas); err != nil {
		t.Fatal(err)
	}
	if err := shop.AdvanceClock(time.Hour); err != nil {
		t.Fatal(err)
	}
	if got := sent(shop, http.MethodGet, "/shop/v3", "").Header().Get("Date"); got != "Thu, 24 Dec 2026 19:00:00 GMT" {
		t.Errorf("Date: %s", got)
	}
	sandbox := shop.Sandbox(t)
	if err := sandbox.ResetClock(); err != nil {
		t.Error(err)
	}
	if !shop.Now().Equal(christmas.Add(time.Hour)) || sandbox.Now().After(time.Now()) {
		t.Errorf("the server shows %s, the sandbox %s", shop.Now(), sandbox.Now())
	}
	if err := shop.ResumeClock(); err != nil {
		t.Error(err)
	}
	if running := shop.Now(); running.Before(christmas.Add(time.Hour)) || running.After(christmas.Add(2*time.Hour)) {
		t.Errorf("resumed: %s", running)
	}
	if err := shop.SetClock(time.Date(1999, 1, 1, 0, 0, 0, 0, time.UTC)); err == nil {
		t.Error("a moment before 2000 is taken")
	}
	if err := shop.ResetClock(); err != nil || shop.Now().After(time.Now()) {
		t.Errorf("reset: %s, %v", shop.Now(), err)
	}
}
