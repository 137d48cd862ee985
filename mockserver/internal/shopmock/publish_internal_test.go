package shopmock

import (
	"bytes"
	"log/slog"
	"strings"
	"testing"

	"shopcheck/mockserver/internal/shop"
)

// TestTheLogNamesWhatWasForgotten publishes the deletion of two orders, one of which made room for newer ones.
func TestTheLogNamesWhatWasForgotten(t *testing.T) {
	var log bytes.Buffer
	s, err := New(Options{Seed: "empty", Log: slog.New(slog.NewTextHandler(&log, nil))})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	s.publish(s.shop.Read(), []shop.Event{{Resource: "order", Action: "deleted", ID: 7}, {Resource: "order", Action: shop.Forgotten, ID: 7},
		{Resource: "order", Action: "deleted", ID: 8}})
	if told := log.String(); strings.Count(told, "forgotten") != 1 || !strings.Contains(told, "order=7") {
		t.Errorf("the log says\n%s", told)
	}
}
