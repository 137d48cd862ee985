package state

import (
	"slices"
	"testing"
)

// TestChangedSince asks each version of a table what has changed since each earlier one: all that was written, or that it does not know.
func TestChangedSince(t *testing.T) {
	t.Parallel()
	table := New(Define[*lent]("since"))
	stamps, written := []uint64{table.Version()}, []int64{}
	for id := range int64(3 * maxPending / 2) {
		tx := &Tx{open: true}
		if id%7 == 6 {
			table.Delete(tx, id-1)
			written = append(written, id-1)
		} else if err := table.Put(tx, &lent{id: id}); err != nil {
			t.Fatal(err)
		} else {
			written = append(written, id)
		}
		tx.end()
		stamps = append(stamps, table.Version())
	}
	other := New(Define[*lent]("since"))
	now, known := len(written), 0
	for at, stamp := range stamps {
		var seen []int64
		unknown := table.ChangedSince(stamp, func(old, new *lent) bool {
			if new == nil {
				new = old
			}
			seen = append(seen, new.id)
			return false
		})
		slices.Reverse(seen)
		if !unknown && !slices.Equal(seen, written[at:]) {
			t.Errorf("since change %d of %d there were %v, want %v", at, now, seen, written[at:])
		}
		if !unknown {
			known++
		}
	}
	if known != maxPending/2+1 {
		t.Errorf("%d versions are known, want those since the indexes were brought up to date last", known)
	}
	if !table.ChangedSince(stamps[now-1], func(_, _ *lent) bool { return true }) {
		t.Error("a change that matters does not")
	}
	if other.ChangedSince(other.Version(), nil) || !table.ChangedSince(1<<40, func(_, _ *lent) bool { return false }) {
		t.Error("a table that nobody has written to changed, or one of another history did not")
	}
}
