package spec

// Pictures of products, and files to download.

import (
	"context"
	"slices"

	"shopcheck/suites/contract"
)

// PictureAddress is the address of a picture that the target can be expected to reach: one that it shows itself. It is empty where
// none is found.
func (e *Env) PictureAddress(ctx context.Context) string {
	if addresses := e.PictureAddresses(ctx); len(addresses) > 0 {
		return addresses[0]
	}
	return ""
}

// PictureAddresses are the addresses of up to two different pictures that the target shows itself. Its oldest products are looked at,
// for this run's have none: a few, and many where these show none.
func (e *Env) PictureAddresses(ctx context.Context) []string {
	if known := e.pictures.Load(); known != nil {
		return *known
	}
	var found []string
	for _, many := range []string{"5", "100"} {
		oldest := e.Products.List(ctx, Query{"orderby": "id", "order": "asc", "per_page": many})
		for _, src := range oldest.Get("#.images.#.src|@flatten").Array() {
			if address := src.String(); address != "" && !slices.Contains(found, address) && len(found) < 2 {
				found = append(found, address)
			}
		}
		if len(found) > 0 {
			e.pictures.Store(&found)
			break
		}
	}
	return found
}

// SharedPictured is a product with pictures, in another order than where they were found, for what SharedProduct is for. ok is false where
// the target shows no picture to take, or does not take it: none of the documented operations fetches a picture for sure.
func (e *Env) SharedPictured(ctx context.Context) (product Product, ok bool) {
	if !e.run.Offers(contract.FeatureManagement) || !e.Profile().Credentials.ReadWrite.Given() {
		return Product{}, false
	}
	var pictures []Fields
	for _, src := range slices.Backward(e.PictureAddresses(ctx)) {
		pictures = append(pictures, Fields{"src": src})
	}
	if len(pictures) == 0 {
		return Product{}, false
	}
	product = Share(e, "product with pictures", func() Product {
		made := e.Products.Create(ctx, e.ProductBody(With(Fields{"images": pictures})))
		return Product{ID: made.ID(), Name: made.Get("name").String(), SKU: made.Get("sku").String(), Answer: made}
	})
	return product, product.Answer.OK()
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
