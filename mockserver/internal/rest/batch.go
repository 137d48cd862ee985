package rest

import (
	"net/http"
	"slices"
	"strconv"
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
		{"update", func(r *Request, b []byte, item any) ([]byte, error) {
			return res.batchUpdate(r, b, changing, item.(Args))
		}},
	}
	if res.Create != nil {
		operations = slices.Insert(
			operations,
			0,
			batchOperation{"create", func(r *Request, b []byte, item any) ([]byte, error) {
				return res.batchCreate(r, b, creating, item.(Args))
			}},
		)
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
		done := Pairs{}
		for _, operation := range operations {
			if r.Args.Has(operation.name) {
				done = append(done, Extra{operation.name, operation.runAll(r)})
			}
		}
		return OK(done)
	}
}

// batchOperation is one of the three things that a batch can do with an item.
type batchOperation struct {
	name string
	run  func(r *Request, b []byte, item any) ([]byte, error) // appends the item's record
}

func (o batchOperation) runAll(r *Request) Raw {
	return deferred(func(b []byte) []byte {
		return appendList(b, r.Args.List(o.name), func(b []byte, item any) []byte {
			done, err := o.run(r, b, item)
			if err != nil {
				return r.API.appendBatchError(b, item, err)
			}
			return done
		})
	}).now()
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
		item = object["id"]
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

func (res *Resource[T]) batchCreate(r *Request, b []byte, checks *checklist, item Args) ([]byte, error) {
	args, err := checks.validate(input{body: item}, r.Path)
	if err != nil {
		return nil, err
	}
	row, err := res.created(r, args)
	if err != nil {
		return nil, err
	}
	return res.appendRecord(r, res.editing(r), b, row), nil
}

func (res *Resource[T]) batchUpdate(r *Request, b []byte, checks *checklist, item Args) ([]byte, error) {
	args, err := checks.validate(input{body: item}, r.Path)
	if err != nil {
		return nil, err
	}
	row, err := res.updated(r, nameOf(item["id"]), args)
	if err != nil {
		return nil, err
	}
	return res.appendRecord(r, res.editing(r), b, row), nil
}

func (res *Resource[T]) batchDelete(r *Request, b []byte, item any) ([]byte, error) {
	removed, err := res.removed(r, nameOf(item), Args{"force": true})
	return append(b, removed...), err
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
