package spec

// Pictures of products, and files to download.

import (
	"context"

	"shopcheck/suites/contract"
)

// PictureAddress is the address of a picture that the target can be expected to reach: one that it shows itself. Its
// oldest products are looked at, for this run's have none: a few, and many where these show none. It is empty where none is
// found.
func (e *Env) PictureAddress(ctx context.Context) string {
	if known := e.picture.Load(); known != nil {
		return *known
	}
	for _, many := range []string{"5", "100"} {
		oldest := e.Products.List(ctx, Query{"orderby": "id", "order": "asc", "per_page": many})
		for _, src := range oldest.Get("#.images.0.src").Array() {
			if address := src.String(); address != "" {
				e.picture.Store(&address)
				return address
			}
		}
	}
	return ""
}

// PicturedProduct makes a product with a picture. ok is false where the target shows no picture to take, or does not
// take it: none of the documented operations fetches a picture for sure.
func (e *Env) PicturedProduct(ctx context.Context) (product Product, ok bool) {
	if !e.run.Offers(contract.FeatureManagement) || !e.Profile().Credentials.ReadWrite.Given() {
		return Product{}, false
	}
	src := e.PictureAddress(ctx)
	if src == "" {
		return Product{}, false
	}
	made := e.Products.Create(ctx, e.ProductBody(With(Fields{"images": []Fields{{"src": src}}})))
	return Product{ID: made.ID(), Name: made.Get("name").String(), SKU: made.Get("sku").String(), Answer: made}, made.OK()
}

// Download is a file for downloads of a product: a picture that the target shows itself, where it has one, for a shop
// may take only files that it knows.
func (e *Env) Download(ctx context.Context) Fields {
	file := e.PictureAddress(ctx)
	if file == "" {
		file = "https://example.test/manual.pdf"
	}
	return Fields{"name": "Manual of shopcheck", "file": file}
}
