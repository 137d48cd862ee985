package seed

import (
	"testing"
	"time"
)

func BenchmarkBuildDemo(b *testing.B) {
	day := time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC)
	for b.Loop() {
		if _, err := (plan{"demo", day}).build(); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkLoadAgain(b *testing.B) {
	now := time.Date(2026, 3, 1, 9, 0, 0, 0, time.UTC)
	for b.Loop() {
		if _, err := Load("demo", now); err != nil {
			b.Fatal(err)
		}
	}
}
