package rest

import (
	"slices"

	"github.com/tidwall/gjson"

	"shopcheck/mockserver/internal/shop"
)

// MetaData is the field meta_data of a record: {id, key, value} with any JSON as value. Entries are changed by id,
// or by key when no id is sent; a null value removes one.
func MetaData[T any](at func(*T) *[]shop.Meta) Field[T] {
	entry := []Param{
		{Name: "id", Type: Integer, ReadOnly: false},
		{Name: "key", Type: String},
		{Name: "value", Type: String | Integer | Number | Boolean | Array | Object | Null},
	}
	return Restoring(NewField(Param{Name: "meta_data", Type: Array, Items: &Param{Type: Object, Fields: entry}},
		func(e *Encoding, b []byte, row *T) []byte { return appendMeta(b, e.meta.of(*at(row))) },
		func(d *Decoding, row *T, value any) error {
			*at(row) = mergeMeta(d, *at(row), ObjectsOf(value))
			return nil
		}), func(d *Decoding, row *T, shown any) (err error) {
		*at(row), err = shownMeta(d, shown)
		return err
	})
}

// shownMeta reads meta_data as a record shows it: entries keep their ids.
func shownMeta(d *Decoding, shown any) ([]shop.Meta, error) {
	objects, err := ShownObjects("meta_data", shown)
	list := make([]shop.Meta, len(objects))
	for i, object := range objects {
		list[i] = shop.Meta{ID: ShownID(object.Value("id")), Key: object.String("key"), Value: MetaText(object.Value("value"))}
		d.LastID.Meta = max(d.LastID.Meta, list[i].ID)
	}
	return list, err
}

// MetaFilters choose, by their keys, which entries of meta_data a list shows.
var MetaFilters = []Param{
	{
		Name:        "include_meta",
		Type:        Array,
		Items:       &Param{Type: String},
		Default:     []any{},
		Description: "Keys of meta_data: only these are shown.",
	},
	{Name: "exclude_meta", Type: Array, Items: &Param{Type: String}, Default: []any{}, Description: "Keys of meta_data that are left out."},
}

// metaChoice is what MetaFilters chose. Nil shows everything.
type metaChoice struct{ only, never []string }

func metaChoiceOf(args Args) *metaChoice {
	only, never := args.Strings("include_meta"), args.Strings("exclude_meta")
	if len(only)+len(never) == 0 {
		return nil
	}
	return &metaChoice{only, never}
}

// of returns those of the entries that are shown.
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
	list := newMetaList(old)
	for _, entry := range sent {
		id, key := entry.Int("id"), entry.String("key")
		at, known := list.find(id, key)
		switch {
		case entry.Has("value") && entry.Value("value") == nil:
			if known {
				list.gone[at] = true
			}
		case known:
			list.entries[at].Value = MetaText(entry.Value("value"))
			if key != "" {
				list.rename(at, key)
			}
		case key != "":
			list.add(shop.Meta{ID: d.NextMeta(), Key: key, Value: MetaText(entry.Value("value"))})
		}
	}
	return list.left()
}

// metaList is meta_data while it is changed, with what finds an entry among many thousands.
type metaList struct {
	entries []shop.Meta
	gone    map[int]bool     // by place in entries
	byID    map[int64]int    // → place
	byKey   map[string][]int // → places in their order; some may be gone, or have another key by now
}

func newMetaList(old []shop.Meta) *metaList {
	list := &metaList{gone: map[int]bool{}, byID: map[int64]int{}, byKey: map[string][]int{}}
	for _, entry := range old {
		list.add(entry)
	}
	return list
}

func (l *metaList) add(entry shop.Meta) {
	at := len(l.entries)
	l.entries = append(l.entries, entry)
	l.byID[entry.ID] = at
	l.byKey[entry.Key] = append(l.byKey[entry.Key], at)
}

// find returns the place of the entry with an id or, when that is 0, of the first one with a key.
func (l *metaList) find(id int64, key string) (at int, known bool) {
	if id != 0 {
		at, known = l.byID[id]
		return at, known && !l.gone[at]
	}
	places := l.byKey[key]
	for len(places) > 0 && (l.gone[places[0]] || l.entries[places[0]].Key != key) {
		places = places[1:]
	}
	l.byKey[key] = places
	if len(places) == 0 {
		return 0, false
	}
	return places[0], true
}

func (l *metaList) rename(at int, key string) {
	if l.entries[at].Key == key {
		return
	}
	l.entries[at].Key = key
	place, _ := slices.BinarySearch(l.byKey[key], at)
	l.byKey[key] = slices.Insert(l.byKey[key], place, at)
}

func (l *metaList) left() []shop.Meta {
	kept := l.entries[:0]
	for at, entry := range l.entries {
		if !l.gone[at] {
			kept = append(kept, entry)
		}
	}
	return kept
}

// MetaText returns the value of a meta entry as JSON text.
func MetaText(value any) string {
	text := string(AppendAny(nil, value))
	if !gjson.Valid(text) {
		return `""`
	}
	return text
}
