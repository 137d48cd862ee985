package contract

// The documented shape of a record: a tree of fields that matchers walk, that requirements are made from
// and that defects are generated from.

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"shopcheck/reports"
)

// Kind is a JSON type as the contract uses the word.
type Kind string

const (
	String  Kind = "string"
	Integer Kind = "integer" // a JSON number without a fraction
	Number  Kind = "number"
	Boolean Kind = "boolean"
	Object  Kind = "object"
	Array   Kind = "array"
)

// Format narrows a string further.
type Format string

const (
	Plain        Format = ""
	ISO8601      Format = "iso8601"       // a date, or a date and a time
	UTC          Format = "iso8601-utc"   // the same in UTC: an offset of another place contradicts the field's name
	DecimalMoney Format = "money-decimal" // "12.50": decimal currency units
	MinorMoney   Format = "money-minor"   // "1250": an integer count of the smallest currency unit
	MD5          Format = "md5"
	URL          Format = "url"
	Email        Format = "email"
	CurrencyCode Format = "currency-code" // ISO 4217
	CountryCode  Format = "country-code"  // ISO 3166-1 alpha-2
	RateID       Format = "rate-id"       // <method_id>:<instance_id>
)

// Field is one documented member of a record.
type Field struct {
	Name     string
	Kind     Kind
	Level    reports.Level // must, or should where only a sample response shows the field
	Nullable bool          // null may stand in place of the value
	Blank    bool          // "" may stand in place of a formatted string or of an enum member
	Optional bool          // the field may be absent; it is checked where it is present
	Absent   bool          // the contract says that the record does not have the field
	Enum     []string      // the allowed values; empty: any
	Open     bool          // Enum names known values only: others are fine
	Format   Format
	Items    Kind   // for arrays of scalars: the kind of each
	Shape    *Shape // for objects: their members; for arrays: the members of each item
}

// Shape is the documented form of one kind of record.
type Shape struct {
	// ID starts the ids of its field requirements (product → product.field.sku). An inline shape has none:
	// its fields belong to the record that holds it (order.field.billing.city).
	ID      string
	Title   string // how people call the record: "product", "cart item"
	Section string
	Feature string
	Fields  []Field

	placed sync.Once
	places []Place // made by Places
}

// Place is one field of a shape, seen from the outermost record.
type Place struct {
	Path        string // gjson path with # for every array item: line_items.#.price
	Requirement string // the id of the field's requirement
	Field       Field
	Owner       *Shape  // the shape with an id that the requirement belongs to
	Inner       []Place // the fields of the field's own shape

	number *atomic.Int32 // of the requirement in the catalogue, from 1; 0: nobody has asked
}

// Places are the fields of the shape as the outermost record, in its order. They are worked out once: each answer that passes by
// is compared with them.
func (s *Shape) Places() []Place {
	s.placed.Do(func() { s.places = s.placesIn("", s.ID+".field", s) })
	return s.places
}

func (s *Shape) placesIn(path, prefix string, owner *Shape) []Place {
	places := make([]Place, len(s.Fields))
	for n, f := range s.Fields {
		place := Place{Path: JoinPath(path, f.Name), Requirement: prefix + "." + f.Name, Field: f, Owner: owner, number: new(atomic.Int32)}
		if f.Shape != nil {
			inner := place.Path
			if f.Kind == Array {
				inner += ".#"
			}
			innerPrefix, innerOwner := f.Shape.scope(place.Requirement, owner)
			place.Inner = f.Shape.placesIn(inner, innerPrefix, innerOwner)
		}
		places[n] = place
	}
	return places
}

// Walk calls visit for every field of the shape and of the shapes inside it, outermost first.
func (s *Shape) Walk(visit func(Place)) { walk(s.Places(), visit) }

func walk(places []Place, visit func(Place)) {
	for _, place := range places {
		visit(place)
		walk(place.Inner, visit)
	}
}

// scope tells under which prefix and owner the fields of an inner shape are filed.
func (s *Shape) scope(prefix string, owner *Shape) (string, *Shape) {
	if s.ID == "" {
		return prefix, owner
	}
	return s.ID + ".field", s
}

// Requirements makes one requirement for each field that the shape itself owns. Inner shapes with an id of
// their own are declared on their own.
func (s *Shape) Requirements() []Requirement {
	var list []Requirement
	s.walkOwn(func(p Place) { list = append(list, p.requirement()) })
	return list
}

// RequirementIDs lists the ids of the shape's own field requirements.
func (s *Shape) RequirementIDs() []string {
	var ids []string
	s.walkOwn(func(p Place) { ids = append(ids, p.Requirement) })
	return ids
}

func (s *Shape) walkOwn(visit func(Place)) {
	s.Walk(func(p Place) {
		if p.Owner == s {
			visit(p)
		}
	})
}

func (p Place) requirement() Requirement {
	return Requirement{
		ID:      p.Requirement,
		Level:   p.Field.Level,
		Section: p.Owner.Section,
		Statement: fmt.Sprintf("In %s, %s is %s.", p.Owner.Called(),
			strings.ReplaceAll(p.Path, ".#", "[]"), p.Field.Describe()),
		Feature: p.Owner.Feature,
	}
}

// Describe says in words what the field's value is.
func (f Field) Describe() string {
	if f.Absent {
		return "not there"
	}
	words := article(string(f.Kind))
	if f.Kind == Array && f.Items != "" {
		words += " of " + string(f.Items) + "s"
	}
	if phrase, ok := formatPhrases()[f.Format]; ok {
		words = phrase
	}
	if len(f.Enum) > 0 && !f.Open {
		words += " (one of " + strings.Join(f.Enum, ", ") + ")"
	}
	if f.Blank && (f.Format != Plain || len(f.Enum) > 0) {
		words += " or an empty string"
	}
	if f.Nullable {
		words += " or null"
	}
	if f.Optional {
		words += ", where it is present"
	}
	return words
}

func formatPhrases() map[Format]string {
	return map[Format]string{
		ISO8601:      "an ISO 8601 date string",
		UTC:          "an ISO 8601 date string",
		DecimalMoney: "a string with a decimal amount",
		MinorMoney:   "a string with an integer count of the smallest currency unit",
		MD5:          "a string with an MD5 hash",
		URL:          "a string with a URL",
		Email:        "a string with an e-mail address",
		CurrencyCode: "a string with an ISO 4217 currency code",
		CountryCode:  "a string with an ISO 3166-1 alpha-2 country code",
		RateID:       "a string of the form <method_id>:<instance_id>",
	}
}

func article(noun string) string {
	if strings.ContainsAny(noun[:1], "aeiou") {
		return "an " + noun
	}
	return "a " + noun
}

// JoinPath is the path of a field of the record at a path; the path of the whole record is empty.
func JoinPath(path, name string) string {
	if path == "" {
		return name
	}
	return path + "." + name
}

// The vocabulary in which shapes are written. Every function returns new fields; none changes its argument.

func fields(lists ...[]Field) []Field { return slices.Concat(lists...) }

func each(kind Kind, names ...string) []Field {
	list := make([]Field, len(names))
	for i, name := range names {
		list[i] = Field{Name: name, Kind: kind, Level: reports.Must}
	}
	return list
}

func strs(names ...string) []Field     { return each(String, names...) }
func integers(names ...string) []Field { return each(Integer, names...) }
func numbers(names ...string) []Field  { return each(Number, names...) }
func booleans(names ...string) []Field { return each(Boolean, names...) }
func arrays(names ...string) []Field   { return each(Array, names...) }
func objects(names ...string) []Field  { return each(Object, names...) }

func object(name string, shape *Shape) []Field {
	return []Field{{Name: name, Kind: Object, Level: reports.Must, Shape: shape}}
}

func list(name string, shape *Shape) []Field {
	return []Field{{Name: name, Kind: Array, Level: reports.Must, Shape: shape}}
}

func scalars(name string, items Kind) []Field {
	return []Field{{Name: name, Kind: Array, Level: reports.Must, Items: items}}
}

func inline(lists ...[]Field) *Shape { return &Shape{Fields: fields(lists...)} }

func change(list []Field, edit func(*Field)) []Field {
	out := slices.Clone(list)
	for i := range out {
		edit(&out[i])
	}
	return out
}

func formatted(format Format, names ...string) []Field {
	return change(strs(names...), func(f *Field) { f.Format = format })
}

func enum(name string, values ...string) []Field {
	return change(strs(name), func(f *Field) { f.Enum = values })
}

func nullable(list []Field) []Field { return change(list, func(f *Field) { f.Nullable = true }) }
func blank(list []Field) []Field    { return change(list, func(f *Field) { f.Blank = true }) }
func optional(list []Field) []Field { return change(list, func(f *Field) { f.Optional = true }) }
func open(list []Field) []Field     { return change(list, func(f *Field) { f.Open = true }) }

// absent are fields that an object does not have, as the contract says. As records may have more than is documented, they are no more
// than a should where they do no harm.
func absent(level reports.Level, names ...string) []Field {
	return change(strs(names...), func(f *Field) { f.Absent, f.Optional, f.Level = true, true, level })
}

// sample marks fields that only a sample response shows, whatever is inside them.
func sample(list []Field) []Field {
	return change(list, func(f *Field) {
		f.Level = reports.Should
		if f.Shape != nil && f.Shape.ID == "" {
			f.Shape = &Shape{Fields: sample(f.Shape.Fields)}
		}
	})
}

// Called is the title with its article: "a product", "an order".
func (s *Shape) Called() string {
	if strings.ContainsRune("aeiou", rune(s.Title[0])) {
		return "an " + s.Title
	}
	return "a " + s.Title
}

// IsField reports whether an id is that of a field's requirement.
func IsField(id string) bool {
	_, rest, _ := strings.Cut(id, ".")
	return strings.HasPrefix(rest, "field.")
}
