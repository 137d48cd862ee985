package rest

import (
	"slices"

	"github.com/tidwall/gjson"

	"shopcheck/mockserver/shop"
)

// MetaData is the field meta_data of a record: {id, key, value} with any JSON as value. Entries are changed by id,
// or by key when no id is sent; a null value removes one.
func MetaData[T any](at func(*T) *[]shop.Meta) Field[T] {
	entry := []Param{
		{Name: "id", Type: Integer, ReadOnly: false},
		{Name: "key", Type: String},
		{Name: "value", Type: String | Integer | Number | Boolean | Array | Object | Null},
	}
	return NewField(Param{Name: "meta_data", Type: Array, Items: &Param{Type: Object, Fields: entry}},
		func(e *Encoding, b []byte, row *T) []byte { return appendMeta(b, e.meta.of(*at(row))) },
		func(d *Decoding, row *T, value any) error {
			*at(row) = mergeMeta(d, *at(row), Args{"list": value}.Objects("list"))
			return nil
		})
}

// MetaFilters choose, by their keys, which entries of meta_data a list shows.
var MetaFilters = []Param{
	{Name: "include_meta", Type: Array, Items: &Param{Type: String}, Default: []any{}, Description: "Keys of meta_data: only these are shown."},
	{Name: "exclude_meta", Type: Array, Items: &Param{Type: String}, Default: []any{}, Description: "Keys of meta_data that are left out."},
}

// metaChoice is what MetaFilters chose. Nil shows everything.
type metaChoice struct{ only, never []string }

func metaChoiceOf(args Args) *metaChoice {
	choice := metaChoice{args.Strings("include_meta"), args.Strings("exclude_meta")}
	if len(choice.only)+len(choice.never) == 0 {
		return nil
	}
	return &choice
}

// of gives those of the entries that are shown.
func (c *metaChoice) of(entries []shop.Meta) []shop.Meta {
	if c == nil {
		return entries
	}
	return slices.DeleteFunc(slices.Clone(entries), func(m shop.Meta) bool {
		return len(c.only) > 0 && !slices.Contains(c.only, m.Key) || slices.Contains(c.never, m.Key)
	})
}

func appendMeta(b []byte, entries []shop.Meta) []byte {
	b = append(b, '[')
	for i, entry := range entries {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(b, `{"id":`...)
		b = AppendInt(b, entry.ID)
		b = append(b, `,"key":`...)
		b = AppendString(b, entry.Key)
		b = append(b, `,"value":`...)
		b = append(b, entry.Value...)
		b = append(b, '}')
	}
	return append(b, ']')
}

func mergeMeta(d *Decoding, old []shop.Meta, sent []Args) []shop.Meta {
	merged := slices.Clone(old)
	for _, entry := range sent {
		at := slices.IndexFunc(merged, func(m shop.Meta) bool {
			return m.ID == entry.Int("id") || entry.Int("id") == 0 && m.Key == entry.String("key")
		})
		switch {
		case entry.Has("value") && entry["value"] == nil:
			if at >= 0 {
				merged = slices.Delete(merged, at, at+1)
			}
		case at >= 0:
			merged[at].Value = MetaText(entry["value"])
			if key := entry.String("key"); key != "" {
				merged[at].Key = key
			}
		case entry.String("key") != "":
			merged = append(merged, shop.Meta{ID: d.NextMeta(), Key: entry.String("key"), Value: MetaText(entry["value"])})
		}
	}
	return merged
}

// MetaText gives the value of a meta entry as JSON text.
func MetaText(value any) string {
	text := string(AppendAny(nil, value))
	if !gjson.Valid(text) {
		return `""`
	}
	return text
}
