// Package persist writes a shop down as pairs of keys and values, a row each, and reads it back. Where the pairs are kept is the
// business of a Storage.
package persist

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"shopcheck/mockserver/internal/shop"
	"shopcheck/mockserver/internal/state"
)

// Format is the version of what is written. A row is the JSON of its exported fields, so that a field that comes later is empty
// in rows from before; a change that older or newer programs would misread needs a number of its own, and a way from the one before.
// Format 1 had no outbox, and is read as one that is empty. Programs that know format 2 would change pairs and not their sum (see durable).
const Format = 3

// Storage keeps pairs beyond the life of a process.
type Storage interface {
	// Load calls each with every pair, in the order of the keys, until one ends in an error. What it is given is valid during the call.
	Load(each func(key, value []byte) error) error
	// Save calls pairs, and keeps what that puts, which nobody changes any more; nil for a value takes the pair away, and with anew all
	// earlier ones go. It is done in one step, which is kept when Save returns, or with an error, be it that of pairs, not at all.
	Save(anew bool, pairs func(put func(key, value []byte) error) error) error
}

// Gathering is a Storage that may write several changes together.
type Gathering interface {
	Storage
	// SaveLast is Save. What rows puts are rows that nobody changes, by what appends their values, nil for one that is gone: they may be
	// encoded later, and are not where a later change puts the key as well. What last puts every change puts, and need not be asked for
	// of one that is written together with a later one.
	SaveLast(anew bool, rows func(put func(key []byte, value func(to []byte) ([]byte, error)) error) error,
		last func(put func(key, value []byte) error) error) error
	// Sync returns when all that was saved is kept, or why it is not.
	Sync() error
}

// Identity is what a server stays the same by.
type Identity struct {
	Secret []byte // what its keys, tokens and nonces are derived from
	Starts uint64 // how often a process has begun to serve it: what is drawn in one is not drawn again in the next
	Resets uint64 // how often it was put back to a seed: no token from before one fits after it

	SignedUntil time.Time // there may be signed requests whose timestamp is so late
}

// Journal keeps one shop in a storage. It is what shop.Options.Keeper asks for.
type Journal struct {
	storage Storage
	shared  Shared                // the storage, nil if nobody else writes to it
	over    *shop.State           // what is not written, because it is kept elsewhere; nil: all is
	below   *shop.State           // the same, without rows where all is written
	under   map[string]state.Kept // its tables
	about   func() any            // nil: there is nothing else to be known of the shop
	told    func(*Kept) error     // of what others kept; nil: nobody asks
	config  config                // that was written last

	outbox   Outbox           // nil: commits owe nothing
	emptyRow func() state.Row // makes a row of the outbox, to be filled
	owed     map[int64]any    // its rows that are kept, by their ids
	lastOwed int64            // the newest of all ids that were kept

	mu       sync.Mutex
	identity Identity
	renewing bool // the next Replace puts the shop back to a seed

	current Kept  // what the storage holds, as far as it is known here
	damage  error // why it is not possible any more to follow the others
}

// headKey comes before the keys of all rows.
var headKey = []byte{0}

// Kept is what Open found.
type Kept struct {
	State   shop.State
	Version uint64

	about jsontext.Value
}

// About reads what was to be known of the shop besides, where something was.
func (k *Kept) About(into any) error {
	if len(k.about) == 0 {
		return nil
	}
	return json.Unmarshal(k.about, into)
}

// Open reads what a storage holds, nil if it is empty. Each commit keeps what about returns, too; nil: nothing. owed makes rows of the
// outbox, to be filled. An error says what is wrong with the storage; nothing is half loaded then.
func Open(storage Storage, about func() any, owed func() state.Row) (*Journal, *Kept, error) {
	j := newJournal(storage, nil, about, owed)
	j.shared, _ = storage.(Shared)
	return j.opened(load(storage))
}

func newJournal(storage Storage, over *shop.State, about func() any, owed func() state.Row) *Journal {
	below := cmp.Or(over, nothing())
	return &Journal{storage: storage, over: over, below: below, under: tablesOf(below), about: about, emptyRow: owed, owed: map[int64]any{}}
}

// nothing is below a shop that is kept whole.
func nothing() *shop.State {
	empty := shop.NewState(nil)
	return &empty
}

// opened goes on with what was found, if there is something.
func (j *Journal) opened(found *found, err error) (*Journal, *Kept, error) {
	if err == nil && found != nil {
		_, err = j.followOwed(found)
	}
	if err != nil || found == nil {
		return j, nil, err
	}
	j.goOn(found)
	return j, &Kept{found.state, found.head.Version, found.head.About}, nil
}

// goOn takes over what was found in the storage.
func (j *Journal) goOn(found *found) {
	j.Change(func(identity *Identity) { *identity = found.head.Identity })
	j.lastOwed = found.head.LastOwed
	j.current = Kept{found.state, found.head.Version, found.head.About}
}

// Identity returns what is known of the server.
func (j *Journal) Identity() Identity {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.identity
}

// Change changes what is known of the server; the next commit keeps it.
func (j *Journal) Change(change func(*Identity)) {
	j.mu.Lock()
	defer j.mu.Unlock()
	change(&j.identity)
}

// Renew says whether what is put in place of everything from now on is a seed, which ends sessions.
func (j *Journal) Renew(renewing bool) {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.renewing = renewing
}

// next is what is known of the server after the next commit.
func (j *Journal) next(anew bool) Identity {
	j.mu.Lock()
	defer j.mu.Unlock()
	next := j.identity
	if anew && j.renewing {
		next.Resets++
	}
	return next
}

// Keep implements shop.Keeper.
func (j *Journal) Keep(to *shop.State, version uint64, changes []state.Change, told []shop.Published) error {
	var owed map[int64]any
	if j.outbox != nil {
		j.outbox.Owe(told)
		owed = j.outbox.Unkept()
	}
	err := j.save(to, version, false, j.changed(changes), owed)
	if err == nil {
		j.nowOwed(owed)
	}
	if j.outbox != nil {
		j.outbox.Kept(err)
	}
	return j.unlessOvertaken(err)
}

// Sync returns when all that was saved is kept, also where changes wait for each other, or why it is not.
func (j *Journal) Sync() error {
	if gathering, is := j.storage.(Gathering); is {
		return gathering.Sync()
	}
	return nil
}

// changed puts the rows that changes have left. A storage that gathers rows knows itself which is the newest of a key.
func (j *Journal) changed(changes []state.Change) func(putRow) error {
	if _, gathers := j.storage.(Gathering); !gathers {
		changes = newest(changes)
	}
	return func(put putRow) error {
		for _, c := range changes {
			if c.Row == nil && j.under[c.Table].Has(c.ID) {
				c.Row = gone
			}
			if err := put(rowKey(c.Table, c.ID), c.Row); err != nil {
				return err
			}
		}
		return nil
	}
}

// newest are the changes that no later one undoes.
func newest(changes []state.Change) []state.Change {
	type place struct {
		table string
		id    int64
	}
	last := map[place]int{}
	for i, c := range changes {
		last[place{c.Table, c.ID}] = i
	}
	left := make([]state.Change, 0, len(last))
	for i, c := range changes {
		if last[place{c.Table, c.ID}] == i {
			left = append(left, c)
		}
	}
	return left
}

// Replace implements shop.Keeper.
func (j *Journal) Replace(by *shop.State, version uint64) error {
	err := j.save(by, version, true, rowsOf(by, j.below), nil)
	if err == nil {
		clear(j.owed)
		if j.outbox != nil {
			j.outbox.Follow(true, j.lastOwed, nil)
		}
	}
	return j.unlessOvertaken(err)
}

// rowsOf puts the rows of a state that are not those of the one below it.
func rowsOf(s, below *shop.State) func(putRow) error {
	return func(put putRow) error {
		was := below.Tables()
		for i, table := range s.Tables() {
			for id, row := range table.Since(was[i]) {
				written := any(row)
				if row == nil {
					written = gone
				}
				if err := put(rowKey(table.Name(), id), written); err != nil {
					return err
				}
			}
		}
		return nil
	}
}

// putRow takes a row, nil for one that is not written any more, or gone.
type putRow func(key []byte, row any) error

// gone is written in the place of a row that lies below and is there no more.
var gone = jsontext.Value("null")

// isGone reports whether a value is that.
func isGone(value []byte) bool {
	sum := len(value) - crc32.Size
	return sum >= 0 && bytes.Equal(value[:sum], gone)
}

// save hands the storage the rows, what changed in the outbox, and the head after them.
func (j *Journal) save(to *shop.State, version uint64, anew bool, rows func(putRow) error, owed map[int64]any) error {
	identity := j.next(anew)
	about, err := j.encodedAbout()
	if err != nil {
		return err
	}
	head, err := j.head(to, version, identity, about)
	if err != nil {
		return err
	}
	created := j.newlyOwed(owed)
	lastOwed, rowsOwed := max(j.lastOwed, created.Last), 0
	if !anew {
		rowsOwed = j.owedAfter(owed)
	}
	all := func(put putRow) error { return errors.Join(rows(put), putOwed(owed, put)) }
	last := func(put func(key, value []byte) error) error {
		h := head()
		h.LastOwed, h.Rows = lastOwed, append(h.Rows, count{outboxTable, rowsOwed})
		return putHead(put, &h)
	}
	if err = j.saveIn(anew, created, all, last); err == nil {
		j.Change(func(now *Identity) { now.Resets = identity.Resets })
		j.current, j.lastOwed = Kept{*to, version, about}, lastOwed
	}
	return err
}

// saveIn saves rows in the way that the storage has for such a change.
func (j *Journal) saveIn(anew bool, created Range, rows func(putRow) error, last func(put func(key, value []byte) error) error) error {
	if gathering, is := j.storage.(Gathering); is {
		return gathering.SaveLast(anew, func(put func(key []byte, value func(to []byte) ([]byte, error)) error) error {
			return rows(func(key []byte, row any) error { return put(key, appending(row)) })
		}, last)
	}
	all := func(put func(key, value []byte) error) error { return errors.Join(encodeRows(put, rows), last(put)) }
	if j.shared != nil && created != (Range{}) {
		return j.shared.SaveOwing(created, all)
	}
	return j.storage.Save(anew, all)
}

func putOwed(owed map[int64]any, put putRow) error {
	for id, row := range owed {
		if err := put(rowKey(outboxTable, id), row); err != nil {
			return err
		}
	}
	return nil
}

// encodeAll puts rows and, after them, the head.
func encodeAll(put func(key, value []byte) error, rows func(putRow) error, head *head) error {
	if err := encodeRows(put, rows); err != nil {
		return err
	}
	return putHead(put, head)
}

func encodeRows(put func(key, value []byte) error, rows func(putRow) error) error {
	return rows(func(key []byte, row any) error {
		if row == nil {
			return put(key, nil)
		}
		value, err := encode(row)
		if err != nil {
			return err
		}
		return put(key, value)
	})
}

func putHead(put func(key, value []byte) error, head *head) error {
	text, err := head.encoded()
	if err != nil {
		return err
	}
	return put(headKey, sealed(text, 0))
}

// head returns what makes what is kept besides the rows of a state. That may be done later, or not at all: the state never changes.
func (j *Journal) head(s *shop.State, version uint64, identity Identity, about jsontext.Value) (_ func() head, err error) {
	if s.Config != j.config.of {
		j.config, err = encodeConfig(s.Config, j.below.Config)
	}
	config, lastOwed := j.config, j.lastOwed
	return func() head {
		h := headOf(s, config, version, identity, about)
		h.LastOwed = lastOwed
		return h
	}, err
}

func headOf(s *shop.State, config config, version uint64, identity Identity, about jsontext.Value) head {
	tables := s.Tables()
	h := head{Format: Format, Identity: identity, Version: version, Config: config.text, LastID: s.LastID, CartBytes: s.CartBytes,
		Rows: make(counts, 0, len(tables)+1), About: about}
	for _, table := range tables {
		h.Rows = append(h.Rows, count{table.Name(), table.Len()})
	}
	return h
}

// encodedAbout is what else is to be known of the shop now.
func (j *Journal) encodedAbout() (jsontext.Value, error) {
	if j.about == nil {
		return nil, nil
	}
	return encodeAbout(j.about())
}

func encodeAbout(about any) (jsontext.Value, error) {
	if about == nil {
		return nil, nil
	}
	return json.Marshal(about, options)
}

// config is the settings of a shop, which seldom change, as they are written.
type config struct {
	of   *shop.Config
	text jsontext.Value
}

// encodeConfig writes nothing of settings that are those below.
func encodeConfig(of, below *shop.Config) (config, error) {
	if of == below {
		return config{of: of}, nil
	}
	text, err := json.Marshal(of, options)
	return config{of, text}, err
}

const nameEnd = 0 // between a table's name and an id: no name holds it

func rowKey(table string, id int64) []byte {
	key := make([]byte, 0, len(table)+1+8)
	return binary.BigEndian.AppendUint64(append(append(key, table...), nameEnd), uint64(id))
}

// splitKey is the inverse of rowKey.
func splitKey(key []byte) (table string, id int64, err error) {
	name, number, found := bytes.Cut(key, []byte{nameEnd})
	if !found || len(number) != 8 {
		return "", 0, fmt.Errorf("the key %q is none of a row", key)
	}
	return string(name), int64(binary.BigEndian.Uint64(number)), nil
}

// sumOf is put behind each value: bytes that changed on the disk are found out. Its table is made when it is first asked for.
func sumOf(value []byte) uint32 { return crc32.Checksum(value, crc32.MakeTable(crc32.Castagnoli)) }

func encode(row any) ([]byte, error) { return appendRow(nil, row) }

// appending returns what appends a row, nil for one that is not written any more.
func appending(row any) func(to []byte) ([]byte, error) {
	if row == nil {
		return nil
	}
	return func(to []byte) ([]byte, error) { return appendRow(to, row) }
}

// appendRow appends a row and its checksum.
func appendRow(to []byte, row any) ([]byte, error) {
	out := bytes.NewBuffer(to[len(to):]) // so that the row is where it is to be, if there is room
	err := json.MarshalWrite(out, row, options)
	return sealed(append(to, out.Bytes()...), len(to)), err
}

// sealed puts the checksum behind a value, which begins somewhere.
func sealed(text []byte, start int) []byte {
	return binary.BigEndian.AppendUint32(text, sumOf(text[start:]))
}

func decode(value []byte, into any) error {
	at := len(value) - crc32.Size
	if at < 0 || binary.BigEndian.Uint32(value[at:]) != sumOf(value[:at]) {
		return errors.New("its checksum is wrong")
	}
	return json.Unmarshal(value[:at], into, options)
}

// options leave out what is empty. No name is looked for twice: what is read was written here, and has a checksum.
var options = json.JoinOptions(json.OmitZeroStructFields(true), json.Deterministic(true),
	jsontext.AllowInvalidUTF8(true), jsontext.AllowDuplicateNames(true))

// names lists the tables, for messages.
func names(tables map[string]state.Kept) string {
	var all []string
	for name := range tables {
		all = append(all, name)
	}
	slices.Sort(all)
	return strings.Join(all, ", ")
}
