package persist

// What is kept beside a shop and in the same steps: what its commits owe others.

import (
	"fmt"

	"shopcheck/mockserver/internal/shop"
	"shopcheck/mockserver/internal/state"
)

// Outbox holds what the commits of a shop owe others, a row each. A Journal calls it while nothing else is kept.
type Outbox interface {
	// Owe takes what commits tell that are about to be kept.
	Owe(told []shop.Published)
	// Unkept returns by their ids the rows that differ from what is kept, nil for one that is gone.
	Unkept() map[int64]any
	// Kept is told what became of the rows that Unkept returned.
	Kept(err error)
	// Forget is told that another shop has taken the place of the one that owed something.
	Forget()
}

// outboxTable is what the outbox is called among the tables.
const outboxTable = "outbox"

// SetOutbox makes an outbox part of each step from now on. The rows that were kept of it are those that Owed returned. It is not for
// storages that are shared.
func (j *Journal) SetOutbox(outbox Outbox) { j.outbox = outbox }

// Owed returns the rows of the outbox that are kept, by their ids; empty makes the rows to fill.
func Owed[R state.Row](k *Kept, empty func() R) ([]R, error) {
	var all []R
	for _, one := range k.owed {
		row := empty()
		if err := decodeRow(outboxTable, one.id, one.value, row); err != nil {
			return nil, err
		}
		all = append(all, row)
	}
	return all, nil
}

// owedRow is a row of the outbox as it was kept.
type owedRow struct {
	id    int64
	value []byte
}

// owedAfter counts the rows of the outbox that are kept when changes are, too.
func (j *Journal) owedAfter(changes map[int64]any) int {
	count := len(j.owed)
	for id, row := range changes {
		switch before := j.owed[id]; {
		case row == nil && before:
			count--
		case row != nil && !before:
			count++
		}
	}
	return count
}

// nowOwed takes over changes of the outbox that were kept.
func (j *Journal) nowOwed(changes map[int64]any) {
	for id, row := range changes {
		if row == nil {
			delete(j.owed, id)
		} else {
			j.owed[id] = true
		}
	}
}

// decodeRow fills a row of a table that has an id.
func decodeRow(table string, id int64, value []byte, row state.Row) error {
	if err := decode(value, row); err != nil {
		return fmt.Errorf("row %d of %s cannot be read: %w", id, table, err)
	}
	if row.RowID() != id {
		return fmt.Errorf("row %d of %s says that it is row %d", id, table, row.RowID())
	}
	return nil
}
