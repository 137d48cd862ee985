package storeapi

// What the endpoints of the catalogue have in common.

import (
	"net/http"
	"strings"

	"shopcheck/mockserver/internal/rest"
)

// reading are the parameters of everything that shows records, and more.
func reading(more ...rest.Param) []rest.Param {
	return append([]rest.Param{rest.ContextParam}, more...)
}

// textsOf reads a parameter that is a list of texts, or one text with commas.
func textsOf(args rest.Args, name string) []string {
	if list := args.List(name); list != nil {
		return args.Strings(name)
	}
	return strings.FieldsFunc(args.String(name), func(r rune) bool { return r == ',' || r == ' ' })
}

// notFound is the answer to a record that is not there, where the table of faults knows a more general code.
func notFound(code, what string) *rest.Error {
	return rest.Errorf(http.StatusNotFound, code, "There is no such %s.", what)
}
