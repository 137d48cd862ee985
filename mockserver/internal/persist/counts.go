package persist

import (
	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// counts are the numbers of rows of tables, an object in JSON.
type counts []count

type count struct {
	table string
	rows  int
}

// of returns the number of rows of a table, 0 where it is not known.
func (c counts) of(table string) int {
	for _, one := range c {
		if one.table == table {
			return one.rows
		}
	}
	return 0
}

// UnmarshalJSONFrom implements json.UnmarshalerFrom.
func (c *counts) UnmarshalJSONFrom(in *jsontext.Decoder) error {
	var all map[string]int
	if err := json.UnmarshalDecode(in, &all); err != nil {
		return err
	}
	for table, rows := range all {
		*c = append(*c, count{table, rows})
	}
	return nil
}
