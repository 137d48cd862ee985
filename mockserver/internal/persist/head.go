package persist

import (
	"reflect"
	"strconv"
	"sync"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"shopcheck/mockserver/internal/shop"
)

// head is what is kept besides rows. It is written with every commit.
type head struct {
	Format    int
	Identity  Identity
	Version   uint64
	Config    jsontext.Value // nothing: as it is below
	LastID    shop.IDs
	CartBytes int64
	LastOwed  int64          // the newest id of the outbox, be its row there or gone
	Rows      counts         // by table, the outbox among them: rows that got lost are missed
	About     jsontext.Value // what else is to be known of the shop
}

// idNames are the names of the fields of shop.IDs.
var idNames = sync.OnceValue(func() (names []string) {
	for _, field := range reflect.VisibleFields(reflect.TypeFor[shop.IDs]()) {
		names = append(names, field.Name)
	}
	return names
})

// encoded writes the head. It is appended, not encoded by reflection: that took as long as the row.
func (h *head) encoded() ([]byte, error) {
	identity, err := json.Marshal(h.Identity, options)
	text := make([]byte, 0, 1024+len(h.Config)+len(h.About))
	text = strconv.AppendInt(append(text, `{"Format":`...), int64(h.Format), 10)
	text = append(append(text, `,"Identity":`...), identity...)
	text = strconv.AppendUint(append(text, `,"Version":`...), h.Version, 10)
	text = appendValue(text, `,"Config":`, h.Config)
	ids := reflect.ValueOf(h.LastID)
	text = append(text, `,"LastID":{`...)
	for i, name := range idNames() {
		text = appendNumber(text, name, ids.Field(i).Int())
	}
	text = strconv.AppendInt(append(text, `},"CartBytes":`...), h.CartBytes, 10)
	text = strconv.AppendInt(append(text, `,"LastOwed":`...), h.LastOwed, 10)
	text = append(text, `,"Rows":{`...)
	for _, one := range h.Rows {
		text = appendNumber(text, one.table, int64(one.rows))
	}
	text = appendValue(append(text, '}'), `,"About":`, h.About)
	return append(text, '}'), err
}

// appendValue appends a member, if there is a value.
func appendValue(text []byte, name string, value jsontext.Value) []byte {
	if len(value) == 0 {
		return text
	}
	return append(append(text, name...), value...)
}

// appendNumber appends a member of an object that has been begun. Its name needs no escapes.
func appendNumber(text []byte, name string, number int64) []byte {
	if text[len(text)-1] != '{' {
		text = append(text, ',')
	}
	text = append(append(append(text, '"'), name...), `":`...)
	return strconv.AppendInt(text, number, 10)
}
