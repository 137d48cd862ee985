package expect

// Records that were looked at before: two of three that a shop shows are the same as one that it has shown already.

import (
	"hash/maphash"
	"net/url"
	"sync"

	"github.com/tidwall/gjson"

	"shopcheck/suites/client"
	"shopcheck/suites/contract"
)

// Known remembers records in which nothing was wrong, and what they were checked for, by a hash whose seed no target knows. The zero Known
// is empty. It holds maxKnown records at the most, and is safe for use by several goroutines.
type Known struct {
	mu      sync.Mutex
	seed    maphash.Seed
	records map[knownRecord]contract.Set
}

// maxKnown is how many records are remembered: a run sees some thousand different ones, and a target may send any number.
const maxKnown = 1 << 14

type knownRecord struct {
	hash   uint64
	length int
	shape  *contract.Shape
}

// InspectAnswer is the function of that name, which leaves out what it knows.
func (k *Known) InspectAnswer(a *client.Answer, endpoint string, query url.Values) Inspection {
	i := newInspector()
	i.known = k
	return i.answer(a, endpoint, query)
}

func (k *Known) keyOf(record gjson.Result, shape *contract.Shape) knownRecord {
	return knownRecord{maphash.String(k.seed, record.Raw), len(record.Raw), shape}
}

// find returns what a record was checked for, if it is known.
func (k *Known) find(record gjson.Result, shape *contract.Shape) (checked contract.Set, found bool) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.records == nil {
		return checked, false
	}
	checked, found = k.records[k.keyOf(record, shape)]
	return checked, found
}

// add remembers a record in which nothing is wrong, if there is room.
func (k *Known) add(record gjson.Result, shape *contract.Shape, checked contract.Set) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.records == nil {
		k.seed, k.records = maphash.MakeSeed(), map[knownRecord]contract.Set{}
	}
	if len(k.records) < maxKnown {
		k.records[k.keyOf(record, shape)] = checked
	}
}
