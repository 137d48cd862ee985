package spec

// A collection of the management API.

import (
	"context"
	"maps"
	"net/http"
	"slices"
	"strconv"

	"shopcheck/suites/client"
)

// Resource is a collection of the management API, used with one key.
type Resource struct {
	env  *Env
	path string // below /shop/v3
	auth *client.Auth
	once bool // lists are asked for once
}

// Collection is the management API's collection at a path below /shop/v3: "products/categories".
func (e *Env) Collection(path string) Resource { return Resource{env: e, path: "/" + path} }

// Sub is a collection that belongs to one record: Products.Sub(5, "variations").
func (r Resource) Sub(id int64, name string) Resource {
	r.path += "/" + strconv.FormatInt(id, 10) + "/" + name
	return r
}

// As is the same collection used with other credentials.
func (r Resource) As(auth client.Auth) Resource {
	r.auth = &auth
	return r
}

// Once is the same collection for lists of records that nobody changes: specs that ask for the same list share the answer.
func (r Resource) Once() Resource {
	r.once = true
	return r
}

// Path is the collection's full path.
func (r Resource) Path() string { return client.Management + r.path }

func (r Resource) do(ctx context.Context, method, path string, query Query, body any) *client.Answer {
	auth := r.auth
	if auth == nil {
		key := r.env.Key(ReadWrite)
		auth = &key
	}
	return r.env.run.Do(ctx, client.Request{Method: method, Path: r.Path() + path, Query: query.values(), Body: body, Auth: *auth})
}

// List gets one page of the collection.
func (r Resource) List(ctx context.Context, query Query) *client.Answer {
	list := func() sharedRecord { return sharedRecord{r.do(ctx, http.MethodGet, "", query, nil)} }
	if !r.once {
		return list().Answer
	}
	name := "list " + r.path + "?" + query.values().Encode()
	answer := Share(r.env, name, list).Answer
	if !answer.OK() {
		delete(r.env.shared, name)
	}
	return answer
}

// Listed lists a family with more parameters, and returns the ids in the order of the list.
func (r Resource) Listed(ctx context.Context, f Family, more Query) []int64 {
	query := f.Narrowed(Query{"per_page": "100"})
	maps.Copy(query, more)
	return r.IDs(ctx, query)
}

// IDs lists one page, which must not be refused, and returns the ids in the order of the list.
func (r Resource) IDs(ctx context.Context, query Query) []int64 {
	list := r.List(ctx, query)
	r.env.run.Expect(r.env.run.requirement(), list, BeSuccess())
	return IDs(list)
}

// Others are the ids but one on the second page of a list that finds one record, with one a page: what a filter leaves out of the first
// page stays out of the next. How a page behind the last one is answered is not documented.
func (r Resource) Others(ctx context.Context, query Query, found int64) []int64 {
	second := Query{"per_page": "1", "page": "2"}
	maps.Copy(second, query)
	return slices.DeleteFunc(IDs(r.List(ctx, second)), func(id int64) bool { return id == found })
}

// ListedByOne is Listed over the first two pages of one record each: what holds of the first page must hold of the next.
func (r Resource) ListedByOne(ctx context.Context, f Family, more Query) []int64 {
	first := f.Narrowed(Query{"per_page": "1"})
	maps.Copy(first, more)
	second := maps.Clone(first)
	second["page"] = "2"
	return append(r.IDs(ctx, first), IDs(r.List(ctx, second))...) // what a page past the end shows is not documented
}

// Create posts a record.
func (r Resource) Create(ctx context.Context, record Fields) *client.Answer {
	return r.do(ctx, http.MethodPost, "", nil, record)
}

// Get retrieves a record.
func (r Resource) Get(ctx context.Context, id int64) *client.Answer {
	return r.do(ctx, http.MethodGet, item(id), nil, nil)
}

// Update puts changed fields of a record.
func (r Resource) Update(ctx context.Context, id int64, changes Fields) *client.Answer {
	return r.do(ctx, http.MethodPut, item(id), nil, changes)
}

// Delete deletes a record as the service does by default: into the trash.
func (r Resource) Delete(ctx context.Context, id int64) *client.Answer {
	return r.DeleteWith(ctx, id, nil)
}

// ForceDelete removes a record for good.
func (r Resource) ForceDelete(ctx context.Context, id int64) *client.Answer {
	return r.DeleteWith(ctx, id, Query{"force": "true"})
}

// DeleteWith deletes a record with query parameters.
func (r Resource) DeleteWith(ctx context.Context, id int64, query Query) *client.Answer {
	return r.do(ctx, http.MethodDelete, item(id), query, nil)
}

// Batch posts {create, update, delete}.
func (r Resource) Batch(ctx context.Context, batch Fields) *client.Answer {
	return r.do(ctx, http.MethodPost, "/batch", nil, batch)
}

func item(id int64) string { return "/" + strconv.FormatInt(id, 10) }

// IDs lists the ids of the records of a list answer.
func IDs(list *client.Answer) []int64 { return integers(list.Get("#.id")) }
