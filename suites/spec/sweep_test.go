package spec

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/tidwall/gjson"

	"shopcheck/suites/client"
)

func TestMarksAreWholeWordsOfARun(t *testing.T) {
	for text, want := range map[string]bool{
		"shopcheck-0a1b2c3d-17": true, "sc0a1b2c3dn5z": true, "scarf sc0a1b2c3dn5z": true, "sc0a1b2c3dn5z002@example.test": true,
		"BUYER-0a1b2c3d-1@example.test": true, "sc-0a1b2c3d-9": true,
		"": false, "shopcheck": false, "shopcheck-17": false, "shopcheck-0a1b2c3d": false, "xshopcheck-0a1b2c3d-1": false,
		"shopcheck-0a1b2c3g-1": false,
		"sc-1-2":               false, "buyer-0a1b2c3d-1@example.com": false, "buyer@example.test": false,
	} {
		if got := mark("").MatchString(text); got != want {
			t.Errorf("%q: %v, want %v", text, got, want)
		}
	}
	if mark("0a1b2c3d").MatchString("shopcheck-99999999-1") {
		t.Error("another run's mark was taken for this one's")
	}
}

func TestAMarkNamesItsRun(t *testing.T) {
	for _, word := range []string{"shopcheck-0a1b2c3d-17", "sc-0a1b2c3d-9", "sc0a1b2c3dn5z", "sc0a1b2c3dn5z002",
		"buyer-0a1b2c3d-1@example.test"} {
		if got := runOf(mark("").FindString(word)); got != "0a1b2c" {
			t.Errorf("%s: %q", word, got)
		}
	}
}

// Who searches for one name finds that record alone.
func TestNoNameOfARunHoldsAnother(t *testing.T) {
	made := &Env{run: &Run{Nonce: "0a1b2c3d"}}
	names := make([]string, 120)
	for i := range names {
		if names[i] = made.Unique("shopcheck"); !mark("0a1b2c3d").MatchString(names[i]) {
			t.Errorf("%s carries no mark of its run", names[i])
		}
		for _, earlier := range names[:i] {
			if strings.Contains(names[i], earlier) {
				t.Errorf("who searches for %s finds %s", earlier, names[i])
			}
		}
	}
}

func TestChangesAreDatedByOurClock(t *testing.T) {
	record := gjson.Parse(`{"date_created_gmt":"2026-01-01T10:00:00","date_modified_gmt":"2026-01-01T10:30:00"}`)
	ahead := answered(http.StatusOK, `[]`)
	ahead.Header = http.Header{"Date": {time.Now().Add(time.Hour).UTC().Format(http.TimeFormat)}}
	want := time.Date(2026, 1, 1, 9, 30, 0, 0, time.UTC)
	if got := lastChange(record, ahead); got.Sub(want).Abs() > 2*time.Second {
		t.Errorf("by a shop whose clock is an hour ahead: %v, want %v", got, want)
	}
	if got := lastChange(gjson.Parse(`{"id":1}`), ahead); !got.IsZero() {
		t.Errorf("without a date: %v", got)
	}
}

// memoryShop answers lists of a shop from memory: path → body, 404 for all others. It remembers what it was asked.
type memoryShop struct {
	bodies map[string]string
	asked  []string
}

func (s *memoryShop) send(_ context.Context, r client.Request) *client.Answer {
	s.asked = append(s.asked, strings.TrimPrefix(r.Path, client.Management)+"?"+r.Query.Encode())
	body, known := s.bodies[strings.TrimPrefix(r.Path, client.Management)]
	if !known {
		return answered(http.StatusNotFound, `{}`)
	}
	return answered(http.StatusOK, body)
}

func TestSweepFindsMarkedRecordsOnce(t *testing.T) {
	s := &memoryShop{bodies: map[string]string{
		"/products": `[{"id":1,"sku":"shopcheck-0a1b2c3d-1","name":"n"},{"id":2,"sku":"TEE","name":"Tee"}]`,
		"/orders": `[{"id":3,"billing":{"email":""},"line_items":[` +
			`{"sku":"TEE","name":"Tee"},{"sku":"shopcheck-0a1b2c3d-1","name":"n"}]},` +
			`{"id":5,"billing":{"email":"maya@example.test"},"line_items":[{"sku":"shopcheck-0a1b2c3d-1"}]}]`, // she has bought it
		"/customers": `[{"id":4,"email":"maya@example.test","username":"maya"}]`,
	}}
	found, err := Sweep{Send: s.send}.Find(context.Background())
	want := []Found{{Path: "/shop/v3/orders/3", Mark: "shopcheck-0a1b2c3d-1", Run: "0a1b2c"},
		{Path: "/shop/v3/products/1", Mark: "shopcheck-0a1b2c3d-1", Run: "0a1b2c"}}
	if err != nil || !slices.Equal(found, want) {
		t.Errorf("%v, %v", found, err)
	}
	if !slices.Contains(s.asked, "/orders?page=1&per_page=100&status=checkout-draft") {
		t.Errorf("drafts were not looked for: %v", s.asked)
	}
}

func TestSweepTurnsThePages(t *testing.T) {
	page := func(from int) string {
		records := make([]string, sweptPage)
		for i := range records {
			records[i] = fmt.Sprintf(`{"id":%d,"code":"shopcheck-0a1b2c3d-%d"}`, from+i, from+i)
		}
		return "[" + strings.Join(records, ",") + "]"
	}
	found, err := Sweep{Only: []string{"coupons"}, Send: func(_ context.Context, r client.Request) *client.Answer {
		switch r.Query.Get("page") {
		case "1":
			return answered(http.StatusOK, page(1))
		case "2":
			return answered(http.StatusOK, page(1+sweptPage))
		}
		return answered(http.StatusOK, `[{"id":999,"code":"shopcheck-0a1b2c3d-999"}]`)
	}}.Find(context.Background())
	if err != nil || len(found) != 2*sweptPage+1 || found[2*sweptPage].Path != "/shop/v3/coupons/999" {
		t.Errorf("%d found, %v", len(found), err)
	}
}

func TestSweepOfOneRunNarrowsItsLists(t *testing.T) {
	s := &memoryShop{bodies: map[string]string{}}
	_, err := Sweep{Send: s.send, Nonce: "0a1b2c3d", Since: "2026-01-02T03:04:05"}.Find(context.Background())
	if err != nil || !slices.Contains(s.asked, "/products?after=2026-01-02T03%3A04%3A05&page=1&per_page=100") ||
		!slices.Contains(s.asked, "/customers?page=1&per_page=100&role=all&search=0a1b2c3d") {
		t.Errorf("%v, %v", s.asked, err)
	}
}

func TestSweepSaysWhenItCannotSee(t *testing.T) {
	for _, a := range []*client.Answer{answered(http.StatusUnauthorized, `{}`), answered(http.StatusInternalServerError, ``),
		{Err: errors.New("gone")}} {
		if _, err := (Sweep{Send: func(context.Context,
			client.Request) *client.Answer {
			return a
		}}).Find(context.Background()); err == nil {
			t.Errorf("%v is taken for an empty list", a)
		}
	}
}
