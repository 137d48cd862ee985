package pages

// Files that can be bought: the link that an order gives, and the files of the demo shop, which are a few words each.

import (
	"fmt"
	"strings"
	"sync"

	"github.com/gorilla/mux"

	"shopcheck/fixtures"
	"shopcheck/mockserver/shop"
)

// fetchDownload follows the link that an order gives for a file (contract, "Customer download record"): ?download_file= the
// product, order= the key, email= the billing e-mail, key= the file. It leads to where the file is.
func fetchDownload(v *visit) {
	query := v.r.URL.Query()
	order, found := shop.Orders.Key.Find(&v.Orders, query.Get("order"))
	if !found || !strings.EqualFold(order.Billing.Email, query.Get("email")) {
		v.missing("file")
		return
	}
	for _, download := range v.DownloadsIn(order) {
		if download.Product.ID == v.id("product") && download.File.ID == query.Get("key") && !v.over(download) {
			v.leave(v.site.Absolute(download.File.File))
			return
		}
	}
	v.missing("file")
}

// over tells whether the time in which a file can be fetched has passed.
func (v *visit) over(download shop.PaidDownload) bool {
	return download.Expires != nil && download.Expires.Before(v.Now)
}

// sendFile sends a file of the demo shop.
func sendFile(v *visit) {
	path := filesPath + mux.Vars(v.r)["file"]
	name, known := demoFiles()[path]
	if !known {
		v.missing("file")
		return
	}
	v.protect()
	v.w.Header().Set("Content-Type", "application/octet-stream")
	v.w.Header().Set("Content-Disposition", fmt.Sprintf("attachment; filename=%q", mux.Vars(v.r)["file"]))
	fmt.Fprintf(v.w, "%s\n\nThe demo shop sells this file. A real shop would send its contents.\n", name)
}

// demoFiles are the names of the demo shop's files, by their path.
var demoFiles = sync.OnceValue(func() map[string]string {
	demo, err := fixtures.Demo()
	if err != nil {
		return nil // the server that runs on it has told already
	}
	files := map[string]string{}
	for _, offer := range demo.Products {
		for _, file := range offer.Downloads {
			files["/"+file.File] = file.Name
		}
	}
	return files
})
