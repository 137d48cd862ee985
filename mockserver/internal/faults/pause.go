package faults

import (
	"context"
	"time"
)

// Pause waits, but not longer than somebody waits for what comes after.
func Pause(ctx context.Context, wait time.Duration) {
	timer := time.NewTimer(wait)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-ctx.Done():
	}
}
