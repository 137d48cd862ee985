package defects

// Independent defects of what lists say of themselves, and of what several entries of one kind lose.

import (
	"net/http"
	"strings"

	"shopcheck/reports"
)

// pagedLists are the lists that say how many records they have, and how binding that is.
func pagedLists() map[string]reports.Level {
	return map[string]reports.Level{"GET /shop/v3/products": reports.Must, "GET /shop/v3/orders": reports.Must,
		"GET /shop/v3/customers": reports.Must, "GET /shop/store/v1/products": reports.Should,
		"GET /shop/v3/products/{id}/variations": reports.Should, "GET /shop/v3/orders/{id}/notes": reports.Should,
		"GET /shop/v3/customers/{id}/downloads": reports.Should}
}

// counts: a paging header is missing or another on some pages only.
func (l *independents) counts() {
	later := match(func(r *http.Request) bool { return numberIn(r.URL.Query(), "page", 1) > 1 })
	for endpoint, level := range pagedLists() {
		list := at(endpoint)
		for _, name := range []string{"X-Shop-Total", "X-Shop-TotalPages"} {
			off := func(a *answer) { a.Header.Set(name, textOf(plusOne(a.Header.Get(name)))) }
			id := named(endpoint) + "." + strings.ToLower(name)
			l.add("count", id+".later-missing", name+" of "+endpoint+" is missing from the second page on.",
				succeeded(list.and(later), func(a *answer) { a.Header.Del(name) })).Level = level
			l.add("count", id+".later-off", name+" of "+endpoint+" is one too high from the second page on.",
				succeeded(list.and(later), off)).Level = level
			if strings.HasSuffix(endpoint, "variations") { // of a product that has none, no spec needs the list
				continue
			}
			l.add("count", id+".nothing-missing", name+" of "+endpoint+" is missing where nothing matches.",
				succeeded(list, whereEmpty(func(a *answer) { a.Header.Del(name) }))).Level = level
			if name == "X-Shop-Total" { // no records may be on no page, or on one
				l.add("count", id+".nothing-off", name+" of "+endpoint+" is 1 where nothing matches.",
					succeeded(list, whereEmpty(off))).Level = level
			}
		}
	}
}

func whereEmpty(edit func(a *answer)) func(a *answer) {
	return func(a *answer) {
		if list, isList := a.tree().([]any); isList && len(list) == 0 {
			edit(a)
		}
	}
}

// emptied: a part of an address, or a customer, that an update empties stays as it was.
func (l *independents) emptied() {
	for _, c := range []string{"orders", "customers"} {
		update := at("PUT /shop/v3/" + c + "/{id}")
		for _, f := range l.doc.Records[strings.TrimSuffix(c, "s")] {
			object, part, nested := strings.Cut(f.Path, ".")
			if !nested || object != "billing" && object != "shipping" || part == "email" { // which may not be empty
				continue
			}
			l.add("emptied", c+"."+f.Path, "Updating "+c+" does not empty "+f.Path+".", dropped(update, f.Path, ""))
		}
	}
	l.add("emptied", "orders.customer_id", "An order that is a guest's now stays its customer's.",
		sent(at("PUT /shop/v3/orders/{id}"), func(body map[string]any) {
			if textOf(body["customer_id"]) == "0" {
				delete(body, "customer_id")
			}
		}))
}

// batchFields: a batch forgets a field of the records that it creates or updates, resets one that is not given, or answers other ids.
func (l *independents) batchFields() {
	for _, c := range collections() {
		batch := at("POST /shop/v3/" + c + "/batch")
		for _, field := range l.writable(c) {
			if strings.Contains(field, "#") || field == "images" || field == "line_items" || field == "type" || field == "coupon_lines" {
				continue // a batch that all shops can do has none
			}
			if own := field == "name" || field == "email" || field == "username" || field == "sku"; !own {
				l.add("batch-field", c+".create."+field, "A batch that creates "+c+" ignores "+field+".", unsent(batch, "create.#."+field))
				l.add("batch-field", c+".update."+field, "A batch that updates "+c+" ignores "+field+".", unsent(batch, "update.#."+field))
			}
			if blank, known := blankOf(c, field); known && !strings.Contains(field, ".") && field != "username" {
				l.add("batch-field", c+".resets."+field, "A batch that updates "+c+" clears "+field+".",
					assumed(batch, "update.#."+field, blank))
			}
		}
		for _, list := range []string{"create", "update"} {
			l.add("batch-field", c+".answers-others."+list, "The ids under "+list+" in the answer to a batch of "+c+" are others.",
				succeeded(batch, func(a *answer) { a.set(list+".#.id", plusOne) }))
		}
	}
}

// severalLines: of several lines of an order only the first or the last is kept.
func (l *independents) severalLines() {
	create := at("POST /shop/v3/orders")
	for _, lines := range []string{"line_items", "shipping_lines", "coupon_lines", "fee_lines"} {
		level := reports.Must
		if lines == "fee_lines" { // beyond the create body's list
			level = reports.Should
		}
		for name, keep := range map[string]func(list []any) []any{
			"first": func(list []any) []any { return list[:1] },
			"last":  func(list []any) []any { return list[len(list)-1:] },
		} {
			l.add("line", "orders."+lines+"."+name, "An order keeps only the "+name+" of several "+lines+".",
				sent(create, func(body map[string]any) {
					if list, _ := body[lines].([]any); len(list) > 1 {
						body[lines] = keep(list)
					}
				})).Level = level
		}
	}
}
