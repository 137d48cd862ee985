package storeapi

// What the endpoints of the catalogue have in common.

import (
	"net/http"
	"strconv"
	"strings"

	"shopcheck/mockserver/internal/rest"
)

// reading are the parameters of everything that shows records, and more.
func reading(more ...rest.Param) []rest.Param {
	return append([]rest.Param{rest.ContextParam}, more...)
}

var idItems = &rest.Param{Type: rest.Integer}

// ordered says in which direction a list goes unless it is asked otherwise.
func ordered(fallback string) rest.Param {
	return rest.Param{
		Name: "order", Type: rest.String, Enum: []string{"asc", "desc"}, Default: fallback, Description: "The direction of the order.",
	}
}

// textsOf reads a parameter that is a list of texts, or one text with commas.
func textsOf(args rest.Args, name string) []string {
	if list := args.List(name); list != nil {
		return args.Strings(name)
	}
	return strings.FieldsFunc(args.String(name), func(r rune) bool { return r == ',' || r == ' ' })
}

func idText(id int64) string { return strconv.FormatInt(id, 10) }

func idTexts(ids []int64) []string {
	texts := make([]string, len(ids))
	for i, id := range ids {
		texts[i] = idText(id)
	}
	return texts
}

// notFound is the answer to a record that is not there, where the table of faults knows a more general code.
func notFound(code, what string) *rest.Error {
	return rest.Errorf(http.StatusNotFound, code, "There is no such %s.", what)
}
