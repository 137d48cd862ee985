package state

// A table that is filled at once, with rows that were kept elsewhere: each index is built from what it sorted, and several at a time.

import (
	"cmp"
	"errors"
	"iter"
	"runtime"
	"slices"
	"sync"
)

var errNotEmpty = errors.New("state: only an empty table can be filled")

// fill puts rows, which ascend by id, into an empty table. They are no changes of the transaction. After an error the table is of no use.
func (t *table) fill(tx *Tx, rows []Row) error {
	tx.mustBeOpen()
	v := t.writing(tx)
	if v.rows.count > 0 || v.pending > 0 {
		return errNotEmpty
	}
	for _, row := range rows {
		mustHaveID(row)
		v.rows.set(v.edit, row.RowID(), row)
	}
	v.settled = v.stamp
	return v.buildIndexes(rows)
}

// buildIndexes makes the indexes of a version from its rows, those that are wanted.
func (v *version) buildIndexes(rows []Row) error {
	builds := building(nil, v, &v.ids, everyRow{}, rows)
	for i, u := range v.schema.unique {
		builds = building(builds, v, &v.unique[i], u, rows)
	}
	for i, o := range v.schema.ordered {
		builds = building(builds, v, &v.ordered[i], o, rows)
	}
	for i, f := range v.schema.facets {
		builds = building(builds, v, &v.facets[i], f, rows)
	}
	if len(rows) < fewRows {
		return runAll(builds, 1)
	}
	return runAll(builds, runtime.GOMAXPROCS(0)) // not more: each takes memory while it runs
}

// building appends what makes an index.
func building[T any](builds []func() error, v *version, late *lazy[T], by index[T], rows []Row) []func() error {
	at := late.Load()
	if !at.wanted() {
		return builds
	}
	return append(builds, func() error {
		tree, err := by.build(v.editing(), rows)
		late.Store(&upTo[T]{tree: tree, known: v.written, readAt: at.readAt})
		return err
	})
}

// fewRows are put into indexes sooner than another processor is woken up.
const fewRows = 1024

// runAll runs functions, several at a time.
func runAll(jobs []func() error, atOnce int) error {
	queue, results := make(chan func() error, len(jobs)), make(chan error, len(jobs))
	for _, job := range jobs {
		queue <- job
	}
	close(queue)
	work := func() {
		for job := range queue {
			results <- job()
		}
	}
	var others sync.WaitGroup
	for range min(atOnce, len(jobs)) - 1 {
		others.Go(work)
	}
	work()
	others.Wait()
	close(results)
	for err := range results {
		if err != nil {
			return err
		}
	}
	return nil
}

// filling yields the places of a sorted list in the order in which a B-tree is filled best. A node that is full is split into halves, and
// the first of them stays as it is when all that follows is larger: so every second place comes first, and what fills the halves up later.
func filling(places int) iter.Seq[int] {
	const full = 2*treeDegree - 1 // of a node's places, and the one that parts it from the next
	return func(yield func(int) bool) {
		for pass := range 2 {
			for i := range places {
				if i%full%2 == pass && !yield(i) {
					return
				}
			}
		}
	}
}

// build makes the tree of a unique index.
func (u *unique) build(edit uint64, rows []Row) (uniqueTree, error) {
	type holder struct {
		key string
		id  int64
	}
	holders := make([]holder, 0, len(rows))
	for _, row := range rows {
		if key, ok := u.key(row); ok {
			holders = append(holders, holder{key, row.RowID()})
		}
	}
	slices.SortFunc(holders, func(a, b holder) int { return cmp.Or(cmp.Compare(a.key, b.key), cmp.Compare(a.id, b.id)) })
	tree := newUniqueTree()
	tree.edit = edit
	for i, h := range holders {
		if i > 0 && holders[i-1].key == h.key {
			return tree, &UniqueError{Table: u.table, Index: u.name, Key: h.key, Holder: holders[i-1].id}
		}
	}
	for i := range filling(len(holders)) {
		tree.ids.Load(holders[i].key, holders[i].id)
	}
	return tree, nil
}

// build makes the tree of an ordered index.
func (o *ordered) build(edit uint64, rows []Row) (orderedTree, error) {
	entries := make([]entry, 0, len(rows))
	tree := newOrderedTree(o.narrow)
	tree.edit = edit
	for _, row := range rows {
		if key, ok := o.key(row); ok {
			entries = append(entries, entry{key, row.RowID()})
		} else {
			tree.absent.add(edit, row.RowID())
		}
	}
	slices.SortFunc(entries, entry.compare)
	tree.entries.load(entries)
	return tree, nil
}

// build makes the tree of a facet.
func (f *facet) build(edit uint64, rows []Row) (facetTree, error) {
	tree := newFacetTree()
	tree.edit = edit
	if f.single != nil {
		for _, row := range rows {
			tree.add(edit, f.single(row), row.RowID())
		}
		return tree, nil
	}
	each := newValues()
	for _, row := range rows {
		for _, value := range each.of(f, row) {
			tree.add(edit, value, row.RowID())
		}
	}
	return tree, nil
}
