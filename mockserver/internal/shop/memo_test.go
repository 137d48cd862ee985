package shop

import (
	"runtime"
	"testing"
	"weak"
)

// TestKeptRecordsAreBounded keeps more records than a shop remembers: the oldest are forgotten, the newest are there.
func TestKeptRecordsAreBounded(t *testing.T) {
	t.Parallel()
	v := View{kept: new(keptAnswers)}
	memos := make([]Memo, 2*maxKeptRecords+10)
	for i := range memos {
		for range 2 { // what is kept twice counts once
			v.Keep(&memos[i], Sold, Stamp{}, Encoded{Bytes: []byte{1}})
		}
	}
	kept := 0
	for i := range memos {
		if _, known := memos[i].Get(Sold, Stamp{}); known {
			kept++
		}
	}
	if kept != maxKeptRecords {
		t.Errorf("%d records are kept of %d, want %d", kept, len(memos), maxKeptRecords)
	}
	if _, known := memos[len(memos)-1].Get(Sold, Stamp{}); !known {
		t.Error("the newest record is not kept")
	}
	v.Keep(&memos[0], Sold, Stamp{}, Encoded{Bytes: make([]byte, maxKeptBytes+1)})
	if _, known := memos[0].Get(Sold, Stamp{}); known {
		t.Error("a record of more bytes than the bound is kept")
	}
}

// TestWhatIsKeptGoesWithItsRow keeps the record of a row that is then gone.
func TestWhatIsKeptGoesWithItsRow(t *testing.T) {
	t.Parallel()
	v := View{kept: new(keptAnswers)}
	row := &Product{Memo: new(Memo)}
	gone := weak.Make(row.Memo)
	v.Keep(row.Memo, Sold, Stamp{}, Encoded{Bytes: []byte{1}})
	runtime.KeepAlive(row)
	runtime.GC()
	if gone.Value() != nil {
		t.Error("what was kept of the row is still in memory")
	}
	runtime.KeepAlive(v.kept)
}
