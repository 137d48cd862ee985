package rest

import "shopcheck/mockserver/internal/shop"

// Body gives the record with a name in one version of the shop, byte for byte as a GET without parameters would answer
// it then. It is for whoever shows records without having been asked: webhooks. The error is that of Find.
func (res *Resource[T]) Body(namespace string, view shop.View, site Site, name string) ([]byte, error) {
	path := map[string]string{"id": name}
	args, err := newChecklist(res.reading()).validate(input{}, path)
	if err != nil {
		return nil, err
	}
	r := &Request{Call: &Call{View: view, Site: site, Path: path}, API: &API{Namespace: namespace}, Args: args}
	row, err := res.Find(view, r, name)
	if err != nil {
		return nil, err
	}
	return res.shown(r, res.encoding(r, view), row).now(), nil
}
