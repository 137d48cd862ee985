package shop

import (
	"reflect"
	"testing"
)

// TestTheBasisHasAllTables puts another table in place of each one of a state: the basis tells the two apart, but for carts.
func TestTheBasisHasAllTables(t *testing.T) {
	t.Parallel()
	config := &Config{}
	before, other := NewState(config), NewState(config)
	tables := reflect.TypeFor[State]()
	for i := range tables.NumField() {
		changed := before
		place := reflect.ValueOf(&changed).Elem().Field(i)
		place.Set(reflect.ValueOf(other).Field(i))
		if _, versioned := place.Addr().Interface().(interface{ Version() uint64 }); !versioned {
			continue
		}
		same := View{State: &changed}.Basis() == View{State: &before}.Basis()
		if name := tables.Field(i).Name; same != (name == "Carts") {
			t.Errorf("with other %s the basis is the same: %v", name, same)
		}
	}
	changed := before
	if changed.Config = (&Config{}); (View{State: &changed}).Basis() == (View{State: &before}).Basis() {
		t.Error("with other settings the basis is the same")
	}
}
