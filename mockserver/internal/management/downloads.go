package management

import (
	"strconv"

	"shopcheck/mockserver/internal/rest"
	"shopcheck/mockserver/internal/shop"
)

// What a customer may download (contract, "Customer download record").

type paidDownload = shop.PaidDownload

var downloadFields = rest.Lazily(func() *rest.Record[paidDownload] {
	return &rest.Record[paidDownload]{Fields: []rest.Field[paidDownload]{
		rest.Text("download_id", func(d *paidDownload) *string { return &d.File.ID }, rest.ReadOnly),
		rest.TextOf("download_url", func(e *rest.Encoding, d *paidDownload) string { return e.Site.DownloadLink(d) }, rest.As(rest.URI)),
		rest.IntOf("product_id", func(_ *rest.Encoding, d *paidDownload) int64 { return d.Product.ID }),
		rest.TextOf("product_name", func(_ *rest.Encoding, d *paidDownload) string { return d.Product.Name }),
		rest.TextOf("download_name", func(_ *rest.Encoding, d *paidDownload) string { return d.File.Name }),
		rest.IntOf("order_id", func(_ *rest.Encoding, d *paidDownload) int64 { return d.Order.ID }),
		rest.TextOf("order_key", func(_ *rest.Encoding, d *paidDownload) string { return d.Order.Key }),
		rest.TextOf("downloads_remaining", func(_ *rest.Encoding, d *paidDownload) string {
			if d.Remaining == nil {
				return "unlimited"
			}
			return strconv.FormatInt(*d.Remaining, 10)
		}),
		rest.TextOf("access_expires", accessExpires),
		rest.TextOf("access_expires_gmt", accessExpires),
		rest.Computed(rest.Param{Name: "file", Type: rest.Object}, func(e *rest.Encoding, d *paidDownload) any {
			return rest.Pairs{{Name: "name", Value: d.File.Name}, {Name: "file", Value: e.Site.Absolute(d.File.File)}}
		}),
	}}
})

func accessExpires(_ *rest.Encoding, d *paidDownload) string {
	if d.Expires == nil {
		return "never"
	}
	return d.Expires.Format(rest.Layout)
}

// customerDownloads lists them.
var customerDownloads = &rest.Resource[paidDownload]{
	Path:         "/customers/{customer_id:[0-9]+}/downloads",
	HidesMethods: true,
	Name:         func(d *paidDownload) string { return d.File.ID },
	Record:       downloadFields,
	Select: func(v shop.View, r *rest.Request) ([]*paidDownload, int, error) {
		if _, err := v.FindCustomer(r.ID("customer_id")); err != nil {
			return nil, 0, err
		}
		var rows []*paidDownload
		for _, row := range v.DownloadsOf(r.ID("customer_id")) {
			rows = append(rows, &row)
		}
		return rest.Slice(rest.PageOf(r), rows), len(rows), nil
	},
	Links: func(d *paidDownload) []rest.Link {
		return []rest.Link{
			{Relation: "product", Path: "/products/" + rest.IDText(d.Product.ID)},
			{Relation: "order", Path: "/orders/" + rest.IDText(d.Order.ID)},
		}
	},
}
