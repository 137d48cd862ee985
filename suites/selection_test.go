package suites

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"shopcheck/suites/contract"
)

// planOf returns a plan of specs that are all selected.
func planOf(ids ...string) plan {
	p := plan{byID: map[string]Planned{}, selected: map[string]bool{}}
	for _, id := range ids {
		topic, _, _ := strings.Cut(id, ".")
		planned := Planned{ID: id, Topic: topic}
		if strings.HasPrefix(id, "webhooks.") {
			planned.Features = []string{contract.FeatureWebhooks}
		}
		p.all, p.byID[id], p.selected[id] = append(p.all, planned), planned, true
	}
	return p
}

func TestNamedSpecsAreChosenOfTheSelected(t *testing.T) {
	for name, c := range map[string]struct {
		ids   []string
		want  int
		error string
	}{
		"one":          {[]string{"b.x"}, 1, ""},
		"two":          {[]string{"b.x", "a.x"}, 2, ""},
		"unknown":      {[]string{"a.x", "b.z"}, 0, `there is no spec "b.z"; did you mean`},
		"not selected": {[]string{"c.x"}, 0, "no spec matches"},
	} {
		p := planOf("a.x", "b.x", "c.x")
		delete(p.selected, "c.x")
		err := p.narrow(Options{Specs: c.ids, Label: "a || b"})
		if c.error != "" {
			if !errors.Is(err, ErrSelection) || !strings.Contains(err.Error(), c.error) {
				t.Errorf("%s: %v", name, err)
			}
			continue
		}
		if err != nil || len(p.chosen()) != c.want {
			t.Errorf("%s: %v %v", name, p.chosen(), err)
		}
	}
}

func TestShardsHoldEachSpecOnceAndAreEquallyLong(t *testing.T) {
	var ids []string
	durations := map[string]float64{}
	total := 0.0
	for i := range 100 {
		id := fmt.Sprintf("t%d.x", i%7) + fmt.Sprint(i)
		ids = append(ids, id)
		if i%10 != 0 {
			durations[id] = float64(1 + i*i%997)
			total += durations[id]
		}
	}
	for _, given := range []map[string]float64{nil, durations} {
		seen := map[string]int{}
		var plans []string
		for number := 1; number <= 8; number++ {
			p := planOf(ids...)
			if err := p.narrow(Options{Shard: &Shard{Number: number, Count: 8, Durations: given}}); err != nil {
				t.Fatal(err)
			}
			load := 0.0
			for _, planned := range p.chosen() {
				seen[planned.ID]++
				load += given[planned.ID]
			}
			if n := len(p.chosen()); given == nil && (n < 12 || n > 13) {
				t.Errorf("shard %d has %d of 100 specs", number, n)
			}
			if given != nil && math.Abs(load-total/8) > total/8*0.3 {
				t.Errorf("shard %d takes %.0f of %.0f", number, load, total)
			}
			plans = append(plans, fmt.Sprint(p.shard.Plan))
		}
		if len(seen) != 100 || slices.ContainsFunc(ids, func(id string) bool { return seen[id] != 1 }) {
			t.Errorf("the shards hold %d of 100 specs: %v", len(seen), seen)
		}
		if len(slices.Compact(plans)) != 1 {
			t.Error("the shards are of different splits")
		}
	}
}

// One receiver that the target can reach is enough for a run.
func TestSpecsThatAwaitWebhooksStayInOneShard(t *testing.T) {
	p := planOf("a.x", "webhooks.a", "b.x", "webhooks.b", "webhooks.c", "c.x")
	p.split(Shard{Number: 1, Count: 3})
	for _, part := range p.shard.Plan {
		n := 0
		for _, id := range part {
			if strings.HasPrefix(id, "webhooks.") {
				n++
			}
		}
		if n != 0 && n != 3 {
			t.Errorf("%v", p.shard.Plan)
		}
	}
}

func TestThereMayBeMoreShardsThanSpecs(t *testing.T) {
	p := planOf("a.x")
	if err := p.narrow(Options{Shard: &Shard{Number: 2, Count: 3}}); err != nil || len(p.chosen()) != 0 || p.shard == nil {
		t.Errorf("%v %v", p.chosen(), err)
	}
}

func TestLabelsThatNoSpecHasAreRefused(t *testing.T) {
	all := []Planned{{ID: "a.b", Topic: "cart", Requirements: []string{"cart.get", "cart.__ownCart"},
		Features: []string{"coupons", "webhooks"}}}
	for filter, want := range map[string][]string{
		"":                nil,
		"cart && !should": nil,
		"CART || (req:cart.get, feature:coupons)":                      nil,
		"req:cart.__ownCart || REQ:CART.GET":                           nil,
		"/crat|ordres/ && !/x/":                                        nil,
		"feature: containsAny {coupons, Webhooks} && feature: isEmpty": nil,
		"feature: isSubsetOf coupons || must":                          nil,
		"cart || ordres":                                               {`"ordres"`},
		"!crat && !shuold": {`"crat" is no label; did you mean cart?`,
			`"shuold" is no label; did you mean should?`},
		"feature: containsAny {coupons, hooks}": {`"feature:hooks"`},
		"feature: containsAny cupons || cart":   {`"feature:cupons" is no label; did you mean feature:coupons?`},
	} {
		p := plan{all: all, selected: map[string]bool{"a.b": true}}
		err := p.narrow(Options{Label: filter})
		if (err != nil) != (len(want) > 0) {
			t.Errorf("%q: %v", filter, err)
		}
		for _, text := range want {
			if err == nil || !errors.Is(err, ErrSelection) || !strings.Contains(err.Error(), text) {
				t.Errorf("%q: %v, want %s", filter, err, text)
			}
		}
	}
}

// Workers begin in different topics, so that what the specs of one share is made by one of them.
func TestWorkersGoRoundTheTopics(t *testing.T) {
	p := plan{selected: map[string]bool{}}
	for _, topic := range []string{"cart", "orders", "webhooks", "auth"} {
		for i := range 10 {
			spec := Planned{ID: fmt.Sprint(topic, ".", i), Topic: topic}
			if topic == "webhooks" && i > 3 {
				spec.Features = []string{contract.FeatureWebhooks}
			}
			p.all, p.selected[spec.ID] = append(p.all, spec), topic != "orders" || i < 2
		}
	}
	for number, want := range [][]string{
		{"webhooks", "auth", "cart", "orders"}, {"auth", "cart", "orders", "webhooks"}, {"cart", "orders", "webhooks", "auth"},
		{"webhooks", "auth", "cart", "orders"}, // one that takes the place of the first
	} {
		if got := p.round(number, 3); !slices.Equal(got, want) {
			t.Errorf("worker %d goes round %v, want %v", number, got, want)
		}
	}
}
