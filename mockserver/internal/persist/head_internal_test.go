package persist

import (
	"reflect"
	"testing"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/google/go-cmp/cmp"

	"shopcheck/mockserver/internal/shop"
)

// A head that is read is the one that was written, in each of its fields.
func TestTheHeadIsWrittenWhole(t *testing.T) {
	t.Parallel()
	want := head{Config: []byte(`{"Title":"\u00e9"}`), About: []byte(`{"a":[1,2]}`),
		Identity: Identity{Secret: []byte("secret"), Starts: 3, Resets: 4, SignedUntil: time.Unix(1e9, 5).UTC()},
		Rows:     counts{{"products", 5}, {outboxTable, 0}}}
	for _, numbers := range []reflect.Value{reflect.ValueOf(&want).Elem(), reflect.ValueOf(&want.LastID).Elem()} {
		for i := range numbers.NumField() {
			if field := numbers.Field(i); field.CanInt() {
				field.SetInt(-int64(i) - 1)
			} else if field.CanUint() {
				field.SetUint(1 << 60)
			}
		}
	}
	for _, one := range []head{want, {Identity: Identity{Secret: []byte{}}}} {
		text, err := one.encoded()
		var got head
		if err == nil {
			err = json.Unmarshal(text, &got)
		}
		if err != nil {
			t.Fatal(err)
		}
		rows := func(c counts) map[string]int {
			all := map[string]int{}
			for _, table := range c {
				all[table.table] = table.rows
			}
			return all
		}
		if diff := cmp.Diff(rows(one.Rows), rows(got.Rows)); diff != "" {
			t.Error(diff)
		}
		one.Rows, got.Rows = nil, nil
		if diff := cmp.Diff(one, got, cmp.AllowUnexported(shop.IDs{})); diff != "" {
			t.Error(diff)
		}
	}
}
