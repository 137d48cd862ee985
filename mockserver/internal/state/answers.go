package state

// Answers of large tables are kept with the version that they are about, for the next page and the next caller.

import (
	"strconv"
	"sync"
)

// answers are what queries of one version found, by their names.
type answers struct {
	mu     sync.Mutex
	byName map[string]found
}

const (
	worthKeeping = 10_000 // rows of a table whose answers are kept: those of a smaller one are quickly found again
	maxAnswers   = 16     // that a version keeps; when another comes they make room for it
)

// answer finds what a query asks for, or knows it.
func (v *version) answer(q query) found {
	name, known := v.nameOf(q)
	if !known {
		return v.find(q)
	}
	if kept := v.answers.get(name); kept != nil {
		return kept
	}
	return v.answers.keep(name, v.find(q))
}

func (v *version) find(q query) found {
	p := &plan{v: v, order: q.orderBy, tree: v.treeOf(q.orderBy)}
	for _, c := range q.where {
		c.addTo(p)
	}
	return p.find()
}

// nameOf tells a query from all others whose answers differ, but for the page. False: its answer is not to be kept.
func (v *version) nameOf(q query) (string, bool) {
	if v.rows.count < worthKeeping || v.beingWritten() {
		return "", false
	}
	b := []byte("by id")
	if q.orderBy != nil {
		b = strconv.AppendInt([]byte("by "), int64(q.orderBy.slot), 10)
	}
	for _, c := range q.where {
		var named bool
		if b, named = c.name(append(b, ' ')); !named {
			return "", false
		}
	}
	return string(b), true
}

func (a *answers) get(name string) found {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.byName[name]
}

// keep answers what is kept under a name from now on: another reader may have been quicker.
func (a *answers) keep(name string, answer found) found {
	a.mu.Lock()
	defer a.mu.Unlock()
	if earlier := a.byName[name]; earlier != nil {
		return earlier
	}
	if len(a.byName) == maxAnswers || a.byName == nil {
		a.byName = map[string]found{}
	}
	a.byName[name] = answer
	return answer
}
