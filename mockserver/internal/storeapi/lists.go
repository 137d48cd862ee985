package storeapi

// What the lists of the catalogue have in common.

import (
	"net/http"
	"slices"
	"strconv"
	"strings"

	"shopcheck/mockserver/internal/rest"
	"shopcheck/mockserver/internal/shop"
)

var contextParam = rest.Param{Name: "context", Type: rest.String, Enum: []string{"view", "edit"}, Default: "view", Description: "Which fields are shown."}

// reading are the parameters of everything that shows records, and more.
func reading(more ...rest.Param) []rest.Param { return append([]rest.Param{contextParam}, more...) }

// listing is a list: how its rows are found, and how each is shown.
type listing[R any] struct {
	path   string
	params []rest.Param // besides context and paging
	find   func(*scene, *rest.Request) (rows []R, total int, err error)
	show   func(*scene, R) any
}

func (l listing[R]) endpoint() rest.Endpoint {
	return rest.Endpoint{
		Methods: []string{http.MethodGet}, Path: l.path, Access: rest.Public,
		Params: slices.Concat(reading(), rest.PagingParams(), l.params), Do: l.list,
	}
}

func (l listing[R]) list(r *rest.Request) (rest.Answer, error) {
	s := sceneOf(r)
	rows, total, err := l.find(s, r)
	if err != nil {
		return rest.Answer{}, err
	}
	shown := make([]any, len(rows))
	for i, row := range rows {
		shown[i] = l.show(s, row)
	}
	rest.SetPaging(r, total)
	return rest.OK(shown)
}

// getEndpoint declares the reading of one record.
func getEndpoint(path string, find func(*scene, *rest.Request) (any, error), more ...rest.Param) rest.Endpoint {
	return rest.Endpoint{
		Methods: []string{http.MethodGet}, Path: path, Access: rest.Public, Params: reading(more...),
		Do: func(r *rest.Request) (rest.Answer, error) {
			record, err := find(sceneOf(r), r)
			if err != nil {
				return rest.Answer{}, err
			}
			return rest.OK(record)
		},
	}
}

var (
	idItems    = &rest.Param{Type: rest.Integer}
	orderParam = rest.Param{Name: "order", Type: rest.String, Enum: []string{"asc", "desc"}, Description: "The direction of the order."}
)

func ordered(fallback string) rest.Param {
	param := orderParam
	param.Default = fallback
	return param
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

// published says whether customers may see a product: it and, for a variation, the product that it belongs to are
// published.
func (s *scene) published(p *shop.Product) bool {
	return p.Status == shop.StatusPublish && s.parentOf(p).Status == shop.StatusPublish
}
