package state

// Unique indexes: a key belongs to at most one row.

import (
	"fmt"

	"github.com/tidwall/btree"
)

// Unique is the handle of an index in which a key belongs to at most one row.
type Unique[R Row] struct {
	name string
	key  func(R) (string, bool)
	slot int
}

// UniqueError says that another row holds a unique key.
type UniqueError struct {
	Table  string
	Index  string
	Key    string
	Holder int64 // the id of the row that has the key
}

func (e *UniqueError) Error() string {
	return fmt.Sprintf("%s: the %s %q belongs to row %d already", e.Table, e.Index, e.Key, e.Holder)
}

// uniqueTree maps a key to the id of its row.
type uniqueTree struct{ *btree.Map[string, int64] }

func newUniqueTree() uniqueTree {
	return uniqueTree{btree.NewMap[string, int64](treeDegree)}
}

func (tree uniqueTree) fork() uniqueTree { return uniqueTree{forkMap(tree.Map)} }

// Find answers the row that holds the key.
func (u *Unique[R]) Find(t *Table[R], key string) (R, bool) {
	id, ok := t.v.unique[u.slot].Get(key)
	if !ok {
		var none R
		return none, false
	}
	return t.v.get(id)
}

func (u *Unique[R]) apply(tree uniqueTree, c change[R]) {
	was, hadKey := keyOf(u.key, c.old, c.hadOld)
	is, hasKey := keyOf(u.key, c.new, c.hasNew)
	if hadKey == hasKey && was == is {
		return
	}
	if hadKey {
		tree.Delete(was)
	}
	if hasKey {
		tree.Set(is, c.id)
	}
}

// keyOf asks an index function about a row that may not be there.
func keyOf[R Row, K any](key func(R) (K, bool), row R, exists bool) (K, bool) {
	if !exists {
		var none K
		return none, false
	}
	return key(row)
}
