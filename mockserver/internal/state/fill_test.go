package state_test

import (
	"errors"
	"testing"

	"shopcheck/mockserver/internal/state"
)

func TestFillRefuses(t *testing.T) {
	t.Parallel()
	s := newShelf()
	rows := []state.Row{&item{ID: 1, SKU: "a"}, &item{ID: 2, SKU: "b"}, &item{ID: 5, SKU: "a"}}
	_, err := s.store().Update(func(tx *state.Tx, st *shop) error { return st.Items.Fill(tx, rows) })
	if taken := (*state.UniqueError)(nil); !errors.As(err, &taken) || taken.Key != "a" || taken.Holder != 1 {
		t.Errorf("two rows with one key: %v", err)
	}
	filled := s.store()
	for range 2 {
		_, err = filled.Update(func(tx *state.Tx, st *shop) error { return st.Items.Fill(tx, rows[:2]) })
	}
	if err == nil || filled.View().Items.Len() != 2 {
		t.Errorf("a table with rows was filled: %v", err)
	}
}
