package shop

// Rows as they were kept elsewhere, put into a state.

import (
	"errors"
	"fmt"
	"reflect"

	"shopcheck/mockserver/internal/state"
)

// sequenceOf names the field of IDs that the ids of a table come from.
var sequenceOf = map[string]string{
	"Products": "Post", "Variations": "Post", "Orders": "Post", "Coupons": "Post", "Terms": "Term", "Attributes": "Attribute",
	"Notes":     "Note",
	"Customers": "Customer", "Keys": "Key", "TaxRates": "TaxRate", "TaxClasses": "TaxClass", "Zones": "Zone", "Methods": "Method",
	"Gateways": "Gateway", "Carts": "Cart", "Webhooks": "Webhook", "Reviews": "Review",
}

// zonesTable has a row without a number: the rest of the world.
const zonesTable = "Zones"

// IsTable reports whether a state has a table of a name: "Products".
func IsTable(name string) bool { return sequenceOf[name] != "" }

// Load puts a row as it is into a table, under the id that it must have. decode fills it.
func (tx *Tx) Load(table string, id int64, decode func(row any) error) error {
	put := reflect.ValueOf(tx.State).Elem().FieldByName(table).Addr().MethodByName("Put")
	row := reflect.New(put.Type().In(1).Elem())
	if err := decode(row.Interface()); err != nil {
		return err
	}
	if own := row.Elem().FieldByName("ID").Int(); own != id || id < 0 || id == 0 && table != zonesTable {
		return fmt.Errorf("the row has the id %d, which cannot be here", own)
	}
	if memo := row.Elem().FieldByName("Memo"); memo.IsValid() {
		memo.Set(reflect.ValueOf(new(Memo)))
	}
	last := reflect.ValueOf(&tx.LastID).Elem().FieldByName(sequenceOf[table])
	last.SetInt(max(last.Int(), id))
	if err, _ := put.Call([]reflect.Value{reflect.ValueOf(tx.rows), row})[0].Interface().(error); err != nil {
		return errors.New("another row has the same " + err.Error())
	}
	return nil
}

// DropKey takes an API key away, if there is one of this name.
func (tx *Tx) DropKey(name string) {
	if key, known := Keys.Key.Find(&tx.Keys, name); known {
		tx.Keys.Delete(tx.rows, key.ID)
	}
}

// Fill puts rows that ascend by id into a table that is empty, as they were in another state.
func Fill[R state.Row](tx *Tx, table *state.Table[R], rows []R) error {
	all := make([]state.Row, len(rows))
	for i, row := range rows {
		all[i] = row
	}
	return table.Fill(tx.rows, all)
}
