package rest

import (
	"fmt"
	"testing"
)

func TestValuesAreReadAsTheirDeclaredType(t *testing.T) {
	list := Param{Type: Array, Items: &Param{Type: Integer}}
	object := Param{Type: Object, Fields: []Param{{Name: "n", Type: Integer}, {Name: "ro", Type: Integer, ReadOnly: true},
		{Name: "must", Type: String, Required: true}}}
	for _, c := range []struct {
		param Param
		value any
		want  string // of the canonical value, or the code of the refusal
	}{
		{Param{Type: String}, "x", "x"},
		{Param{Type: String}, 7.0, "rest_invalid_type"},
		{Param{Type: String}, true, "rest_invalid_type"},
		{Param{Type: String}, nil, "rest_invalid_type"},
		{Param{Type: String | Null}, nil, "<nil>"},
		{Param{Type: String, Enum: []string{"a", "b"}}, "b", "b"},
		{Param{Type: String, Enum: []string{"a", "b"}}, "c", "rest_not_in_enum"},
		{Param{Type: String, Min: Bound(2)}, "x", "rest_too_short"},
		{Param{Type: Integer}, "12", "12"},
		{Param{Type: Integer}, 12.0, "12"},
		{Param{Type: Integer}, 1.5, "rest_invalid_type"},
		{Param{Type: Integer}, 1e300, "rest_invalid_type"},
		{Param{Type: Integer}, "9999999999999999999", "rest_invalid_type"},
		{Param{Type: Integer}, "", "rest_invalid_type"},
		{Param{Type: Integer}, true, "rest_invalid_type"},
		{Param{Type: Integer | Null}, "", "<nil>"},
		{Param{Type: Integer, Min: Bound(1)}, "0", "rest_out_of_bounds"},
		{Param{Type: Integer, Max: Bound(9)}, 10.0, "rest_out_of_bounds"},
		{Param{Type: Integer, Min: Bound(1), Max: Bound(9)}, "9", "9"},
		{Param{Type: Number}, "1.25", "1.25"},
		{Param{Type: Number}, "NaN", "rest_invalid_type"},
		{Param{Type: Number}, "1e999", "rest_invalid_type"},
		{Param{Type: Boolean}, "true", "true"},
		{Param{Type: Boolean}, "0", "false"},
		{Param{Type: Boolean}, 1.0, "true"},
		{Param{Type: Boolean}, 2.0, "rest_invalid_type"},
		{Param{Type: Boolean}, "maybe", "rest_invalid_type"},
		{list, "1,2 3", "[1 2 3]"},
		{list, []any{"1", 2.0}, "[1 2]"},
		{list, Args{{"1", "8"}, {"0", "7"}}, "[7 8]"},
		{list, Args{{"10", "9"}, {"2", "7"}}, "[7 9]"}, {list, Args{{"0", "7"}, {"a", "9"}}, "rest_invalid_type"},
		{list, "1,x", "rest_invalid_type"},
		{list, "", "[]"},
		{list, 7.0, "rest_invalid_type"},
		{Param{Type: Array, Max: Bound(1)}, "1,2", "rest_too_many_items"},
		{object, Args{{"n", "5"}, {"ro", "nonsense"}, {"must", "m"}, {"unknown", 1.0}}, "[{n 5} {must m}]"},
		{object, Args{{"n", "x"}, {"must", "m"}}, "rest_invalid_type"},
		{object, Args{{"n", "5"}}, "rest_property_required"},
		{object, "text", "rest_invalid_type"},
		{Param{Type: Object}, []any{}, "[]"},
		{Param{Type: Object}, []any{"x"}, "rest_invalid_type"},
		{Param{Type: String, Format: DateTime}, "2026-03-01T12:00:00Z", "2026-03-01T12:00:00Z"},
		{Param{Type: String, Format: DateTime}, "2026-03-01", "2026-03-01"},
		{Param{Type: String, Format: DateTime}, "2026-13-01", "rest_invalid_date_time"},
		{Param{Type: String, Format: DateTime}, "9999-12-31T23:59:59-12:00", "rest_invalid_date_time"},
		{Param{Type: String, Format: DateTime}, "0000-01-01T00:00:00+12:00", "rest_invalid_date_time"},
		{Param{Type: String, Format: Day}, "2026-02-29", "rest_invalid_date"},
		{Param{Type: String, Format: Email}, "ann@shop.example", "ann@shop.example"},
		{Param{Type: String, Format: Email}, "Ann <ann@shop.example>", "rest_invalid_email"},
		{Param{Type: String, Format: Email}, "ann@shop", "rest_invalid_email"},
		{Param{Type: String, Format: Email}, "", ""},
		{Param{Type: String, Format: URI}, "http://a\x7f", "rest_invalid_uri"},
	} {
		value, fault := c.param.check("p", c.value)
		got := fmt.Sprint(value)
		if fault != nil {
			got = fault.Code
			if fault.Reason == "" || fault.Param == "" {
				t.Errorf("%v as %v: the refusal does not say why", c.value, c.param.Type.Names())
			}
		}
		if got != c.want {
			t.Errorf("%#v as %v: %s, want %s", c.value, c.param.Type.Names(), got, c.want)
		}
	}
}

func TestARefusalNamesThePlaceInsideTheValue(t *testing.T) {
	lines := Param{Type: Array, Items: &Param{Type: Object, Fields: []Param{{Name: "quantity", Type: Integer}}}}
	_, fault := lines.check("line_items", []any{Args{{"quantity", 1.0}}, Args{{"quantity", "many"}}})
	if fault == nil || fault.Param != "line_items[1][quantity]" {
		t.Errorf("fault: %+v", fault)
	}
}
