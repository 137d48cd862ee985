package cluster_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"shopcheck/mockserver/cluster"
	"shopcheck/mockserver/internal/persist"
)

// partOf opens one part by way of each of some replicas.
func partOf(name string, of []*cluster.Cluster) (parts []persist.SharedPart) {
	for _, one := range of {
		parts = append(parts, one.SharedPart(name))
	}
	return parts
}

func loadedPart(t *testing.T, part persist.SharedPart) (got string) {
	t.Helper()
	err := part.Load(func(key, value []byte) error {
		got += fmt.Sprintf("%s=%s ", key, value)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return got
}

// Each part has an order of its own, though many lie in one stream.
func TestEachPartHasItsOrder(t *testing.T) {
	t.Parallel()
	all := connected(t, 2)
	var parts [][]persist.SharedPart
	for i := range 9 {
		parts = append(parts, partOf(fmt.Sprint("sandbox ", i), all))
	}
	for round := range 3 {
		for i, part := range parts {
			a, b := part[round%2], part[(round+1)%2]
			if err := a.Save(round == 0, putting(fmt.Sprintf("r%d=%d", round, i))); err != nil {
				t.Fatal(err)
			}
			if err := b.Save(false, putting("lost=1")); !errors.Is(err, persist.ErrOvertaken) {
				t.Fatalf("error %v", err)
			}
			saved, err := b.Next()
			if want := fmt.Sprintf("%t r%d=%d ", round == 0, round, i); err != nil || shown(saved) != want {
				t.Fatalf("%s (%v), want %s", shown(saved), err, want)
			}
			if last, err := b.Last(); last != b.Known() || last != a.Known() || err != nil {
				t.Errorf("last %d (%v), known %d and %d", last, err, a.Known(), b.Known())
			}
		}
	}
	for i := range parts {
		want := fmt.Sprintf("r0=%d r1=%[1]d r2=%[1]d ", i)
		if got := loadedPart(t, all[0].SharedPart(fmt.Sprint("sandbox ", i))); got != want {
			t.Errorf("loaded %q, want %q", got, want)
		}
	}
}

// What is condensed is put anew: who followed goes on, who was behind, or joins, begins with it. What somebody has to do stays.
func TestACondensedPartBeginsWithItsState(t *testing.T) {
	t.Parallel()
	all := connected(t, 3)
	parts := partOf("sandbox 1", all)
	a, follows, behind := parts[0], parts[1], parts[2]
	save := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	next := func(part persist.SharedPart) persist.Saved {
		t.Helper()
		saved, err := part.Next()
		save(err)
		return saved
	}
	save(a.Save(true, putting("k=0")))
	next(behind)
	save(a.SaveOwing(persist.Range{First: 1, Last: 1}, putting("one=1")))
	save(a.Save(false, putting("between=1")))
	save(a.SaveOwing(persist.Range{First: 7, Last: 9}, putting("two=1")))
	work := make(chan persist.Work)
	go all[1].WorkOfParts(t.Context(), func(_ string, one persist.Work) { work <- one })
	(<-work).Done(true)
	undone := <-work
	for i := range 9 {
		save(a.Save(false, putting(fmt.Sprintf("k=%d", i+1))))
	}
	for follows.Known() < a.Known() {
		next(follows)
	}
	state := "true between=1 k=9 one=1 two=1 "
	for range 1000 { // the engine knows a little later what was done
		if shown(next(all[2].SharedPart("sandbox 1"))) == state {
			break
		}
		save(follows.Condense(follows.Known(), putting("between=1", "k=9", "one=1", "two=1")))
	}
	if length := follows.Length(); length != 1 {
		t.Errorf("the length is %d", length)
	}
	if saved := next(a); !saved.Same {
		t.Errorf("who followed is given %s", shown(saved))
	}
	if saved := next(behind); shown(saved) != state {
		t.Errorf("who was behind is given %s", shown(saved))
	}
	for a.Known() < follows.Known() {
		next(a)
	}
	save(a.Save(false, putting("k=after")))
	if got, want := loadedPart(t, all[2].SharedPart("sandbox 1")), "between=1 k=after one=1 two=1 "; got != want {
		t.Errorf("loaded %q, want %q", got, want)
	}
	if err := a.Condense(follows.Known(), putting("wrong=1")); !errors.Is(err, persist.ErrOvertaken) {
		t.Errorf("what is not the newest is condensed: %v", err)
	}
	undone.Done(false)
	if again := <-work; again.Range != (persist.Range{First: 7, Last: 9}) {
		t.Errorf("what is to be done: %+v", again)
	} else {
		again.Done(true)
	}
}

// A part that was ended is there for nobody, and neither are its objects.
func TestAPartThatWasEndedIsGone(t *testing.T) {
	t.Parallel()
	all := connected(t, 2)
	part := partOf("sandbox 1", all)
	large := strings.Repeat("x", 1<<20)
	for i := range 2 {
		if err := part[0].Save(true, putting(fmt.Sprint("a=", i, large))); err != nil {
			t.Fatal(err)
		}
	}
	if got := loadedPart(t, part[1]); got != "a=1"+large+" " {
		t.Errorf("loaded %d bytes", len(got))
	}
	if objects, err := all[0].PartObjects(); len(objects) != 2 || err != nil {
		t.Errorf("objects %v (%v)", objects, err)
	}
	if err := part[0].Condense(part[0].Known(), putting("a=2")); err != nil {
		t.Fatal(err)
	}
	if objects, err := all[0].PartObjects(); len(objects) != 0 || err != nil {
		t.Errorf("objects %v (%v) of saves that were condensed", objects, err)
	}
	if err := part[0].Save(true, putting("a="+large)); err != nil {
		t.Fatal(err)
	}
	if err := part[0].End(); err != nil {
		t.Fatal(err)
	}
	if objects, err := all[0].PartObjects(); len(objects) != 0 || err != nil {
		t.Errorf("objects %v (%v) of a part that was ended", objects, err)
	}
	for i, one := range part {
		_, lastErr := one.Last()
		_, nextErr := one.Next()
		saveErr := one.Save(false, putting("a=1"))
		if !errors.Is(lastErr, persist.ErrEnded) || !errors.Is(nextErr, persist.ErrEnded) || !errors.Is(saveErr, persist.ErrOvertaken) {
			t.Errorf("replica %d: %v, %v, %v", i, lastErr, nextErr, saveErr)
		}
	}
	if got := loadedPart(t, all[1].SharedPart("sandbox 1")); got != "" {
		t.Errorf("loaded %q", got)
	}
}

// A key is entered where the one that it takes the place of is known.
func TestReplicasAgreeOnKeys(t *testing.T) {
	t.Parallel()
	all := connected(t, 2)
	a, b := all[0], all[1]
	enter := func(c *cluster.Cluster, value string, revision uint64, want bool) uint64 {
		t.Helper()
		now, err := c.Enter("name.one", []byte(value), revision)
		if err != nil || (now > 0) != want {
			t.Errorf("revision %d (%v), entered should be %t", now, err, want)
		}
		return now
	}
	first := enter(a, "a", 0, true)
	enter(b, "b", 0, false)
	second := enter(b, "b", first, true)
	enter(a, "", first, false)
	if value, revision, err := a.Look("name.one"); string(value) != "b" || revision != second || err != nil {
		t.Errorf("%q, revision %d (%v)", value, revision, err)
	}
	if keys, err := a.Keys("name"); fmt.Sprint(keys) != "[one]" || err != nil {
		t.Errorf("%v (%v)", keys, err)
	}
	enter(a, "", second, true)
	value, revision, err := b.Look("name.one")
	if len(value) != 0 || err != nil {
		t.Errorf("%q (%v)", value, err)
	}
	enter(b, "c", revision, true)
}
