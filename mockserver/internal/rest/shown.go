package rest

import "slices"

// Records, and fields of records, that clients only read.

// Shown declares a record that clients cannot write: what they send for any of its fields is ignored.
func Shown[T any](groups ...[]Field[T]) *Record[T] {
	rec := &Record[T]{Fields: slices.Concat(groups...)}
	for i := range rec.Fields {
		rec.Fields[i].ReadOnly, rec.Fields[i].Decode = true, nil
	}
	return rec
}

// Joined are fields that show the same for all rows, so that where all are shown they need be encoded once: shared answers what
// encode has encoded, for as long as that is true. They stay together in every record.
func Joined[T any](shared func(e *Encoding, encode func() []byte) []byte, fields []Field[T]) []Field[T] {
	rec := &Record[T]{Fields: slices.Clone(fields)}
	fields[0].joined = len(fields)
	fields[0].shared = func(e *Encoding) []byte {
		return shared(e, func() []byte { return rec.encodeAll(e, nil, nil) })
	}
	return fields
}

// Body is the record of a row as the body of an answer. It is encoded when the answer is written.
func (rec *Record[T]) Body(e *Encoding, row *T) any {
	return deferred(func(b []byte) []byte { return rec.Encode(e, b, row) })
}

// List is a list of records as the body of an answer. It is encoded when the answer is written.
func (rec *Record[T]) List(e *Encoding, rows []*T) any {
	return deferred(func(b []byte) []byte { return rec.appendRows(e, b, rows) })
}

func (rec *Record[T]) appendRows(e *Encoding, b []byte, rows []*T) []byte {
	return appendList(b, rows, func(b []byte, row *T) []byte { return rec.Encode(e, b, row) })
}

// NewEncoding is for records that no Resource shows. _fields is left to whoever runs the call.
func NewEncoding(r *Request) *Encoding { return &Encoding{View: r.View, Site: r.Site} }

// OrNull marks a field that is null where its row has nothing to show.
func OrNull(p *Param) { p.Type |= Null }

// TextOrNullOf is a string worked out from the row, null where that gives none.
func TextOrNullOf[T any](name string, text func(*Encoding, *T) *string) Field[T] {
	return computed(Param{Name: name, Type: String}, text, orNull(AppendString), OrNull)
}

// IntOrNullOf is an integer worked out from the row, null where that gives none.
func IntOrNullOf[T any](name string, number func(*Encoding, *T) *int64) Field[T] {
	return computed(Param{Name: name, Type: Integer}, number, orNull(AppendInt), OrNull)
}

func orNull[V any](appendTo func([]byte, V) []byte) func([]byte, *V) []byte {
	return func(b []byte, value *V) []byte {
		if value == nil {
			return append(b, "null"...)
		}
		return appendTo(b, *value)
	}
}

// TextsOf is a list of strings worked out from the row.
func TextsOf[T any](name string, texts func(*Encoding, *T) []string) Field[T] {
	return computed(Param{Name: name, Type: Array, Items: &Param{Type: String}}, texts, appendTexts)
}

// NestedOf is an object that shows what is worked out from the row; nil shows as null.
func NestedOf[T, U any](name string, at func(*Encoding, *T) *U, inner *Record[U], options ...Option) Field[T] {
	encode := func(e *Encoding, b []byte, row *T) []byte {
		if shown := at(e, row); shown != nil {
			return inner.Encode(e, b, shown)
		}
		return append(b, "null"...)
	}
	return NewField(Param{Name: name, Type: Object, Fields: inner.Changes()}, encode, nil, append(options, ReadOnly)...)
}

// Part is an object that shows fields of the very row that it is in.
func Part[T any](name string, inner *Record[T]) Field[T] {
	return NestedOf(name, func(_ *Encoding, row *T) *T { return row }, inner)
}

// RowsOf is a list of objects worked out from the row. With OrNull, a list that is nil shows as null.
func RowsOf[T, U any](name string, at func(*Encoding, *T) []*U, inner *Record[U], options ...Option) Field[T] {
	param := Param{Name: name, Type: Array, Items: &Param{Type: Object, Fields: inner.Changes()}}
	field := NewField[T](param, nil, nil, append(options, ReadOnly)...)
	nullable := field.Type&Null != 0
	field.Encode = func(e *Encoding, b []byte, row *T) []byte {
		rows := at(e, row)
		if rows == nil && nullable {
			return append(b, "null"...)
		}
		return inner.appendRows(e, b, rows)
	}
	return field
}

// Pointers gives the elements of a list as RowsOf takes them.
func Pointers[E any](list []E) []*E {
	pointers := make([]*E, len(list))
	for i := range list {
		pointers[i] = &list[i]
	}
	return pointers
}

// Nothing is an object that never holds anything.
func Nothing[T any](name string) Field[T] {
	return NewField(Param{Name: name, Type: Object}, func(_ *Encoding, b []byte, _ *T) []byte { return append(b, "{}"...) }, nil, ReadOnly)
}

// None is a list of objects that never holds any.
func None[T any](name string) Field[T] {
	param := Param{Name: name, Type: Array, Items: &Param{Type: Object}}
	return NewField(param, func(_ *Encoding, b []byte, _ *T) []byte { return append(b, "[]"...) }, nil, ReadOnly)
}

// Placeholder is the picture of what has none, below the site: people among them.
const Placeholder = "/pictures/placeholder.svg"

// avatarSizes are the widths in pixels under which the picture of an author is offered.
var avatarSizes = []string{"24", "48", "96"}

// AvatarURLs are the addresses of the picture of a review's author, by width. Everybody has the same picture.
func AvatarURLs[T any]() Field[T] {
	return Computed(Param{Name: "reviewer_avatar_urls", Type: Object}, func(e *Encoding, _ *T) any {
		urls := Pairs{}
		for _, size := range avatarSizes {
			urls = append(urls, Extra{size, e.Site.Absolute(Placeholder) + "?s=" + size})
		}
		return urls
	})
}
