package management

import (
	"net/http"
	"slices"
	"strings"

	"shopcheck/mockserver/internal/rest"
	"shopcheck/mockserver/internal/shop"
)

// productExtras are what products have besides the generic operations.
func productExtras(products *rest.Resource[product]) []rest.Endpoint {
	return []rest.Endpoint{
		suggestions(products),
		{
			Methods: methods(http.MethodPost),
			Path:    "/products/{id:[0-9]+}/duplicate",
			Access:  rest.Write,
			Do: func(r *rest.Request) (rest.Answer, error) {
				return duplicate(products, r)
			},
		},
	}
}

// duplicate makes a draft that is like a product.
func duplicate(products *rest.Resource[product], r *rest.Request) (rest.Answer, error) {
	var made *product
	err := r.Write(func(tx *shop.Tx) error {
		p, err := tx.Product(r.ID("id"))
		if err != nil {
			return err
		}
		made, err = p.Duplicate(tx)
		return err
	})
	if err != nil {
		return rest.Answer{}, err
	}
	body, err := products.Body(r.API.Namespace, r.View, r.Site, rest.IDText(made.ID))
	return rest.Answer{Body: rest.Raw(body)}, err
}

// suggestedAtOnce is how many products are suggested unless the client says otherwise.
const suggestedAtOnce = 5

// suggestions is a list of the first products of some categories or tags, the newest of them first. It is one page.
func suggestions(products *rest.Resource[product]) rest.Endpoint {
	suggested := *products
	suggested.Select = func(v shop.View, r *rest.Request) ([]*product, int, error) {
		rows, _, err := products.Select(v, r)
		slices.Reverse(rows)
		return rows, len(rows), err
	}
	list := suggested.Endpoints()[0]
	list.Path += "/suggested-products"
	list.Params = append(slices.Clone(list.Params),
		rest.Param{Name: "limit", Type: rest.Integer, Default: int64(suggestedAtOnce), Min: rest.Bound(1), Max: rest.Bound(100)},
		rest.ListOfIDs("categories", ""),
		rest.ListOfIDs("tags", ""))
	show := list.Do
	list.Do = func(r *rest.Request) (rest.Answer, error) {
		for _, fixed := range (rest.Args{{Name: "page", Value: int64(1)}, {Name: "per_page", Value: r.Args.Int("limit")},
			{Name: "status", Value: shop.StatusPublish}, {Name: "orderby", Value: "id"}, {Name: "order", Value: "asc"}}) {
			r.Args.Set(fixed.Name, fixed.Value)
		}
		for from, to := range map[string]string{"categories": "category", "tags": "tag"} {
			if ids := r.Args.Ints(from); len(ids) > 0 {
				r.Args.Set(to, strings.Join(rest.IDTexts(ids), ","))
			}
		}
		return show(r)
	}
	return list
}
