package rest

import (
	"iter"
	"slices"
	"sync"
	"time"

	"shopcheck/mockserver/internal/shop"
)

// Record declares the wire form of a row: its fields in the order in which they are shown. It is the single source of
// encoding, of reading what clients write, and of the parameters of create and update.
type Record[T any] struct {
	Fields  []Field[T]
	AsAsked bool // fields that _fields chooses are shown in its order

	declare func() *Record[T] // nil: it is declared above
	once    sync.Once

	shown   []shownField[T]
	written []writtenField[T]
}

// shownField and writtenField are what answers and requests need of a field, next to those of the others: a whole Field is long, and most
// of it describes.
type (
	shownField[T any] struct {
		key    []byte
		encode func(e *Encoding, b []byte, row *T) []byte
		absent func(e *Encoding, row *T) bool
		shared func(e *Encoding) []byte
		joined int
		edit   bool
	}
	writtenField[T any] struct {
		name   string
		decode func(d *Decoding, row *T, value any) error
		usual  any // nil: there is no default
	}
)

// Lazily is a record that is declared when it is first used. Most processes use few of all records, and each field is made of several
// objects.
func Lazily[T any](declare func() *Record[T]) *Record[T] { return &Record[T]{declare: declare} }

// All gives the record's fields.
func (rec *Record[T]) All() []Field[T] {
	rec.once.Do(rec.complete)
	return rec.Fields
}

// complete declares the record, and lists what is shown and what is written.
func (rec *Record[T]) complete() {
	if rec.declare != nil {
		declared := rec.declare()
		rec.Fields, rec.AsAsked = declared.All(), declared.AsAsked
	}
	for i := range rec.Fields {
		f := &rec.Fields[i]
		if !f.Hidden {
			rec.shown = append(rec.shown, shownField[T]{f.key, f.Encode, f.Absent, f.shared, f.joined, f.Edit})
		}
		if f.Decode != nil {
			rec.written = append(rec.written, writtenField[T]{f.Name, f.Decode, f.Default})
		}
	}
}

// Field is one field of a record.
type Field[T any] struct {
	Param
	Encode func(e *Encoding, b []byte, row *T) []byte
	Decode func(d *Decoding, row *T, value any) error // nil: read only
	// Restore writes what another shop shows for the field to the row, read-only fields too; nil: it follows from others.
	Restore func(d *Decoding, row *T, shown any) error
	Shown   Type                           // what it may be shown as besides what is written
	Edit    bool                           // shown in the edit context only
	Hidden  bool                           // written, never shown
	Absent  func(e *Encoding, row *T) bool // whether this row's record goes without the field; nil: never
	key     []byte                         // the name as it is encoded, with its colon

	joined int                      // how many fields, this one among them, shared shows; 0: none
	shared func(e *Encoding) []byte // what they show, which is the same for all rows
}

// Encoding is what fields need to know besides their row.
type Encoding struct {
	shop.View
	Site Site
	Edit bool           // the edit context
	Only *FieldSet      // the fields to show, nil for all
	List bool           // one of a list: Only chooses its links too, which a record alone always has
	More map[string]any // what one resource's fields share ("dp")
	meta *metaChoice
	gone bool // the row is being deleted for good

	lastMoment shownMoment // a record shows few different ones, each many times
}

// shownMoment is a moment and how it is shown.
type shownMoment struct {
	at   time.Time
	text string
}

// whole is the encoding of a value inside a record: fields are encoded whole, and cut down to the chosen ones after.
func (e *Encoding) whole() *Encoding {
	inner := *e
	inner.Only = nil
	return &inner
}

// Decoding is what fields need to know to write their row.
type Decoding struct {
	*shop.Tx
	Site Site
}

// Encode appends the record of a row.
func (rec *Record[T]) Encode(e *Encoding, b []byte, row *T) []byte {
	return append(rec.encodeFields(e, append(b, '{'), row), '}')
}

func (rec *Record[T]) encodeFields(e *Encoding, b []byte, row *T) []byte {
	if e.Only == nil {
		return rec.encodeAll(e, b, row)
	}
	whole := e.whole()
	begin := len(b)
	for field := range rec.inOrder(e.Only) {
		if field.Hidden || field.Edit && !e.Edit || !e.Only.Has(field.Name) || field.Absent != nil && field.Absent(e, row) {
			continue
		}
		before := len(b)
		if before > begin {
			b = append(b, ',')
		}
		b = append(b, field.key...)
		start := len(b)
		b = field.Encode(whole, b, row)
		if e.Only.misses(field.Name, b[start:]) {
			b = b[:before]
			continue
		}
		b = e.Only.trim(field.Name, b, start)
	}
	return b
}

// encodeAll is encodeFields where no fields are chosen: of most answers.
func (rec *Record[T]) encodeAll(e *Encoding, b []byte, row *T) []byte {
	rec.once.Do(rec.complete)
	begin := len(b)
	for i := 0; i < len(rec.shown); i++ {
		field := &rec.shown[i]
		if field.edit && !e.Edit || field.absent != nil && field.absent(e, row) {
			continue
		}
		if len(b) > begin {
			b = append(b, ',')
		}
		if field.joined > 0 {
			b = append(b, field.shared(e)...)
			i += field.joined - 1
			continue
		}
		b = field.encode(e, append(b, field.key...), row)
	}
	return b
}

// inOrder gives the fields in the order in which they are shown, those that are not shown among them.
func (rec *Record[T]) inOrder(only *FieldSet) iter.Seq[*Field[T]] {
	return func(yield func(*Field[T]) bool) {
		fields := rec.All()
		if rec.AsAsked {
			rec.asAsked(only, yield)
			return
		}
		for i := range fields {
			if !yield(&fields[i]) {
				return
			}
		}
	}
}

func (rec *Record[T]) asAsked(only *FieldSet, yield func(*Field[T]) bool) {
	for _, name := range only.names {
		at := slices.IndexFunc(rec.Fields, func(f Field[T]) bool { return f.Name == name })
		if at >= 0 && !yield(&rec.Fields[at]) {
			return
		}
	}
}

// Decode writes the fields that args hold to the row, in the record's order.
func (rec *Record[T]) Decode(d *Decoding, row *T, args Args) error {
	return rec.decode(d, row, args, false)
}

// decode is Decode; a new row has the defaults of the fields that args do not hold.
func (rec *Record[T]) decode(d *Decoding, row *T, args Args, fresh bool) error {
	rec.once.Do(rec.complete)
	for i := range rec.written {
		field := &rec.written[i]
		value, sent := args.Get(field.name)
		if !sent && fresh && field.usual != nil {
			value, sent = field.usual, true
		}
		if !sent {
			continue
		}
		if err := field.decode(d, row, value); err != nil {
			return err
		}
	}
	return nil
}

// Params gives the parameters that a create takes: the fields with their defaults.
func (rec *Record[T]) Params() []Param {
	fields := rec.All()
	params := make([]Param, len(fields))
	for i := range fields {
		params[i] = fields[i].Param
		params[i].late = fields[i].Decode != nil
	}
	return params
}

// Schema describes the record; what is written and never shown is left out. It is made when somebody asks.
func (rec *Record[T]) Schema(title string) func() *Schema {
	return sync.OnceValue(func() *Schema {
		schema := &Schema{Title: title}
		fields := rec.All()
		for i := range fields {
			if field := &fields[i]; !field.Hidden {
				param := field.Param
				param.Type |= field.Shown
				schema.Fields = append(schema.Fields, SchemaField{param, field.Edit})
			}
		}
		return schema
	})
}

// Changes gives the parameters that an update takes: nothing is required, and nothing has a default.
func (rec *Record[T]) Changes() []Param {
	params := rec.Params()
	for i := range params {
		params[i].Required, params[i].Default = false, nil
	}
	return params
}

// Pick makes another record of the same rows: the named fields in the given order, fields of its own first.
func (rec *Record[T]) Pick(own []Field[T], names ...string) *Record[T] {
	picked, all := &Record[T]{}, slices.Concat(own, rec.All())
	for _, name := range names {
		at := slices.IndexFunc(all, func(f Field[T]) bool { return f.Name == name })
		if at < 0 {
			panic("record has no field " + name)
		}
		picked.Fields = append(picked.Fields, all[at])
	}
	return picked
}

// Option changes the declaration of a field.
type Option func(*Param)

// ReadOnly marks a field that clients cannot write: what they send for it is ignored.
func ReadOnly(p *Param) { p.ReadOnly = true }

// Unlisted marks a field that OPTIONS does not name among the parameters, as live shops do not, although it can be written.
func Unlisted(p *Param) { p.Unlisted = true }

// Required marks a field that a create must have.
func Required(p *Param) { p.Required = true }

// Default says what a create takes when the field is not sent.
func Default(value any) Option { return func(p *Param) { p.Default = value } }

// OneOf limits a text to some values.
func OneOf(values ...string) Option { return func(p *Param) { p.Enum = values } }

// As narrows a text.
func As(format Format) Option { return func(p *Param) { p.Format = format } }

// AtLeast bounds a number from below.
func AtLeast(n int64) Option { return func(p *Param) { p.Min = &n } }

// About describes the field for people.
func About(text string) Option { return func(p *Param) { p.Description = text } }

// NewField makes a field from its parts.
func NewField[T any](param Param, encode func(*Encoding, []byte, *T) []byte, decode func(*Decoding, *T, any) error,
	options ...Option) Field[T] {
	for _, option := range options {
		option(&param)
	}
	restore := checked(param, decode)
	if param.ReadOnly {
		decode = nil
	}
	return Field[T]{Param: param, Encode: encode, Decode: decode, Restore: restore, key: append(AppendString(nil, param.Name), ':')}
}

// Text is a field that shows and writes a string.
func Text[T any](name string, at func(*T) *string, options ...Option) Field[T] {
	return NewField(Param{Name: name, Type: String},
		func(_ *Encoding, b []byte, row *T) []byte { return AppendString(b, *at(row)) },
		func(_ *Decoding, row *T, value any) error { *at(row) = value.(string); return nil }, options...)
}

// Int is a field that shows and writes an integer.
func Int[T any](name string, at func(*T) *int64, options ...Option) Field[T] {
	return NewField(Param{Name: name, Type: Integer},
		func(_ *Encoding, b []byte, row *T) []byte { return AppendInt(b, *at(row)) },
		func(_ *Decoding, row *T, value any) error { *at(row) = value.(int64); return nil }, options...)
}

// IntOrNull is an integer field that may be null.
func IntOrNull[T any](name string, at func(*T) **int64, options ...Option) Field[T] {
	return NewField(Param{Name: name, Type: Integer | Null},
		func(_ *Encoding, b []byte, row *T) []byte {
			if n := *at(row); n != nil {
				return AppendInt(b, *n)
			}
			return append(b, "null"...)
		},
		func(_ *Decoding, row *T, value any) error {
			if n, ok := value.(int64); ok {
				*at(row) = &n
			} else {
				*at(row) = nil
			}
			return nil
		}, options...)
}

// Flag is a field that shows and writes a truth value.
func Flag[T any](name string, at func(*T) *bool, options ...Option) Field[T] {
	return NewField(Param{Name: name, Type: Boolean},
		func(_ *Encoding, b []byte, row *T) []byte { return AppendBool(b, *at(row)) },
		func(_ *Decoding, row *T, value any) error { *at(row) = value.(bool); return nil }, options...)
}

// IDs is a field that shows and writes a list of ids.
func IDs[T any](name string, at func(*T) *[]int64, options ...Option) Field[T] {
	return NewField(Param{Name: name, Type: Array, Items: &Param{Type: Integer}},
		func(_ *Encoding, b []byte, row *T) []byte { return appendInts(b, *at(row)) },
		func(_ *Decoding, row *T, value any) error { *at(row) = intsOf(value); return nil }, options...)
}

func appendInts(b []byte, ids []int64) []byte { return appendList(b, ids, AppendInt) }

func appendTexts(b []byte, texts []string) []byte { return appendList(b, texts, AppendString) }

func appendList[E any](b []byte, list []E, item func([]byte, E) []byte) []byte {
	b = append(b, '[')
	for i, value := range list {
		if i > 0 {
			b = append(b, ',')
		}
		b = item(b, value)
	}
	return append(b, ']')
}

// Texts is a field that shows and writes a list of strings.
func Texts[T any](name string, at func(*T) *[]string, options ...Option) Field[T] {
	return NewField(Param{Name: name, Type: Array, Items: &Param{Type: String}},
		func(_ *Encoding, b []byte, row *T) []byte { return appendTexts(b, *at(row)) },
		func(_ *Decoding, row *T, value any) error { *at(row) = stringsOf(value); return nil }, options...)
}

// TextOf is a read-only string worked out from the row.
func TextOf[T any](name string, text func(*Encoding, *T) string, options ...Option) Field[T] {
	return computed(Param{Name: name, Type: String}, text, AppendString, options...)
}

// IntOf is a read-only integer worked out from the row.
func IntOf[T any](name string, number func(*Encoding, *T) int64) Field[T] {
	return computed(Param{Name: name, Type: Integer}, number, AppendInt)
}

// FlagOf is a read-only truth value worked out from the row.
func FlagOf[T any](name string, flag func(*Encoding, *T) bool) Field[T] {
	return computed(Param{Name: name, Type: Boolean}, flag, AppendBool)
}

// IDsOf is a read-only list of ids worked out from the row.
func IDsOf[T any](name string, ids func(*Encoding, *T) []int64) Field[T] {
	return computed(Param{Name: name, Type: Array, Items: &Param{Type: Integer}}, ids, appendInts)
}

// Computed is a read-only field of any other type worked out from the row.
func Computed[T any](param Param, value func(*Encoding, *T) any) Field[T] {
	return computed(param, value, AppendAny)
}

func computed[T, V any](param Param, value func(*Encoding, *T) V, appendTo func([]byte, V) []byte, options ...Option) Field[T] {
	encode := func(e *Encoding, b []byte, row *T) []byte { return appendTo(b, value(e, row)) }
	return NewField(param, encode, nil, append(options, ReadOnly)...)
}

// Moment is a pair of fields for one moment: name in the shop's time zone (which is UTC) and name_gmt. Both are read only
// unless set is given.
func Moment[T any](name string, get func(*T) *time.Time, set func(*T, *time.Time)) []Field[T] {
	if set != nil {
		return []Field[T]{momentField(name, get, set), momentField(name+"_gmt", get, set)}
	}
	return ShownMoment(name, get, func(row *T, moment *time.Time) {
		if at := get(row); at != nil && moment != nil {
			*at = *moment
		}
	})
}

// ShownMoment is a read-only pair of fields for one moment, which need not be there; put restores it.
func ShownMoment[T any](name string, get func(*T) *time.Time, put func(*T, *time.Time)) []Field[T] {
	return []Field[T]{momentField(name, get, put, ReadOnly, As(DateTime)), momentField(name+"_gmt", get, put, ReadOnly, As(DateTime))}
}

func momentField[T any](name string, get func(*T) *time.Time, set func(*T, *time.Time), options ...Option) Field[T] {
	encode := func(e *Encoding, b []byte, row *T) []byte { return e.appendTime(b, get(row)) }
	return NewField(Param{Name: name, Type: String | Null}, encode, func(_ *Decoding, row *T, value any) error {
		text, _ := value.(string)
		if moment, ok := ParseTime(text); ok {
			set(row, &moment)
		} else if text == "" {
			set(row, nil)
		} else {
			return InvalidParams(Invalid{name, "rest_invalid_date_time", name + " is not a valid date-time."})
		}
		return nil
	}, options...)
}

// Layout is how moments are written: ISO 8601 without a zone.
const Layout = "2006-01-02T15:04:05"

// AppendTime appends a moment, or null.
func AppendTime(b []byte, moment *time.Time) []byte {
	if moment == nil {
		return append(b, "null"...)
	}
	b = append(b, '"')
	b = moment.UTC().AppendFormat(b, time.RFC3339) // which is quicker than any other layout, and differs from Layout by its last letter
	b[len(b)-1] = '"'
	return b
}

// appendTime appends a moment, or null.
func (e *Encoding) appendTime(b []byte, moment *time.Time) []byte {
	if moment == nil {
		return append(b, "null"...)
	}
	if last := &e.lastMoment; last.text == "" || !moment.Equal(last.at) {
		var room [2 * len(Layout)]byte
		*last = shownMoment{*moment, string(AppendTime(room[:0], moment))}
	}
	return append(b, e.lastMoment.text...)
}

// Nested is a field that holds an object. Only the keys that are sent are written.
func Nested[T, U any](name string, at func(*T) *U, inner *Record[U], options ...Option) Field[T] {
	return NewField(Param{Name: name, Type: Object, Fields: inner.Changes()},
		func(e *Encoding, b []byte, row *T) []byte { return inner.Encode(e, b, at(row)) },
		func(d *Decoding, row *T, value any) error { return inner.Decode(d, at(row), value.(Args)) }, options...)
}

// Rows is a field that holds a list of objects. decode makes the new list from what was sent; nil: read only.
func Rows[T, U any](name string, at func(*T) *[]U, inner *Record[U], decode func(*Decoding, *T, []Args) ([]U, error),
	options ...Option) Field[T] {
	param := Param{Name: name, Type: Array, Items: &Param{Type: Object, Fields: inner.Changes()}}
	encode := func(e *Encoding, b []byte, row *T) []byte {
		b = append(b, '[')
		list := *at(row)
		for i := range list {
			if i > 0 {
				b = append(b, ',')
			}
			b = inner.Encode(e, b, &list[i])
		}
		return append(b, ']')
	}
	if decode == nil {
		return RestoredRows(NewField(param, encode, nil, append(options, ReadOnly)...), at, inner)
	}
	return NewField(param, encode, func(d *Decoding, row *T, value any) error {
		list, err := decode(d, row, ObjectsOf(value))
		if err == nil {
			*at(row) = list
		}
		return err
	}, options...)
}

// Within is a field of a part of a row, which read finds. What is written goes to a copy of the part, which put gives to the row.
func Within[T, U any](field Field[U], read func(*T) *U, put func(*T, U)) Field[T] {
	writing := func(decode func(*Decoding, *U, any) error) func(*Decoding, *T, any) error {
		if decode == nil {
			return nil
		}
		return func(d *Decoding, row *T, value any) error {
			part := *read(row)
			if err := decode(d, &part, value); err != nil {
				return err
			}
			put(row, part)
			return nil
		}
	}
	return Field[T]{
		Param:   field.Param,
		Encode:  func(e *Encoding, b []byte, row *T) []byte { return field.Encode(e, b, read(row)) },
		Decode:  writing(field.Decode),
		Restore: writing(field.Restore),
		key:     field.key,
	}
}

// Fresh reads a list of objects into new values: what was there before is replaced.
func Fresh[T, U any](inner *Record[U]) func(*Decoding, *T, []Args) ([]U, error) {
	return func(d *Decoding, _ *T, sent []Args) ([]U, error) {
		list := make([]U, len(sent))
		for i, object := range sent {
			if err := inner.Decode(d, &list[i], object); err != nil {
				return nil, err
			}
		}
		return list, nil
	}
}
