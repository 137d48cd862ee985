package rest

import (
	"errors"
	"net/http/httptest"
	"reflect"
	"strings"
	"testing"
)

func TestQueryNamesBecomeATree(t *testing.T) {
	for query, want := range map[string]Args{
		"":                         nil,
		"a=1":                      {{"a", "1"}},
		"a=1&a=2":                  {{"a", "2"}},
		"a[]=1&a[]=2":              {{"a", Args{{"0", "1"}, {"1", "2"}}}},
		"a%5B%5D=1":                {{"a", Args{{"0", "1"}}}},
		"a[1]=1&a[]=2":             {{"a", Args{{"1", "1"}, {"2", "2"}}}},
		"a[2]=1&a[]=2&a[]=3&a[]=4": {{"a", Args{{"1", "2"}, {"2", "1"}, {"3", "3"}, {"4", "4"}}}},
		"a[]=1&b[]=2&a[]=3&b[c][]=4&b[c][]=5": {{"a", Args{{"0", "1"}, {"1", "3"}}},
			{"b", Args{{"0", "2"}, {"c", Args{{"0", "4"}, {"1", "5"}}}}}},
		"a[][b]=1&a[][b]=2": {{"a", Args{{"0", Args{{"b", "1"}}}, {"1", Args{{"b", "2"}}}}}},
		"a[b]=1&a=2":        {{"a", "2"}},
		"a=2&a[b]=1":        {{"a", Args{{"b", "1"}}}},
		"a[0]=1&a[1]=2":     {{"a", Args{{"0", "1"}, {"1", "2"}}}},
		"a[b]=1&a[c]=2":     {{"a", Args{{"b", "1"}, {"c", "2"}}}},
		"a[b][c]=1":         {{"a", Args{{"b", Args{{"c", "1"}}}}}},
		"a[b][]=1&a[b][]=2": {{"a", Args{{"b", Args{{"0", "1"}, {"1", "2"}}}}}},
		"[b]=1":             {{"[b]", "1"}},
		"a[=1":              {{"a[", "1"}},
		"a[b]c=1":           {{"a[b]c", "1"}},
		"a[b][c][d][e][f][g][h]=1": {{"a", Args{{"b", Args{{"c", Args{{"d",
			Args{{"e", Args{{"f", Args{{"g", Args{{"h", "1"}}}}}}}}}}}}}}}},
		"a" + strings.Repeat("[b]", 40) + "=1": {},
	} {
		got, err := parseQuery(query)
		if err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %#v (%v), want %#v", query, got, err, want)
		}
	}
	if _, err := parseQuery("a=%zz"); err == nil {
		t.Error("a broken escape is accepted")
	}
}

func TestBodiesAreJSONOrForms(t *testing.T) {
	for _, c := range []struct{ kind, body, want string }{
		{"application/json", `{"a":1}`, ""},
		{"", `{"a":1}`, ""},
		{"text/plain", ` {"a":1} `, ""},
		{"application/x-www-form-urlencoded", `a=1`, ""},
		{"application/x-www-form-urlencoded; charset=utf-8", `{"a":1}`, ""},
		{"multipart/form-data; boundary=XX", "--XX\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\n1\r\n--XX--\r\n", ""},
		{"multipart/form-data; boundary=XX", "--XX\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\n1", "rest_invalid_param"},
		{"multipart/form-data; boundary=YY", "--XX\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\n1\r\n--XX--\r\n",
			"rest_invalid_param"},
		{"multipart/form-data", "--XX--\r\n", "rest_invalid_param"},
		{"application/json", ``, "none"},
		{"application/json", `{"a":`, "rest_invalid_json"},
		{"application/json", `"a"`, "rest_invalid_json"},
		{"application/json", `{"a":1} {"b":2}`, "rest_invalid_json"},
		{"application/json", `{"a":"` + strings.Repeat("x", MaxBody) + `"}`, "shop_rest_request_entity_too_large"},
	} {
		request := httptest.NewRequest("POST", "/", strings.NewReader(c.body))
		request.Header.Set("Content-Type", c.kind)
		body, err := readBody(httptest.NewRecorder(), request)
		var refused *Error
		switch {
		case c.want == "" && (err != nil || !body.Has("a")),
			c.want == "none" && (err != nil || body != nil),
			strings.Contains(c.want, "_") && (!errors.As(err, &refused) || refused.Code != c.want):
			t.Errorf("%s %.40s: %v, %v", c.kind, c.body, body, err)
		}
	}
}

func TestParametersAreCheckedInOrder(t *testing.T) {
	params := []Param{
		{Name: "id", Type: Integer}, {Name: "name", Type: String, Required: true}, {Name: "n", Type: Integer, Default: int64(3)},
		{Name: "made", Type: String, ReadOnly: true}, {Name: "none", Type: Integer | Null},
		{Name: "ids", Type: Array, Items: &Param{Type: Integer}},
	}
	for _, c := range []struct {
		name       string
		in         input
		path       map[string]string
		want       Args
		code, data string
	}{
		{name: "the body wins over the query, the path over both",
			in:   input{query: Args{{"name", "q"}, {"id", "1"}}, body: Args{{"name", "b"}, {"id", 2.0}}},
			path: map[string]string{"id": "3"}, want: Args{{"id", int64(3)}, {"name", "b"}, {"n", int64(3)}}},
		{name: "read-only and unknown names are left out", in: input{body: Args{{"name", "b"}, {"made", 1.0}, {"other", 1.0}}},
			want: Args{{"name", "b"}, {"n", int64(3)}}},
		{name: "what is missing is said before what is wrong", in: input{body: Args{{"n", "x"}}}, code: "rest_missing_callback_param",
			data: "[name]"},
		{name: "null is absent", in: input{body: Args{{"name", nil}, {"n", nil}}}, code: "rest_missing_callback_param", data: "[name]"},
		{name: "null leaves the default, and what the query says",
			in:   input{query: Args{{"name", "q"}}, body: Args{{"name", nil}, {"n", nil}}},
			want: Args{{"name", "q"}, {"n", int64(3)}}},
		{name: "null is a value where it is declared", in: input{query: Args{{"none", "7"}}, body: Args{{"name", "b"}, {"none", nil}}},
			want: Args{{"name", "b"}, {"none", nil}, {"n", int64(3)}}},
		{name: "null inside is checked", in: input{body: Args{{"name", "b"}, {"ids", []any{nil}}}}, code: "rest_invalid_param",
			data: "ids"},
		{name: "all that is wrong is named", in: input{body: Args{{"name", 1.0}, {"n", "x"}}}, code: "rest_invalid_param", data: "name"},
	} {
		got, err := newChecklist(params).validate(c.in, c.path)
		if c.code == "" {
			if err != nil || !reflect.DeepEqual(got, c.want) {
				t.Errorf("%s: %v (%v), want %v", c.name, got, err, c.want)
			}
			continue
		}
		var refused *Error
		if !errors.As(err, &refused) || refused.Code != c.code || refused.Status != 400 ||
			!strings.Contains(string(refused.Encode(nil)), strings.Trim(c.data, "[]")) {
			t.Errorf("%s: %v", c.name, err)
		}
	}
}
