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
	// Follow takes rows as they were kept before, or by others, nil for one that is gone, and the newest id that there was. With anew all
	// other rows are gone: another shop may have taken the place of the one that owed them.
	Follow(anew bool, last int64, rows map[int64]any)
}

// outboxTable is what the outbox is called among the tables.
const outboxTable = "outbox"

// SetOutbox makes an outbox part of each step from now on, and lets it follow what is kept of it.
func (j *Journal) SetOutbox(outbox Outbox) {
	j.outbox = outbox
	outbox.Follow(true, j.lastOwed, j.owed)
}

// owedRow is a row of the outbox as it was kept; without a value it is gone.
type owedRow struct {
	id    int64
	value []byte
}

// followOwed takes over what was found of the outbox, and returns it.
func (j *Journal) followOwed(found *found) (map[int64]any, error) {
	rows := map[int64]any{}
	for _, one := range found.owed {
		rows[one.id] = nil
		if one.value == nil {
			continue
		}
		row := j.emptyRow()
		if err := decodeRow(outboxTable, one.id, one.value, row); err != nil {
			return nil, err
		}
		rows[one.id] = row
	}
	j.nowOwed(rows)
	return rows, nil
}

// newlyOwed returns where the ids lie of rows that are not kept yet.
func (j *Journal) newlyOwed(changes map[int64]any) (ids Range) {
	for id, row := range changes {
		if row == nil || j.owed[id] != nil {
			continue
		}
		if ids.First == 0 || id < ids.First {
			ids.First = id
		}
		ids.Last = max(ids.Last, id)
	}
	return ids
}

// owedAfter counts the rows of the outbox that are kept when changes are, too.
func (j *Journal) owedAfter(changes map[int64]any) int {
	count := len(j.owed)
	for id, row := range changes {
		switch before := j.owed[id] != nil; {
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
			j.owed[id] = row
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
