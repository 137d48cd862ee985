package pages

// Files that can be bought: the link that an order gives, and the files of the demo shop, which are a few words each.

import (
	"fmt"
	"net/http"
	"sync"

	"shopcheck/fixtures"
	"shopcheck/mockserver/internal/shop"
)

// fetchDownload follows the link that an order gives for a file (contract, "Customer download record"): ?download_file= the
// product, order= the key, email= the billing e-mail, key= the file. It leads to where the file is.
func fetchDownload(v *visit) {
	download, err := v.fetch()
	if err != nil {
		v.missing("file")
		return
	}
	v.leave(v.site.Absolute(download.File.File))
}

// fetch finds the file that the address names. Who only asks whether it is there (HEAD) does not use up a download.
func (v *visit) fetch() (download *shop.PaidDownload, err error) {
	query := v.r.URL.Query()
	orderKey, email, product, file := query.Get("order"), query.Get("email"), v.id("product"), query.Get("key")
	if v.r.Method == http.MethodHead {
		return v.FindDownload(orderKey, email, product, file)
	}
	err = v.call.Write(func(tx *shop.Tx) (err error) {
		download, err = tx.FetchDownload(orderKey, email, product, file)
		return err
	})
	return download, err
}

// sendFile sends a file of the demo shop.
func sendFile(v *visit) {
	path := filesPath + v.path["file"]
	name, known := demoFiles()[path]
	if !known {
		v.missing("file")
		return
	}
	v.protect()
	v.w.Header().Set("Content-Type", "application/octet-stream")
	v.w.Header().Set("Content-Disposition", fmt.Sprintf("attachment; filename=%q", v.path["file"]))
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
