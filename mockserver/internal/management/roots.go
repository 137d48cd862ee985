package management

import "shopcheck/mockserver/internal/rest"

// The collection roots that the contract names without sub-paths of their own: an index of what is below each.

// roots are the indexes.
func roots() []rest.Endpoint {
	return []rest.Endpoint{
		root("/shipping",
			entry{"zones", "Shipping zones, their places and methods.", "/shipping/zones"},
			entry{"methods", "The kinds of shipping methods.", "/shipping_methods"},
			entry{"classes", "Shipping classes of products.", "/products/shipping_classes"}),
	}
}

// entry is one line of an index.
type entry struct{ slug, about, path string }

func root(path string, entries ...entry) rest.Endpoint {
	return rest.Endpoint{Methods: readMethods, Path: path, Access: rest.Read, Do: func(r *rest.Request) (rest.Answer, error) {
		api := r.Site.Root + "/" + r.API.Namespace
		list := []rest.Pairs{}
		for _, e := range entries {
			self := rest.Pairs{
				{Name: "href", Value: api + e.path},
				{Name: "targetHints", Value: rest.Pairs{{Name: "allow", Value: readMethods}}},
			}
			list = append(list, rest.Pairs{
				{Name: "slug", Value: e.slug}, {Name: "description", Value: e.about},
				{
					Name:  "_links",
					Value: rest.Pairs{{Name: "self", Value: []rest.Pairs{self}}, {Name: "collection", Value: linkTo(api + path)}},
				},
			})
		}
		return rest.OK(list)
	}}
}
