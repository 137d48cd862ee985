// Package seed turns the seed shops of package fixtures into states of the shop: names become ids, days become
// dates, and orders are priced by the shop itself.
package seed

import (
	"fmt"
	"sync"
	"time"

	"shopcheck/fixtures"
	"shopcheck/mockserver/internal/shop"
)

// Load returns the state of a seed as it is on the day of now. Two loads on one day give the same state, which is
// shared: a state is a value, and its rows never change.
func Load(name string, now time.Time) (shop.State, error) {
	return built.state(plan{name, now.UTC().Truncate(24 * time.Hour)})
}

// plan is what a state is built from.
type plan struct {
	name string
	day  time.Time
}

// built keeps the last state of each seed: a process that starts many servers builds it once.
var built memo

type memo struct {
	mutex  sync.Mutex
	plans  map[string]plan
	states map[string]shop.State
}

func (m *memo) state(wanted plan) (shop.State, error) {
	m.mutex.Lock()
	defer m.mutex.Unlock()
	if m.plans[wanted.name] == wanted {
		return m.states[wanted.name], nil
	}
	state, err := wanted.build()
	if err != nil {
		return shop.State{}, fmt.Errorf("seed %s: %w", wanted.name, err)
	}
	if m.plans == nil {
		m.plans, m.states = map[string]plan{}, map[string]shop.State{}
	}
	m.plans[wanted.name], m.states[wanted.name] = wanted, state
	return state, nil
}

// chance makes keys and salts of the seeds: the same ones in every process.
const chance = 20_260_101

func (p plan) build() (shop.State, error) {
	data, err := fixtures.Seed(p.name)
	if err != nil {
		return shop.State{}, err
	}
	return Build(data, p.day)
}

// Build returns the state of a shop of one's own data as it is on a day.
func Build(data *fixtures.Shop, day time.Time) (shop.State, error) {
	config, err := configOf(data.Settings)
	if err != nil {
		return shop.State{}, err
	}
	names := newNames()
	state, err := shop.Build(shop.NewState(config), day, chance, func(tx *shop.Tx) error {
		return (&loader{Tx: tx, data: data, names: names, day: day}).load()
	})
	if err != nil {
		return shop.State{}, err
	}
	if state, err = placeOrders(state, data, names, day); err != nil {
		return shop.State{}, err
	}
	return shop.Build(state, day, chance, func(tx *shop.Tx) error {
		return (&loader{Tx: tx, data: data, names: names, day: day}).loadReviews()
	})
}

// loader fills a state with the records of a seed.
type loader struct {
	*shop.Tx
	data *fixtures.Shop
	names
	day time.Time
}

// names finds the ids of records by the names that the seed gives them.
type names struct {
	terms     map[string]int64 // taxonomy and slug
	products  map[string]int64 // SKU, of products and variations
	customers map[string]int64 // e-mail
}

func newNames() names {
	return names{terms: map[string]int64{}, products: map[string]int64{}, customers: map[string]int64{}}
}

func (l *loader) load() error {
	for _, step := range []func() error{
		l.loadTaxes, l.loadGateways, l.loadTerms, l.loadZones, l.loadProducts, l.linkProducts, l.loadCustomers, l.loadKeys, l.loadCoupons,
	} {
		if err := step(); err != nil {
			return err
		}
	}
	return nil
}

// daysAgo is the moment so many days before the day of the seed.
func (l *loader) daysAgo(days int) time.Time { return l.day.AddDate(0, 0, -days) }

// inDays is the moment so many days after the day of the seed, or nil.
func (l *loader) inDays(days *int) *time.Time {
	if days == nil {
		return nil
	}
	return shop.DateOf(l.daysAgo(-*days))
}

// resolve turns names into ids.
func resolve(what string, ids map[string]int64, prefix string, list []string) ([]int64, error) {
	var found []int64
	for _, name := range list {
		id, ok := ids[prefix+name]
		if !ok {
			return nil, fmt.Errorf("there is no %s %q", what, name)
		}
		found = append(found, id)
	}
	return found, nil
}
