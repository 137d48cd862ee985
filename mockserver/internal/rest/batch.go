package rest

import (
	"net/http"
	"slices"
	"strconv"

	"shopcheck/mockserver/internal/shop"
)

// MaxBatch is how many records one batch may hold.
const MaxBatch = 100

var batchMethods = []string{http.MethodPost, http.MethodPut, http.MethodPatch}

var batchParams = []Param{
	{Name: "create", Type: Array, Items: &Param{Type: Object}, Description: "Records to create."},
	{Name: "update", Type: Array, Items: &Param{Type: Object}, Description: "Records to change, each with its id."},
	{Name: "delete", Type: Array, Items: &Param{Type: Integer | String}, Description: "Ids to delete for good."},
}

// batchOf makes the operation that runs many operations, each in a transaction of its own: one that fails does not stop
// the others (contract, "collection conventions").
func (res *Resource[T]) batchOf() func(*Request) (Answer, error) {
	creating, changing := newChecklist(res.Record.Params()), newChecklist(res.Record.Changes())
	operations := []batchOperation{
		{"update", func(r *Request, item any) (step, error) { return res.batchUpdate(r, changing, item.(Args)) }},
	}
	if res.Create != nil {
		operations = slices.Insert(operations, 0, batchOperation{"create", func(r *Request, item any) (step, error) {
			return res.batchCreate(r, creating, item.(Args))
		}})
	}
	if res.Delete != nil {
		operations = append(operations, batchOperation{"delete", res.batchDelete})
	}
	return func(r *Request) (Answer, error) {
		count := len(r.Args.List("create")) + len(r.Args.List("update")) + len(r.Args.List("delete"))
		if count > MaxBatch {
			return Answer{}, Errorf(http.StatusRequestEntityTooLarge, "shop_rest_request_entity_too_large",
				"A batch holds at most %d records; this one holds %d.", MaxBatch, count)
		}
		if count == 0 {
			return OK(Raw("[]"))
		}
		batch := newBatch(r, res.editing(r, r.View), count)
		for _, operation := range operations {
			for _, sent := range r.Args.List(operation.name) {
				batch.add(operation, sent)
			}
		}
		return OK(batch.run(operations))
	}
}

// batchOperation is one of the three things that a batch can do with an item.
type batchOperation struct {
	name  string
	begin func(r *Request, item any) (step, error)
}

// step is a change, and what appends its record once it is made.
type step struct {
	change func(*shop.Tx) error
	record func(e *Encoding, b []byte) []byte
}

// batch is a batch under way: all its changes are made in a row, and kept together.
type batch struct {
	r        *Request
	encoding *Encoding
	items    []batchItem            // in a room that does not move
	changes  []func(*shop.Tx) error // of the items that nothing is wrong with so far
	made     []byte                 // the records of the items
}

type batchItem struct {
	sent     any
	from, to int // its record, among those made
	err      error
}

func newBatch(r *Request, e *Encoding, count int) *batch {
	return &batch{r: r, encoding: e, items: make([]batchItem, 0, count), changes: make([]func(*shop.Tx) error, 0, count)}
}

func (batch *batch) add(operation batchOperation, sent any) {
	begun, err := operation.begin(batch.r, sent)
	batch.items = append(batch.items, batchItem{sent: sent, err: err})
	if item := &batch.items[len(batch.items)-1]; err == nil {
		batch.changes = append(batch.changes, func(tx *shop.Tx) error { return batch.take(item, begun, tx) })
	}
}

// take makes the change of an item, and its record while the shop is as the change left it.
func (batch *batch) take(item *batchItem, begun step, tx *shop.Tx) error {
	if err := begun.change(tx); err != nil {
		return err
	}
	item.from = len(batch.made)
	batch.encoding.View = tx.View
	batch.made = begun.record(batch.encoding, batch.made)
	item.to = len(batch.made)
	return nil
}

// run carries the batch out, and lists the records by what was done with them.
func (batch *batch) run(operations []batchOperation) *buffer {
	scratch, room := borrowBuffer(), borrowBuffer()
	defer scratch.giveBack()
	batch.made = scratch.bytes
	batch.carryOut()
	scratch.bytes = batch.made
	b, items := append(room.bytes, '{'), batch.items
	for _, operation := range operations {
		if !batch.r.Args.Has(operation.name) {
			continue
		}
		if len(b) > 1 {
			b = append(b, ',')
		}
		b = append(AppendString(b, operation.name), ':')
		count := len(batch.r.Args.List(operation.name))
		b = appendList(b, items[:count], batch.append)
		items = items[count:]
	}
	room.bytes = append(b, '}')
	return room
}

func (batch *batch) carryOut() {
	faults := batch.r.WriteAll(batch.changes)
	for i := range batch.items {
		if item := &batch.items[i]; item.err == nil {
			item.err, faults = faults[0], faults[1:]
		}
	}
}

func (batch *batch) append(b []byte, item batchItem) []byte {
	if item.err != nil {
		return batch.r.API.appendBatchError(b, item.sent, item.err)
	}
	return append(b, batch.made[item.from:item.to]...)
}

// appendBatchError appends what stands in the answer for an item that failed: {id, error: {code, message, data}}.
func (api *API) appendBatchError(b []byte, item any, err error) []byte {
	b = append(append(b, `{"id":`...), batchID(item)...)
	b = append(b, `,"error":`...)
	b = api.Faults.errorFrom(err).Encode(b)
	return append(b, '}')
}

func batchID(item any) []byte {
	if object, ok := item.(Args); ok {
		item = object.Value("id")
	}
	if id, ok := toInteger(item); ok {
		return AppendInt(nil, id.(int64))
	}
	switch v := item.(type) {
	case int64:
		return AppendInt(nil, v)
	case string:
		return AppendString(nil, v)
	}
	return []byte("0")
}

func (res *Resource[T]) batchCreate(r *Request, checks *checklist, item Args) (step, error) {
	args, err := checks.validate(input{body: item}, r.Path)
	if err != nil {
		return step{}, err
	}
	change, made := res.creation(r, args)
	return step{change, res.editedRecord(r, made)}, nil
}

func (res *Resource[T]) batchUpdate(r *Request, checks *checklist, item Args) (step, error) {
	args, err := checks.validate(input{body: item}, r.Path)
	if err != nil {
		return step{}, err
	}
	change, made := res.revision(r, nameOf(item.Value("id")), args)
	return step{change, res.editedRecord(r, made)}, nil
}

// editedRecord appends the record of a row that is made by then.
func (res *Resource[T]) editedRecord(r *Request, made **T) func(e *Encoding, b []byte) []byte {
	return func(e *Encoding, b []byte) []byte { return res.appendRecord(r, e, b, *made) }
}

func (res *Resource[T]) batchDelete(r *Request, item any) (step, error) {
	change, before := res.removal(r, nameOf(item), Args{{forceParam, true}})
	return step{change, func(_ *Encoding, b []byte) []byte { return append(b, *before...) }}, nil
}

func nameOf(id any) string {
	if n, ok := toInteger(id); ok {
		return strconv.FormatInt(n.(int64), 10)
	}
	switch v := id.(type) {
	case int64:
		return strconv.FormatInt(v, 10)
	case string:
		return v
	}
	return ""
}
