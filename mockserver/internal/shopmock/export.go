package shopmock

// The export of a shop: all that it knows, as one JSON object.

import (
	"encoding/json"
	"io"
	"reflect"
	"strconv"
)

// Export writes each table as an object of its rows by id, and the settings as "Config".
func (s *Server) Export(w io.Writer) error {
	state := s.shop.Snapshot()
	out := map[string]any{"Config": state.Config}
	tables := reflect.ValueOf(&state).Elem()
	for i := range tables.NumField() {
		all := tables.Field(i).Addr().MethodByName("All")
		if !all.IsValid() {
			continue
		}
		rows := map[string]any{}
		for row := range all.Call(nil)[0].Seq() {
			rows[strconv.FormatInt(row.Elem().FieldByName("ID").Int(), 10)] = row.Interface()
		}
		out[tables.Type().Field(i).Name] = rows
	}
	return json.NewEncoder(w).Encode(out)
}
