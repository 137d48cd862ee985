package persist_test

import (
	"bytes"
	"context"
	"errors"
	"testing"
	"time"

	"shopcheck/mockserver/internal/persist"
	"shopcheck/mockserver/internal/shop"
)

// tape is a log in memory that several readers share.
type tape struct{ saves []persist.Saved }

// reader is a Shared storage on a tape.
type reader struct {
	tape  *tape
	known uint64
}

func (r *reader) Load(each func(key, value []byte) error) error {
	r.known = uint64(len(r.tape.saves))
	if r.known == 0 {
		return nil
	}
	all := pairs{}
	for _, pair := range r.tape.saves[0].Pairs { // the tests open on the first save alone
		all = append(all, pairOf(pair))
	}
	r.known = 1
	return all.Load(each)
}

func pairOf(p persist.Pair) pair { return pair{p.Key, p.Value} }

func (r *reader) Save(anew bool, put func(func(key, value []byte) error) error) error {
	if r.known != uint64(len(r.tape.saves)) {
		return persist.ErrOvertaken
	}
	saved := persist.Saved{Anew: anew}
	err := put(func(key, value []byte) error {
		saved.Pairs = append(saved.Pairs, persist.Pair{Key: bytes.Clone(key), Value: bytes.Clone(value)})
		return nil
	})
	if err == nil {
		r.tape.saves = append(r.tape.saves, saved)
		r.known++
	}
	return err
}

func (r *reader) SaveOwing(_ persist.Range, put func(func(key, value []byte) error) error) error {
	return r.Save(false, put)
}
func (r *reader) Last() (uint64, error) { return uint64(len(r.tape.saves)), nil }
func (r *reader) Known() uint64         { return r.known }
func (r *reader) Length() uint64        { return r.known }
func (r *reader) Next() (persist.Saved, error) {
	r.known++
	return r.tape.saves[r.known-1], nil
}
func (r *reader) Await(context.Context) error { return errors.New("nobody waits") }
func (r *reader) Condense(uint64, func(func(key, value []byte) error) error) error {
	return errors.New("nobody condenses")
}

// replicaOf opens a shop on a tape.
func replicaOf(t *testing.T, on *tape) (*shop.Shop, *persist.Journal) {
	t.Helper()
	journal, kept, err := persist.Open(&reader{tape: on}, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	if kept == nil {
		first := shop.NewState(&shop.Config{Currency: "USD", Decimals: 2})
		if err := journal.Replace(&first, 0); err != nil {
			t.Fatal(err)
		}
		kept = &persist.Kept{State: first}
	}
	now := func() time.Time { return time.Unix(1e9, 0) }
	return shop.New(kept.State, shop.Options{Clock: now, Secret: []byte("same"), Keeper: journal, Version: kept.Version}), journal
}

func create(t *testing.T, s *shop.Shop, sku string) (*shop.Product, error) {
	t.Helper()
	var made *shop.Product
	_, err := s.Write(func(tx *shop.Tx) error {
		made = tx.NewProduct()
		made.Name, made.SKU = sku, sku
		return made.Create(tx)
	})
	return made, err
}

// Whoever was overtaken does its change again on what the others made, and sees by the rules that they were first.
func TestAnOvertakenChangeIsMadeAgain(t *testing.T) {
	t.Parallel()
	on := &tape{}
	a, _ := replicaOf(t, on)
	b, journal := replicaOf(t, on)
	first, err := create(t, a, "one")
	if err != nil {
		t.Fatal(err)
	}
	second, err := create(t, b, "two")
	if err != nil || second.ID != first.ID+1 {
		t.Fatalf("id %d after %d (%v)", second.ID, first.ID, err)
	}
	if _, err := create(t, a, "two"); err == nil {
		t.Error("a SKU is taken twice")
	}
	if a.Version() != b.Version() || a.Read().Products.Len() != 2 || b.Read().Products.Len() != 2 {
		t.Errorf("versions %d and %d", a.Version(), b.Version())
	}
	if _, err := create(t, a, "three"); err != nil {
		t.Fatal(err)
	}
	b.Follow(func() (*shop.State, uint64) {
		if err := journal.CatchUp(uint64(len(on.saves))); err != nil {
			t.Error(err)
		}
		return journal.Current()
	})
	if b.Version() != a.Version() || b.Read().Products.Len() != 3 {
		t.Errorf("version %d, %d products", b.Version(), b.Read().Products.Len())
	}
}

// In one transaction two products swap what only one of them may have.
func TestAUniqueKeyChangesHands(t *testing.T) {
	t.Parallel()
	on := &tape{}
	a, _ := replicaOf(t, on)
	b, journal := replicaOf(t, on)
	one, _ := create(t, a, "one")
	two, _ := create(t, a, "two")
	_, err := a.Write(func(tx *shop.Tx) error {
		for _, change := range []struct {
			of  *shop.Product
			sku string
		}{{one, "passing"}, {two, "one"}, {one, "two"}} {
			changed := *change.of
			changed.SKU = change.sku
			if err := changed.Save(tx); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	b.Follow(func() (*shop.State, uint64) {
		if err := journal.CatchUp(uint64(len(on.saves))); err != nil {
			t.Error(err)
		}
		return journal.Current()
	})
	view := b.Read()
	if found, ok := shop.Products.SKU.Find(&view.Products, "one"); !ok || found.ID != two.ID {
		t.Error("the SKU has not changed hands")
	}
}

// Who cannot read what the others made must not go on alone.
func TestAReplicaThatCannotFollowStops(t *testing.T) {
	t.Parallel()
	on := &tape{}
	a, _ := replicaOf(t, on)
	b, journal := replicaOf(t, on)
	if _, err := create(t, a, "one"); err != nil {
		t.Fatal(err)
	}
	broken := &on.saves[1].Pairs[0].Value
	*broken = append(bytes.Clone(*broken), 'x')
	if _, err := create(t, b, "two"); err == nil {
		t.Error("it writes")
	}
	if err := journal.CatchUp(2); err == nil {
		t.Error("it reads")
	}
}

// Whoever was overtaken by what changes nothing begins a change of what is kept besides anew, too.
func TestAnOvertakenSettingIsMadeOnce(t *testing.T) {
	t.Parallel()
	on, count := &tape{}, 0
	journal, _, err := persist.Open(&reader{tape: on}, func() any { return count }, nil)
	if err != nil {
		t.Fatal(err)
	}
	journal.OnFollow(func(kept *persist.Kept) error { return kept.About(&count) })
	first := shop.NewState(&shop.Config{Currency: "USD", Decimals: 2})
	if err := journal.Replace(&first, 0); err != nil {
		t.Fatal(err)
	}
	s := shop.New(first, shop.Options{Clock: time.Now, Keeper: journal})
	for want := range 3 {
		on.saves = append(on.saves, persist.Saved{Same: true})
		if err := s.KeepChange(func() (func(), error) { count++; return func() {}, nil }); err != nil || count != want+1 {
			t.Errorf("counted to %d, want %d (%v)", count, want+1, err)
		}
	}
}

// busy is a reader who is overtaken by others at each save, while they write.
type busy struct {
	reader
	writing bool
}

func (b *busy) Save(anew bool, put func(func(key, value []byte) error) error) error {
	if b.writing {
		b.tape.saves = append(b.tape.saves, persist.Saved{Same: true})
	}
	return b.reader.Save(anew, put)
}

// Whoever puts a whole state in place of what others never cease to change is told so, and can when they pause.
func TestAStateIsNotPutBackForever(t *testing.T) {
	t.Parallel()
	storage := &busy{reader: reader{tape: &tape{}}}
	journal, _, err := persist.Open(storage, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	first := shop.NewState(&shop.Config{Currency: "USD", Decimals: 2})
	if err := journal.Replace(&first, 0); err != nil {
		t.Fatal(err)
	}
	s := shop.New(first, shop.Options{Clock: time.Now, Keeper: journal})
	before := s.Version()
	storage.writing = true
	var refused *shop.Fault
	if err := s.Restore(first); !errors.As(err, &refused) || refused.Kind != shop.NotKept || s.Version() != before {
		t.Errorf("while others write: %v, version %d", err, s.Version())
	}
	storage.writing = false
	if err := s.Restore(first); err != nil || s.Version() == before {
		t.Errorf("when they pause: %v, version %d", err, s.Version())
	}
}
