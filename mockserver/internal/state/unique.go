package state

// Unique indexes: a key belongs to at most one row.

import (
	"fmt"

	"github.com/tidwall/btree"
)

type unique struct {
	table, name string
	key         func(Row) (string, bool)
	slot        int
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
type uniqueTree struct {
	ids  *btree.Map[string, int64]
	edit uint64
}

func newUniqueTree() uniqueTree {
	return uniqueTree{ids: btree.NewMap[string, int64](treeDegree)}
}

// own makes the tree private to the edit.
func (tree *uniqueTree) own(edit uint64) {
	if tree.edit != edit {
		tree.ids, tree.edit = forkMap(tree.ids), edit
	}
}

// find answers the row that holds the key.
func (u *unique) find(v *version, key string) (Row, bool) {
	id, ok := u.holder(v, key)
	if !ok {
		return nil, false
	}
	return v.get(id)
}

// fewChanges is how many changes a search for a key goes through rather than bring the tree up to date.
const fewChanges = 16

// holder answers the id of the row that holds the key.
func (u *unique) holder(v *version, key string) (int64, bool) {
	at := v.unique[u.slot].Load()
	if v.written-at.known > fewChanges {
		return u.tree(v).ids.Get(key)
	}
	if id, ok, told := u.lately(v, at.known, key); told {
		return id, ok
	}
	return at.tree.ids.Get(key)
}

// lately answers what the changes after the known first ones tell of a key: the latest that has to do with it counts.
func (u *unique) lately(v *version, known uint64, key string) (id int64, ok, told bool) {
	c := v.log
	for range v.written - known {
		if is, ok := keyOf(u.key, c.new); ok && is == key {
			return c.id, true, true
		}
		if was, ok := keyOf(u.key, c.old); ok && was == key {
			return 0, false, true
		}
		c = c.before
	}
	return 0, false, false
}

func (u *unique) tree(v *version) uniqueTree { return current(v, &v.unique[u.slot], u) }

func (u *unique) apply(tree *uniqueTree, edit uint64, changes []change) {
	for _, c := range changes {
		u.applyChange(tree, edit, c)
	}
}

func (u *unique) applyChange(tree *uniqueTree, edit uint64, c change) {
	was, hadKey := keyOf(u.key, c.old)
	is, hasKey := keyOf(u.key, c.new)
	if hadKey == hasKey && was == is {
		return
	}
	tree.own(edit)
	if hadKey {
		tree.release(was, c.id)
	}
	if hasKey {
		tree.ids.Set(is, c.id)
	}
}

// release frees a key, unless another row has taken it in the meantime.
func (tree *uniqueTree) release(key string, id int64) {
	if holder, _ := tree.ids.Get(key); holder == id {
		tree.ids.Delete(key)
	}
}

// keyOf asks an index function about a row that may not be there.
func keyOf[K any](key func(Row) (K, bool), row Row) (K, bool) {
	if row == nil {
		var none K
		return none, false
	}
	return key(row)
}
