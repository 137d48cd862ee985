package shop

// Files that are bought: who may fetch them, how often and until when.

import (
	"slices"
	"strconv"
	"strings"
	"time"
)

// PaidDownload is the right of a customer to fetch one file that an order holds.
type PaidDownload struct {
	Product   *Product
	Order     *Order
	File      Download
	Remaining *int64     // nil: as often as one likes
	Expires   *time.Time // nil: never
	line      int64      // of the order
}

// open reports whether the file can be fetched: not too often yet, and not too late.
func (d *PaidDownload) open(now time.Time) bool {
	return (d.Remaining == nil || *d.Remaining > 0) && (d.Expires == nil || !d.Expires.Before(now))
}

// FetchedFile counts how often a file of an order's line was fetched.
type FetchedFile struct {
	Line  int64
	File  string
	Times int64
}

// fetched tells how often a file of a line was fetched.
func (o *Order) fetched(line int64, file string) int64 {
	for _, f := range o.Fetched {
		if f.Line == line && f.File == file {
			return f.Times
		}
	}
	return 0
}

// FindDownload finds a file that can be fetched, by the key and billing e-mail of the order that holds it. Fault: NoSuchDownload.
func (v View) FindDownload(orderKey, email string, productID int64, file string) (*PaidDownload, error) {
	if order, found := Orders.Key.Find(&v.Orders, orderKey); found && strings.EqualFold(order.Billing.Email, email) {
		for _, download := range order.DownloadsIn(v) {
			if download.Product.ID == productID && download.File.ID == file && download.open(v.Now) {
				return &download, nil
			}
		}
	}
	return nil, Faultf(NoSuchDownload, "There is no such file to fetch, or no longer.")
}

// FetchDownload finds a file in the same way and counts it as fetched. Only fetches that are limited are counted. Fault:
// NoSuchDownload.
func (tx *Tx) FetchDownload(orderKey, email string, productID int64, file string) (*PaidDownload, error) {
	download, err := tx.FindDownload(orderKey, email, productID, file)
	if err != nil || download.Remaining == nil {
		return download, err
	}
	order := download.Order.clone()
	at := slices.IndexFunc(order.Fetched, func(f FetchedFile) bool { return f.Line == download.line && f.File == file })
	if at < 0 {
		at = len(order.Fetched)
		order.Fetched = append(order.Fetched, FetchedFile{Line: download.line, File: file})
	}
	order.Fetched[at].Times++
	return download, order.put(tx)
}

// DownloadsOf lists what a customer may download: the files of all paid orders, the newest order first.
func (v View) DownloadsOf(customerID int64) []PaidDownload {
	var downloads []PaidDownload
	for _, order := range slices.Backward(collect(Orders.Customer.Rows(&v.Orders, strconv.FormatInt(customerID, 10)))) {
		downloads = append(downloads, order.DownloadsIn(v)...)
	}
	return downloads
}

// DownloadsIn lists the files of an order, none before it is paid.
func (o *Order) DownloadsIn(v View) []PaidDownload {
	if o.Status != Processing && o.Status != Completed {
		return nil
	}
	var downloads []PaidDownload
	for i := range o.Lines {
		downloads = append(downloads, o.downloadsOfLine(v, &o.Lines[i])...)
	}
	return downloads
}

func (o *Order) downloadsOfLine(v View, line *OrderLine) []PaidDownload {
	product, _ := v.goodsOf(line.ProductID, line.VariationID)
	if product == nil || !product.Downloadable {
		return nil
	}
	var downloads []PaidDownload
	for _, file := range product.Extra().Downloads {
		download := PaidDownload{Product: product, Order: o, File: file, line: line.ID}
		if product.DownloadLimit >= 0 {
			left := max(product.DownloadLimit*line.Quantity-o.fetched(line.ID, file.ID), 0)
			download.Remaining = &left
		}
		if product.DownloadExpiry >= 0 && o.Paid != nil {
			download.Expires = DateOf(o.Paid.AddDate(0, 0, int(min(product.DownloadExpiry, maxExpiryDays))))
		}
		downloads = append(downloads, download)
	}
	return downloads
}

// maxExpiryDays keeps dates within what a calendar can write: a hundred years are as good as never.
const maxExpiryDays = 36_500
