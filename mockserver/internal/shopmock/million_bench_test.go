package shopmock_test

// What the shop costs at a million products, over HTTP. Each call is timed in turn with a floor: a bare net/http handler that
// answers the same bytes on a socket of its own. "of-floor" is the floor's time by the shop's, both medians: what is left of the speed
// that the machine has. Run: go test ./mockserver/internal/shopmock -run '^$' -bench Million

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strconv"
	"testing"
	"time"

	"shopcheck/mockserver/internal/shop"
	"shopcheck/mockserver/internal/shopmock"
)

const manyProducts = 1_000_000

// BenchmarkMillion fills one shop for all that it times, which takes a minute.
func BenchmarkMillion(b *testing.B) {
	server := shopmock.Start(b, shopmock.Options{})
	if err := server.Reset("empty"); err != nil {
		b.Fatal(err)
	}
	category := fillMillion(b, server.Shop())
	timeLists(b, server, category)
	timeWrites(b, server)
}

// fillMillion puts the products into ten categories and returns one of these.
func fillMillion(b *testing.B, full *shop.Shop) int64 {
	write := func(change func(*shop.Tx) error) {
		if _, err := full.Write(change); err != nil {
			b.Fatal(err)
		}
	}
	var categories []int64
	write(func(tx *shop.Tx) error {
		for i := range 10 {
			term := &shop.Term{Taxonomy: shop.TaxonomyCategory, Name: "Shelf " + strconv.Itoa(i)}
			if err := term.Create(tx); err != nil {
				return err
			}
			categories = append(categories, term.ID)
		}
		return nil
	})
	const atOnce = 50_000
	for from := 0; from < manyProducts; from += atOnce {
		write(func(tx *shop.Tx) error { return fillShelves(tx, categories, from, from+atOnce) })
	}
	return categories[0]
}

func fillShelves(tx *shop.Tx, categories []int64, from, to int) error {
	for i := from; i < to; i++ {
		product := tx.NewProduct()
		product.Name, product.SKU, product.RegularPrice = fmt.Sprint("Thing ", i), fmt.Sprint("THING-",
			i), strconv.Itoa(i*7919%10_007)+".50"
		product.CategoryIDs = []int64{categories[i*31%len(categories)]}
		product.Featured = i%3 == 0
		if err := product.Create(tx); err != nil {
			return err
		}
	}
	return nil
}

// race times a call at the floor and at the shop in turn. before, if not nil, runs untimed at the shop ahead of each.
func race(b *testing.B, server *shopmock.Server, next func() call, before func(*client)) {
	shop := newClient(b, server.URL())
	defer shop.http.CloseIdleConnections()
	status, header, body := shop.send(next())
	if status >= 400 {
		b.Fatalf("status %d: %s", status, body)
	}
	socket := httptest.NewServer(answering(status, header, body))
	defer socket.Close()
	floor := newClient(b, socket.URL)
	defer floor.http.CloseIdleConnections()
	var times [2][]time.Duration
	timed := func(c *client, call call) time.Duration {
		started := time.Now()
		if status, _, body := c.send(call); status >= 400 {
			b.Fatalf("status %d: %s", status, body)
		}
		return time.Since(started)
	}
	for b.Loop() {
		call := next()
		times[0] = append(times[0], timed(floor, call))
		if before != nil {
			before(shop)
		}
		times[1] = append(times[1], timed(shop, call))
	}
	least, took := median(times[0]), median(times[1])
	b.ReportMetric(float64(least.Microseconds()), "floor-µs")
	b.ReportMetric(float64(took.Microseconds()), "shop-µs")
	b.ReportMetric(float64(least)/float64(took), "of-floor")
	b.ReportMetric(0, "ns/op")
}

func median(times []time.Duration) time.Duration {
	slices.Sort(times)
	return times[len(times)/2]
}

func timeLists(b *testing.B, server *shopmock.Server, category int64) {
	list := func(query string) func() call {
		return func() call { return call{method: "GET", path: "/shop/v3/products?" + query, header: keyed()} }
	}
	filtered := fmt.Sprintf("category=%d&featured=true", category)
	first, touched := lowestProduct(server.Shop()), int64(0)
	touch := func(c *client) {
		touched++
		body := fmt.Sprintf(`{"featured":%t,"regular_price":"%d.25"}`, touched%2 == 0, touched%1000)
		path := fmt.Sprintf("/shop/v3/products/%d", first+touched*7919%manyProducts)
		if status, _, answer := c.send(call{method: "PUT", path: path, body: body, header: keyed()}); status != http.StatusOK {
			b.Fatalf("%s: %d %s", path, status, answer)
		}
	}
	b.Run("list", func(b *testing.B) { race(b, server, list(filtered), nil) })
	b.Run("list after a write", func(b *testing.B) { race(b, server, list(filtered), touch) })
	b.Run("list by price", func(b *testing.B) { race(b, server, list(filtered+"&orderby=price&order=asc"), nil) })
	b.Run("list by price after a write", func(b *testing.B) { race(b, server, list(filtered+"&orderby=price&order=asc"), touch) })
	for _, page := range []int{1, 10_000} {
		b.Run(fmt.Sprint("page ", page), func(b *testing.B) { race(b, server, list(fmt.Sprint("page=", page)), nil) })
		b.Run(fmt.Sprint("filtered page ", page), func(b *testing.B) {
			race(b, server, list(fmt.Sprint("featured=true&page=", page)), nil)
		})
	}
}

func timeWrites(b *testing.B, server *shopmock.Server) {
	first := lowestProduct(server.Shop())
	order := fmt.Sprintf(`{"line_items":[{"product_id":%d,"quantity":1},{"product_id":%d,"quantity":2},{"product_id":%d,"quantity":3}]}`,
		first, first+1, first+2)
	b.Run("order of three lines", func(b *testing.B) {
		race(b, server, func() call { return call{method: "POST", path: "/shop/v3/orders", body: order, header: keyed()} }, nil)
	})
	round := 0
	b.Run("batch of 100", func(b *testing.B) {
		race(b, server, func() call {
			round++
			return call{method: "POST", path: "/shop/v3/products/batch", body: hundredUpdates(first, round), header: keyed()}
		}, nil)
	})
}

func lowestProduct(full *shop.Shop) int64 {
	view := full.Read()
	for product := range view.Products.All() {
		return product.ID
	}
	return 0
}

func hundredUpdates(first int64, round int) string {
	body := []byte(`{"update":[`)
	for i := range 100 {
		if i > 0 {
			body = append(body, ',')
		}
		body = fmt.Appendf(body, `{"id":%d,"regular_price":"%d.75"}`, first+int64((round*100+i)*31%manyProducts), round%1000)
	}
	return string(append(body, "]}"...))
}
