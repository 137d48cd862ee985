package persist

// Reading a shop back.

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"runtime"
	"sync"

	"github.com/go-json-experiment/json"

	"shopcheck/mockserver/internal/shop"
	"shopcheck/mockserver/internal/state"
)

// found is what a storage held.
type found struct {
	head  head
	state shop.State
	owed  []owedRow
}

// chunkRows is how many rows are decoded at a time by one goroutine.
const chunkRows = 1024

// chunk is a run of rows of one table, on their way from bytes to rows.
type chunk struct {
	table  state.Kept
	ids    []int64
	bytes  []byte // all values
	ends   []int  // where each of them ends
	rows   []state.Row
	err    error
	parsed chan struct{} // closed when rows or err are there
}

// loadable is the half of a Storage that is read.
type loadable interface {
	Load(each func(key, value []byte) error) error
}

// tablesOf are the tables of a state by their names.
func tablesOf(s *shop.State) map[string]state.Kept {
	tables := map[string]state.Kept{}
	for _, table := range s.Tables() {
		tables[table.Name()] = table
	}
	return tables
}

// load returns nil if the storage is empty.
func load(storage loadable) (*found, error) {
	f := &found{state: shop.NewState(nil)}
	r := &reader{found: f, tables: tablesOf(&f.state), chunks: make(chan *chunk, 2*runtime.GOMAXPROCS(0))}
	var put error
	var putting sync.WaitGroup
	putting.Go(func() { f.state, put = putAll(f.state, r.chunks) })
	err := storage.Load(r.pair)
	if err == nil {
		r.flush()
	}
	close(r.chunks)
	putting.Wait()
	if err = errors.Join(err, put); err != nil {
		return nil, err
	}
	if r.pairs == 0 {
		return nil, nil
	}
	if err := f.complete(nil, len(f.owed)); err != nil {
		return nil, err
	}
	return f, nil
}

// reader takes pairs in the order of their keys, and lets goroutines decode them.
type reader struct {
	found  *found
	tables map[string]state.Kept
	pairs  int
	open   *chunk
	chunks chan *chunk
}

func (r *reader) pair(key, value []byte) error {
	r.pairs++
	if r.pairs == 1 {
		return r.first(key, value)
	}
	name, id, err := splitKey(key)
	if err != nil {
		return err
	}
	if name == outboxTable {
		r.found.owed = append(r.found.owed, owedRow{id, bytes.Clone(value)})
		return nil
	}
	table, err := r.table(name)
	if err != nil {
		return err
	}
	if r.open != nil && (r.open.table != table || len(r.open.ids) == chunkRows) {
		r.flush()
	}
	if r.open == nil {
		r.open = &chunk{table: table, parsed: make(chan struct{})}
	}
	c := r.open
	c.ids, c.bytes = append(c.ids, id), append(c.bytes, value...)
	c.ends = append(c.ends, len(c.bytes))
	return nil
}

// table finds a table by its name.
func (r *reader) table(name string) (state.Kept, error) {
	if table := r.tables[name]; table != nil {
		return table, nil
	}
	return nil, fmt.Errorf("there is no table %q among %s", name, names(r.tables))
}

// first reads the head. A format that is not known is refused before anything else is looked at.
func (r *reader) first(key, value []byte) error {
	if !bytes.Equal(key, headKey) {
		return errors.New("its head is missing")
	}
	head := &r.found.head
	if err := decode(value, head); err != nil {
		return fmt.Errorf("its head cannot be read: %w", err)
	}
	if head.Format < 1 || head.Format > Format {
		return fmt.Errorf("it has format %d, and this program knows formats 1 to %d: serve it with the program that wrote it",
			head.Format, Format)
	}
	return nil
}

// flush hands the open chunk to a goroutine of its own. The channel's length bounds how many there are.
func (r *reader) flush() {
	if c := r.open; c != nil {
		r.chunks <- c
		go c.parse()
	}
	r.open = nil
}

func (c *chunk) parse() {
	defer close(c.parsed)
	begin := 0
	for i, end := range c.ends {
		row, err := readRow(c.table, c.ids[i], c.bytes[begin:end])
		if err != nil {
			c.err = err
			return
		}
		c.rows, begin = append(c.rows, row), end
	}
	c.bytes = nil
}

// changed is what pairs make of a state. An error leaves nothing.
func changed(from *shop.State, pairs []Pair) (*found, error) {
	f := &found{}
	next, _, err := state.Try(from, func(tx *state.Tx, draft *shop.State) error { return f.putChanged(tx, draft, pairs) })
	if next == nil {
		next = from
	}
	f.state = *next
	return f, err
}

// putChanged puts rows into a draft. All of them are taken out before, so that a unique key may go from one to another.
func (f *found) putChanged(tx *state.Tx, draft *shop.State, pairs []Pair) error {
	r := &reader{found: f, tables: tablesOf(draft)}
	var put []func() error
	for _, pair := range pairs {
		if bytes.Equal(pair.Key, headKey) {
			if err := r.first(pair.Key, pair.Value); err != nil {
				return err
			}
			continue
		}
		name, id, err := splitKey(pair.Key)
		if err != nil {
			return err
		}
		if name == outboxTable {
			f.owed = append(f.owed, owedRow{id, pair.Value})
			continue
		}
		table, err := r.table(name)
		if err != nil {
			return err
		}
		table.Delete(tx, id)
		if pair.Value != nil && !isGone(pair.Value) {
			put = append(put, func() error { return putRead(tx, table, id, pair.Value) })
		}
	}
	for _, one := range put {
		if err := one(); err != nil {
			return err
		}
	}
	return nil
}

// putRead puts the row that a value holds.
func putRead(tx *state.Tx, table state.Kept, id int64, value []byte) error {
	row, err := readRow(table, id, value)
	if err != nil {
		return err
	}
	return table.PutRow(tx, row)
}

// readRow decodes the row of a table that has an id.
func readRow(table state.Kept, id int64, value []byte) (state.Row, error) {
	row := table.NewRow()
	return row, decodeRow(table.Name(), id, value, row)
}

// putAll puts the rows of the chunks into the tables of a state, which are empty, and returns the state. It takes all chunks, also after
// an error.
func putAll(into shop.State, chunks <-chan *chunk) (shop.State, error) {
	var first error
	_, _, err := state.Try(&into, func(tx *state.Tx, draft *shop.State) error {
		tables := tablesOf(draft)
		name, rows := "", []state.Row(nil)
		fill := func() {
			if first == nil && rows != nil {
				first = tables[name].Fill(tx, rows)
			}
		}
		for c := range chunks {
			<-c.parsed
			first = cmp.Or(first, c.err)
			if c.table.Name() != name {
				fill()
				name, rows = c.table.Name(), nil
			}
			rows = append(rows, c.rows...)
			c.rows = nil
		}
		fill()
		into = *draft
		return first
	})
	return into, err
}

// complete takes over what the head holds, and reports rows that are missing, or too many. Settings that are not written are those below,
// and owed are the rows of the outbox that there are.
func (f *found) complete(below *shop.Config, owed int) error {
	f.state.Config, f.state.LastID, f.state.CartBytes = below, f.head.LastID, f.head.CartBytes
	if len(f.head.Config) > 0 {
		f.state.Config = nil
		if err := json.Unmarshal(f.head.Config, &f.state.Config, options); err != nil {
			return fmt.Errorf("its settings cannot be read: %w", err)
		}
	}
	for _, table := range f.state.Tables() {
		if want := f.head.Rows.of(table.Name()); table.Len() != want {
			return fmt.Errorf("there are %d rows of %s, and there were %d", table.Len(), table.Name(), want)
		}
	}
	if want := f.head.Rows.of(outboxTable); owed != want {
		return fmt.Errorf("there are %d rows of the %s, and there were %d", owed, outboxTable, want)
	}
	return nil
}
