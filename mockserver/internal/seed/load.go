// Package seed turns the seed shops of package fixtures into states of the shop: names become ids, days become
// dates, and orders are priced by the shop itself.
package seed

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"shopcheck/fixtures"
	"shopcheck/fixtures/seedfile"
	"shopcheck/mockserver/internal/shop"
)

// Seed is what a shop starts with. It keeps the state that it was built to last: a process that starts many servers builds it once.
type Seed struct {
	name  string
	build func(day time.Time) (shop.State, []string, error) // and what was left out
	notes []string

	mutex sync.Mutex
	day   time.Time // of the state; zero before there is one
	state shop.State
}

// built are the seeds that have names.
var built = map[string]*Seed{
	fixtures.DemoSeed:  {name: fixtures.DemoSeed, build: preparedDemo},
	fixtures.EmptySeed: {name: fixtures.EmptySeed, build: Source{Name: fixtures.EmptySeed}.describing(nil)},
}

// Named returns the seed of a name.
func Named(name string) (*Seed, error) {
	if seed, known := built[name]; known {
		return seed, nil
	}
	_, err := fixtures.Seed(name)
	return nil, err
}

// Source says where a seed comes from.
type Source struct {
	Name  string // of a seed, or of a file
	Data  []byte // what a file would hold, in YAML or JSON, instead of a name
	Scale string // how many records there are at least: "products=1000,orders=500"
}

// Open reads a seed. Of its own data it makes a state at once, so that an error names the line that is wrong.
func Open(from Source, now time.Time) (*Seed, error) {
	if slices.Contains(fixtures.Seeds(), from.Name) && from.Data == nil && from.Scale == "" {
		return Named(from.Name)
	}
	seed := &Seed{name: cmp.Or(from.Name, "data")}
	data, err := from.content()
	if err != nil {
		return nil, err
	}
	isCopy, err := seedfile.IsCopy(data)
	switch {
	case err != nil:
		return nil, fmt.Errorf("seed %s: %w", seed.name, err)
	case isCopy && from.Scale != "":
		return nil, fmt.Errorf("seed %s is a copy of a live shop, which keeps its size: leave the scale out", seed.name)
	case isCopy:
		seed.build = copying(data, now)
	default:
		seed.build = from.describing(data)
	}
	_, err = seed.State(now)
	return seed, err
}

// content is what a seed's file holds, nil for a seed that has a name.
func (from Source) content() ([]byte, error) {
	if from.Data != nil || slices.Contains(fixtures.Seeds(), from.Name) {
		return from.Data, nil
	}
	return seedfile.Content(from.Name)
}

// describing returns how the shop is built that a seed file describes, or that one with a name begins with, as large as was asked for.
// The description is not kept: that of a large shop is larger than the shop.
func (from Source) describing(content []byte) func(time.Time) (shop.State, []string, error) {
	return func(day time.Time) (shop.State, []string, error) {
		data, notes, err := from.described(content)
		if err == nil {
			err = seedfile.Scale(data, from.Scale)
		}
		if err != nil {
			return shop.State{}, nil, err
		}
		state, err := Build(data, day)
		return state, notes, err
	}
}

func (from Source) described(content []byte) (data *fixtures.Shop, notes []string, err error) {
	switch {
	case content == nil:
		data, err = fixtures.Seed(from.Name)
	case from.Data != nil:
		data, err = seedfile.Read(content)
	default:
		return seedfile.ReadFile(from.Name, content)
	}
	return data, nil, err
}

// Notes say what was left out of a file.
func (s *Seed) Notes() []string { return s.notes }

// State returns the state of the seed as it is on the day of now. Two states of one day are the same, which is shared: a state is a
// value, and its rows never change.
func (s *Seed) State(now time.Time) (shop.State, error) {
	day := now.UTC().Truncate(24 * time.Hour)
	s.mutex.Lock()
	defer s.mutex.Unlock()
	if s.day.Equal(day) && !s.day.IsZero() {
		return s.state, nil
	}
	state, notes, err := s.build(day)
	if err != nil {
		return shop.State{}, fmt.Errorf("seed %s: %w", s.name, err)
	}
	s.day, s.state, s.notes = day, state, notes
	return state, nil
}

// chance makes keys and salts of the seeds: the same ones in every process.
const chance = 20_260_101

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
	products  map[string]int64 // what other records call products and variations
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

// each loads the records of a list. An error says which record it is, and where the file has it.
func each[T any](data *fixtures.Shop, list, what string, records []T, name func(*T) string, load func(int, *T) error) error {
	for i := range records {
		if err := load(i, &records[i]); err != nil {
			return fmt.Errorf("%s%s %s: %w", data.Line(list, i), what, name(&records[i]), err)
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
func resolve(what string, ids map[string]int64, list []string) ([]int64, error) {
	var found []int64
	for _, name := range list {
		id, ok := ids[name]
		if !ok {
			return nil, fmt.Errorf("there is no %s %q", what, name)
		}
		found = append(found, id)
	}
	return found, nil
}

// termsOf finds the terms of slugs, names or paths of names ("Home > Kitchen"), and makes those that there are not.
func (l *loader) termsOf(taxonomy string, list []string) ([]int64, error) {
	var found []int64
	for _, name := range list {
		id, err := l.termOf(taxonomy, name)
		if err != nil {
			return nil, err
		}
		found = append(found, id)
	}
	return found, nil
}

func (l *loader) termOf(taxonomy, path string) (int64, error) {
	if id, known := l.terms[taxonomy+path]; known {
		return id, nil
	}
	parent, name := int64(0), path
	if cut := strings.LastIndex(path, ">"); cut >= 0 && taxonomy == shop.TaxonomyCategory {
		var err error
		if parent, err = l.termOf(taxonomy, strings.TrimSpace(path[:cut])); err != nil {
			return 0, err
		}
		name = strings.TrimSpace(path[cut+1:])
	}
	id, known := l.terms[taxonomy+shop.Slugify(name)]
	if holder, _ := l.Terms.Get(id); known && (parent == 0 || holder.ParentID == parent) {
		l.terms[taxonomy+path] = id
		return id, nil
	}
	row := &shop.Term{Taxonomy: taxonomy, Name: name, ParentID: parent, Display: "default"}
	if known {
		row.Slug = fmt.Sprintf("%s-%d", name, l.LastID.Term+1) // one below another parent has its name
	}
	if err := row.Create(l.Tx); err != nil {
		return 0, fmt.Errorf("%s %q: %w", taxonomy, path, err)
	}
	l.terms[taxonomy+path] = row.ID
	if !known {
		l.terms[taxonomy+row.Slug] = row.ID
	}
	return row.ID, nil
}
