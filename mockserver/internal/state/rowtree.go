package state

// The rows of a table by their ids: a radix tree, of which a write copies one path. The ids of a shop come from a counter, so
// that nodes are well filled.

const (
	fanBits = 4 // of an id tell the way at each level: small nodes, because each write copies one of every level
	fan     = 1 << fanBits
)

// rowTree maps ids, none of them negative, to rows. A copy of the struct is a snapshot as long as every edit has a mark of its own.
type rowTree struct {
	root  rowNode
	shift uint // bits of an id below those that tell the way at the root; 0: the root is a leaf
	count int
}

// rowNode is a branch or, at the lowest level, a leaf; neither, where there are no rows.
type rowNode struct {
	branch *rowBranch
	leaf   *rowLeaf
}

type rowBranch struct {
	edit  uint64 // who may write to it
	below [fan]rowNode
}

type rowLeaf struct {
	edit uint64 // who may write to it
	rows [fan]Row
}

// digit is what tells the way, shift bits above the lowest level.
func digit(id int64, shift uint) int { return int(id >> shift & (fan - 1)) }

// get answers the row with the id, nil if there is none.
func (t *rowTree) get(id int64) Row {
	if uint64(id)>>t.shift >= fan {
		return nil
	}
	at := t.root
	for shift := t.shift; shift > 0 && at.branch != nil; shift -= fanBits {
		at = at.branch.below[digit(id, shift)]
	}
	if at.leaf == nil {
		return nil
	}
	return at.leaf.rows[digit(id, 0)]
}

// set puts a row, and answers the one that it replaces.
func (t *rowTree) set(edit uint64, id int64, row Row) (old Row) {
	for uint64(id)>>t.shift >= fan {
		t.grow(edit)
	}
	at := &t.root
	for shift := t.shift; shift > 0; shift -= fanBits {
		at = at.ownBranch(edit, digit(id, shift))
	}
	place := at.ownRow(edit, digit(id, 0))
	old, *place = *place, row
	if old == nil {
		t.count++
	}
	return old
}

// grow makes room for ids with more bits.
func (t *rowTree) grow(edit uint64) {
	if t.count > 0 {
		root := &rowBranch{edit: edit}
		root.below[0], t.root = t.root, rowNode{branch: root}
	}
	t.shift += fanBits
}

// delete takes the row with the id out, and answers it.
func (t *rowTree) delete(edit uint64, id int64) (old Row) {
	old = t.get(id)
	if old == nil {
		return nil
	}
	t.count--
	t.root.remove(edit, id, t.shift)
	return old
}

// remove takes a row out, and itself if it was the last one.
func (n *rowNode) remove(edit uint64, id int64, shift uint) {
	if shift == 0 {
		*n.ownRow(edit, digit(id, 0)) = nil
		if n.leaf.rows == [fan]Row{} {
			*n = rowNode{}
		}
		return
	}
	n.ownBranch(edit, digit(id, shift)).remove(edit, id, shift-fanBits)
	if n.branch.below == [fan]rowNode{} {
		*n = rowNode{}
	}
}

// ownBranch answers a place in the branch, which the edit may write to.
func (n *rowNode) ownBranch(edit uint64, digit int) *rowNode {
	switch {
	case n.branch == nil:
		n.branch = &rowBranch{edit: edit}
	case n.branch.edit != edit:
		n.branch = &rowBranch{edit, n.branch.below}
	}
	return &n.branch.below[digit]
}

// ownRow answers a place in the leaf, which the edit may write to.
func (n *rowNode) ownRow(edit uint64, digit int) *Row {
	switch {
	case n.leaf == nil:
		n.leaf = &rowLeaf{edit: edit}
	case n.leaf.edit != edit:
		n.leaf = &rowLeaf{edit, n.leaf.rows}
	}
	return &n.leaf.rows[digit]
}

// each yields the rows by ascending id, until it is told to stop.
func (n rowNode) each(yield func(Row) bool) bool {
	if n.leaf != nil {
		for _, row := range n.leaf.rows {
			if row != nil && !yield(row) {
				return false
			}
		}
	}
	if n.branch != nil {
		for _, below := range n.branch.below {
			if !below.each(yield) {
				return false
			}
		}
	}
	return true
}

// since yields the ids whose rows are not those of an earlier tree, ascending, each with the row of now, nil where it is gone. What both
// share is not walked through.
func (t rowTree) since(earlier rowTree, yield func(id int64, row Row) bool) {
	for t.shift < earlier.shift {
		t.grow(0)
	}
	for earlier.shift < t.shift {
		earlier.grow(0)
	}
	t.root.since(earlier.root, t.shift, 0, yield)
}

func (n rowNode) since(earlier rowNode, shift uint, first int64, yield func(id int64, row Row) bool) bool {
	if n == earlier {
		return true
	}
	for digit := range fan {
		id := first | int64(digit)<<shift
		if shift > 0 {
			if !n.below(digit).since(earlier.below(digit), shift-fanBits, id, yield) {
				return false
			}
		} else if row := n.row(digit); row != earlier.row(digit) && !yield(id, row) {
			return false
		}
	}
	return true
}

// below answers a node of the next level; row answers what a leaf holds.
func (n rowNode) below(digit int) rowNode {
	if n.branch == nil {
		return rowNode{}
	}
	return n.branch.below[digit]
}

func (n rowNode) row(digit int) Row {
	if n.leaf == nil {
		return nil
	}
	return n.leaf.rows[digit]
}
