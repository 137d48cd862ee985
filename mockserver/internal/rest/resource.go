package rest

import (
	"bytes"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"shopcheck/mockserver/internal/shop"
)

// Resource is what collections of records have in common: list, create, retrieve, update, delete, batch. A
// resource says only how it differs. A function that is nil leaves its operations out.
type Resource[T any] struct {
	Path   string // of the collection, "/products/{product_id:[0-9]+}/variations"
	Title  string // what one record is called, for OPTIONS; the path's last word in the singular when empty
	Key    string // pattern of the last path variable, digits when empty
	Record *Record[T]
	Name   func(*T) string // what stands in the path for a row: its id

	Filters func() []Param // list parameters besides those that every list has; nil: there are none
	Select  func(shop.View, *Request) (rows []*T, total int, err error)
	Find    func(shop.View, *Request, string) (*T, error)
	BySlug  func(shop.View, *Request, string) (*T, error) // finds what a path names by something else than Key; nil: nothing is found so

	New     func(*shop.Tx, *Request) (*T, error) // the row that a create starts from
	Create  func(*shop.Tx, *T, Args) error
	Save    func(tx *shop.Tx, row, old *T, args Args) error // row is a changed copy of old
	Trash   func(*T, *shop.Tx) error                        // nil: there is no trash, a delete needs force=true
	Delete  func(tx *shop.Tx, row *T, args Args) error
	Removal []Param // parameters of delete besides force

	NoTrashCode string // code of the 501 when there is no trash; "shop_rest_trash_not_supported" when empty

	Memo   func(*T) *shop.Memo               // where the encoded record is kept; nil: nowhere
	Form   shop.Form                         // as which form it is kept
	Parent func(shop.View, *T) *shop.Product // the row besides its own that a record shows; nil: none
	Others func(*T, shop.View) shop.Related  // the rows that a record names, besides those of its own; nil: none
	// where a record links to as itself; nil: its address below the collection, if it can be read there
	Self    func(*T) Link
	Links   func(*T) []Link               // besides self and collection
	More    func(*Request) map[string]any // Encoding.More
	Reading []Param                       // parameters of everything that shows a record, besides context and _fields

	Keeps   bool // its lists are kept: see Endpoint.Keeps
	Public  bool // anybody may read it
	NoBatch bool // there is no batch
	NoLinks bool // its records have no links
	NoSelf  bool // its records do not link to themselves

	HidesMethods bool // as Endpoint.HidesMethods; the links of a record that was deleted for good have no hints either
	Unpaged      bool // the list is short and always comes whole, without paging headers
}

// Link is one entry of a record's _links: a path below the namespace.
type Link struct {
	Relation, Path string
	Embeddable     bool     // marked as such
	Allow          []string // the methods that the address takes, as a hint; nil: none is given

	record string // what stands below the path
}

const forcedDelete = "shop_rest_trash_not_supported"

// forceParam asks a delete not to use the trash.
const forceParam = "force"

// paging are the parameters of every list (contract, "Limits").
func paging() []Param {
	return []Param{
		{Name: "page", Type: Integer, Default: int64(1), Min: Bound(1), Description: "Which page of the list."},
		{Name: "per_page", Type: Integer, Default: int64(10), Min: Bound(1), Max: Bound(100),
			Description: "How many records a page holds."},
		{Name: "offset", Type: Integer, Min: Bound(0), Description: "How many records to leave out; wins over page."},
	}
}

// ContextParam chooses between what is shown to everybody and what is shown to who edits.
var ContextParam = Param{Name: "context", Type: String, Enum: []string{"view", "edit"}, Default: "view",
	Description: "Which fields are shown."}

func (res *Resource[T]) paging() []Param {
	if res.Unpaged {
		return nil
	}
	return paging()
}

func (res *Resource[T]) reading() []Param {
	return append([]Param{ContextParam, fieldsParam}, res.Reading...)
}

// digits is the pattern of a path variable that is an id.
const digits = "[0-9]+"

// Endpoints declares the resource's operations.
func (res *Resource[T]) Endpoints() []Endpoint {
	var all []Endpoint
	if res.Select != nil {
		params := slices.Concat(res.reading(), res.paging())
		if res.Filters != nil {
			params = append(params, res.Filters()...)
		}
		all = append(all, Endpoint{Methods: []string{http.MethodGet}, Path: res.Path, Access: res.readers(), Params: params, Do: res.list,
			Keeps: res.Keeps, Shows: Records, Summary: "List " + res.called()})
	}
	if res.Create != nil {
		params := slices.Concat(res.Record.Params(), res.reading()[1:])
		all = append(all, Endpoint{Methods: []string{http.MethodPost}, Path: res.Path, Access: Write, Params: params, Do: res.create,
			Status: http.StatusCreated, Summary: "Create a record of " + res.called()})
	}
	if !res.NoBatch && res.Save != nil {
		all = append(all, Endpoint{Methods: batchMethods, Path: res.Path + "/batch", Access: Write, Params: batchParams, Do: res.batchOf(),
			Shows: Outcome, Summary: "Create, change and delete many of " + res.called()})
	}
	all = append(all, res.itemEndpoints()...)
	schema := res.Record.Schema(res.title())
	for i := range all {
		all[i].Schema = schema
		all[i].HidesMethods = res.HidesMethods && len(variablesOf(all[i].Path)) > 0
	}
	return all
}

// readers are who may read the resource.
func (res *Resource[T]) readers() Access {
	if res.Public {
		return Public
	}
	return Read
}

// title is what one record is called.
func (res *Resource[T]) title() string {
	if res.Title != "" {
		return res.Title
	}
	plural := res.plural()
	for _, ending := range [][2]string{{"ies", "y"}, {"sses", "ss"}, {"xes", "x"}, {"s", ""}} {
		if stem, found := strings.CutSuffix(plural, ending[0]); found {
			return stem + ending[1]
		}
	}
	return plural
}

// called is plural for people.
func (res *Resource[T]) called() string { return strings.ReplaceAll(res.plural(), "_", " ") }

// plural is what many records are called: the last word of the path.
func (res *Resource[T]) plural() string {
	return lastWord(res.Path)
}

func (res *Resource[T]) itemEndpoints() []Endpoint {
	key := res.Key
	if key == "" {
		key = digits
	}
	path := res.Path + "/{id:" + key + "}"
	var all []Endpoint
	if res.Find != nil {
		all = append(all, res.reader(path, "id", res.Find))
	}
	if res.BySlug != nil {
		all = append(all, res.reader(res.Path+"/{slug:[^/]+}", "slug", res.BySlug))
	}
	if res.Save != nil {
		params := slices.Concat(res.Record.Changes(), res.reading()[1:])
		all = append(all, Endpoint{Methods: []string{http.MethodPut, http.MethodPost, http.MethodPatch}, Path: path, Access: Write,
			Params: params, Do: res.update, Summary: "Change one of " + res.called()})
	}
	if res.Delete != nil {
		force := Param{Name: forceParam, Type: Boolean, Default: false, Description: "Remove for good instead of moving to the trash."}
		params := slices.Concat([]Param{force}, res.Removal, res.reading()[1:])
		all = append(all, Endpoint{Methods: []string{http.MethodDelete}, Path: path, Access: Write, Params: params, Do: res.remove,
			Summary: "Delete one of " + res.called()})
	}
	return all
}

func (res *Resource[T]) list(r *Request) (Answer, error) {
	rows, total, err := res.Select(r.View, r)
	if err != nil {
		return Answer{}, err
	}
	encoding := res.encoding(r, r.View)
	encoding.List = true
	if !res.Unpaged {
		SetPaging(r, total)
	}
	return OK(deferred(func(b []byte) []byte {
		return appendList(b, rows, func(b []byte, row *T) []byte { return res.appendRecord(r, encoding, b, row) })
	}))
}

// reader is the endpoint that shows the record which a variable of the path names.
func (res *Resource[T]) reader(path, variable string, find func(shop.View, *Request, string) (*T, error)) Endpoint {
	return Endpoint{
		Methods: []string{http.MethodGet}, Path: path, Access: res.readers(), Params: res.reading(),
		Summary: "Read one of " + res.called() + " by " + variable,
		Do: func(r *Request) (Answer, error) {
			row, err := find(r.View, r, r.Path[variable])
			if err != nil {
				return Answer{}, err
			}
			return OK(res.found(r, row))
		},
	}
}

func (res *Resource[T]) create(r *Request) (Answer, error) {
	created, row := res.creation(r, r.Args)
	if err := r.Write(created); err != nil {
		return Answer{}, err
	}
	r.Header["Location"] = []string{r.Site.Root + "/" + r.API.Namespace + res.itemPath(r, *row)}
	return OK(res.shown(r, res.editing(r, r.View), *row))
}

// creation is the change that makes a row from args, and where that will be.
func (res *Resource[T]) creation(r *Request, args Args) (change func(*shop.Tx) error, made **T) {
	made = new(*T)
	return func(tx *shop.Tx) error {
		row, err := res.New(tx, r)
		if err != nil {
			return err
		}
		*made = row
		if err := res.Record.decode(&Decoding{tx, r.Site}, row, args, true); err != nil {
			return err
		}
		return res.Create(tx, row, args)
	}, made
}

func (res *Resource[T]) update(r *Request) (Answer, error) {
	updated, row := res.revision(r, r.Path["id"], r.Args)
	if err := r.Write(updated); err != nil {
		return Answer{}, err
	}
	return OK(res.shown(r, res.editing(r, r.View), *row))
}

// revision is the change that writes args to the row of a name, and where the new row will be.
func (res *Resource[T]) revision(r *Request, name string, args Args) (change func(*shop.Tx) error, made **T) {
	made = new(*T)
	return func(tx *shop.Tx) error {
		old, err := res.Find(tx.View, r, name)
		if err != nil {
			return err
		}
		row := new(T)
		*row, *made = *old, row
		if err := res.Record.Decode(&Decoding{tx, r.Site}, row, args); err != nil {
			return err
		}
		return res.Save(tx, row, old, args)
	}, made
}

func (res *Resource[T]) remove(r *Request) (Answer, error) {
	removed, body := res.removal(r, r.Path["id"], r.Args)
	if err := r.Write(removed); err != nil {
		return Answer{}, err
	}
	return OK(*body)
}

// removal is the change that trashes or deletes a row, and where its record as it was before will be.
func (res *Resource[T]) removal(r *Request, name string, args Args) (change func(*shop.Tx) error, before *Raw) {
	before = new(Raw)
	return func(tx *shop.Tx) error {
		row, err := res.Find(tx.View, r, name)
		if err != nil {
			return err
		}
		encoding := res.encoding(r, tx.View)
		encoding.Edit = true
		encoding.gone = args.Bool(forceParam)
		*before = res.shown(r, encoding, row).now()
		if encoding.gone {
			return res.Delete(tx, row, args)
		}
		if res.Trash == nil {
			return res.noTrash()
		}
		return res.Trash(row, tx)
	}, before
}

func (res *Resource[T]) noTrash() error {
	code := res.NoTrashCode
	if code == "" {
		code = forcedDelete
	}
	return Errorf(http.StatusNotImplemented, code, "These records have no trash: send force=true to delete for good.")
}

func (res *Resource[T]) encoding(r *Request, view shop.View) *Encoding {
	e := &Encoding{View: view, Site: r.Site, Edit: r.Args.String("context") == "edit", Only: fieldsOf(r.Args), meta: metaChoiceOf(r.Args)}
	if res.More != nil {
		e.More = res.More(r)
	}
	return e
}

func (res *Resource[T]) editing(r *Request, view shop.View) *Encoding {
	e := res.encoding(r, view)
	e.Edit = true
	return e
}

// found is the record of a row as an answer that is made often.
func (res *Resource[T]) found(r *Request, row *T) any {
	e := res.encoding(r, r.View)
	if memo := res.memo(e, row); memo != nil {
		if kept, ok := memo.Get(res.Form, res.stamp(e, row)); ok {
			r.lasting = true
			return NewConstant(kept)
		}
	}
	return res.shown(r, e, row)
}

// shown is the record of a row.
func (res *Resource[T]) shown(r *Request, e *Encoding, row *T) deferred {
	return func(b []byte) []byte { return res.appendRecord(r, e, b, row) }
}

// appendRecord encodes a row, or takes the encoded record that is kept beside it.
func (res *Resource[T]) appendRecord(r *Request, e *Encoding, b []byte, row *T) []byte {
	memo := res.memo(e, row)
	if memo == nil {
		return res.encode(r, e, b, row)
	}
	stamp := res.stamp(e, row)
	if kept, ok := memo.Get(res.Form, stamp); ok {
		return append(b, kept.Bytes...)
	}
	start := len(b)
	b = res.encode(r, e, b, row)
	if r.HTTP != nil && r.HTTP.Method == http.MethodGet { // what is written once may never be read
		e.Keep(memo, res.Form, stamp, Tagged(bytes.Clone(b[start:])))
	}
	return b
}

// stamp is what the record of a row depends on besides the row.
func (res *Resource[T]) stamp(e *Encoding, row *T) shop.Stamp {
	stamp := shop.Stamp{Base: e.Site.Root, Terms: e.Terms.Version(), TaxRates: e.TaxRates.Version(), Config: e.Config}
	if res.Parent != nil {
		stamp.Parent = res.Parent(e.View, row)
	}
	if res.Others != nil {
		stamp.Related = res.Others(row, e.View)
	}
	return stamp
}

// memo is where the record of a row is kept; nil: it is not, as it is not the one that a plain GET shows.
func (res *Resource[T]) memo(e *Encoding, row *T) *shop.Memo {
	if plain := e.Only == nil && !e.Edit && len(e.More) == 0 && e.meta == nil; res.Memo == nil || !plain {
		return nil
	}
	return res.Memo(row)
}

func (res *Resource[T]) encode(r *Request, e *Encoding, b []byte, row *T) []byte {
	b = append(b, '{')
	start := len(b)
	b = res.Record.encodeFields(e, b, row)
	if !res.NoLinks && (!e.List || e.Only.Has("_links")) {
		if len(b) > start {
			b = append(b, ',')
		}
		b = append(b, `"_links":`...)
		b = e.Only.trim("_links", res.appendLinks(r, e, b, row), len(b))
	}
	return append(b, '}')
}

func (res *Resource[T]) itemPath(r *Request, row *T) string {
	return res.collectionPath(r) + "/" + res.Name(row)
}

// collectionPath is the resource's path with the request's values in place of its variables.
func (res *Resource[T]) collectionPath(r *Request) string {
	path := res.Path
	for name, value := range r.Path {
		if start := strings.Index(path, "{"+name+":"); start >= 0 {
			end := start + strings.Index(path[start:], "}")
			path = path[:start] + value + path[end+1:]
		}
	}
	return path
}

func (res *Resource[T]) appendLinks(r *Request, e *Encoding, b []byte, row *T) []byte {
	collection := res.collectionPath(r)
	b = append(b, '{')
	if self, shown := res.selfLink(collection, row); shown {
		if res.HidesMethods && e.gone {
			self.Allow = nil
		}
		b = append(r.appendLink(b, self), ',')
	}
	b = r.appendLink(b, Link{Relation: "collection", Path: collection})
	if res.Links != nil {
		for _, link := range res.Links(row) {
			b = r.appendLink(append(b, ','), link)
		}
	}
	return append(b, '}')
}

// selfLink leads to the record itself, if it can be read alone.
func (res *Resource[T]) selfLink(collection string, row *T) (Link, bool) {
	if res.Self != nil {
		return res.Self(row), true
	}
	if res.Find == nil || res.NoSelf {
		return Link{}, false
	}
	return Link{Relation: "self", Path: collection, record: res.Name(row), Allow: res.itemMethods()}, true
}

// appendLink appends a relation and its one link.
func (r *Request) appendLink(b []byte, link Link) []byte {
	b = append(AppendString(b, link.Relation), `:[{`...)
	if link.Embeddable {
		b = append(b, `"embeddable":true,`...)
	}
	b = append(b, `"href":`...)
	if link.record == "" {
		b = AppendJoined(b, r.Site.Root, "/", r.API.Namespace, link.Path)
	} else {
		b = AppendJoined(b, r.Site.Root, "/", r.API.Namespace, link.Path, "/", link.record)
	}
	if link.Allow != nil {
		b = appendHints(b, link.Allow)
	}
	return append(b, "}]"...)
}

// AppendJoined appends several texts as one JSON string.
func AppendJoined(b []byte, texts ...string) []byte {
	b = append(b, `""`...)
	for _, text := range texts {
		end := len(b) - 2
		last := b[end] // takes the place of the quote that the text begins with
		b = AppendString(b[:end], text)
		b[end] = last
	}
	return b
}

func appendHints(b []byte, methods []string) []byte {
	return append(appendTexts(append(b, `,"targetHints":{"allow":`...), methods), '}')
}

// The methods that addresses of records take.
var (
	reading    = []string{http.MethodGet}
	removing   = []string{http.MethodGet, http.MethodDelete}
	changing   = []string{http.MethodGet, http.MethodPost, http.MethodPut, http.MethodPatch}
	everything = []string{http.MethodGet, http.MethodPost, http.MethodPut, http.MethodPatch, http.MethodDelete}
)

func (res *Resource[T]) itemMethods() []string {
	switch {
	case res.Save == nil && res.Delete == nil:
		return reading
	case res.Save == nil:
		return removing
	case res.Delete == nil:
		return changing
	}
	return everything
}

// ByID adapts a look-up by number to Resource.Find.
func ByID[T any](find func(shop.View, *Request, int64) (*T, error)) func(shop.View, *Request, string) (*T, error) {
	return func(view shop.View, r *Request, name string) (*T, error) {
		id, err := strconv.ParseInt(name, 10, 64)
		if err != nil {
			id = -1 // digits, but out of range: there is no such record
		}
		return find(view, r, id)
	}
}
