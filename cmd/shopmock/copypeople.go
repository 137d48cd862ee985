package main

// What is copied of customers and of what they did: nothing that tells who they are.

import (
	"fmt"
	"net/url"
	"slices"
	"strings"

	"github.com/tidwall/gjson"
)

var (
	personFields = keep("id date_created_gmt date_modified_gmt is_paying_customer")
	lineTaxes    = keep("id total subtotal")
	orderFields  = keep("id parent_id prices_include_tax date_created_gmt date_modified_gmt date_completed_gmt date_paid_gmt "+
		"discount_total discount_tax shipping_total shipping_tax cart_tax total total_tax customer_id").
		with("line_items", keep("id product_id variation_id quantity subtotal subtotal_tax total total_tax").with("taxes", lineTaxes)).
		with("shipping_lines", keep("id instance_id total total_tax").with("taxes", lineTaxes)).
		with("fee_lines", keep("id amount total total_tax").with("taxes", lineTaxes)).
		with("coupon_lines", keep("id discount discount_tax nominal_amount free_shipping")).
		with("tax_lines", keep("id rate_id compound tax_total shipping_tax_total rate_percent"))
	refundFields = keep("id date_created_gmt amount refunded_payment").
			with("line_items", orderFields["line_items"]).with("shipping_lines", orderFields["shipping_lines"]).
			with("fee_lines", orderFields["fee_lines"]).with("tax_lines", orderFields["tax_lines"])
)

// numeric is what amounts, dates and numbers are made of.
var numeric = pattern(`^[-+0-9.:TZ]*$`)

// numbers are what is kept of a record of which no text may come along. A shop can write anything where a number belongs.
func (f fields) numbers(record gjson.Result) map[string]any {
	kept := f.of(record)
	withoutTexts(kept)
	return kept
}

func withoutTexts(value any) any {
	switch value := value.(type) {
	case string:
		if !numeric().MatchString(value) {
			return nil
		}
	case []any:
		for i := range value {
			value[i] = withoutTexts(value[i])
		}
	case map[string]any:
		for name := range value {
			value[name] = withoutTexts(value[name])
		}
	}
	return value
}

func (c *copier) copyCustomers() error {
	return c.list("customers", []string{"/customers"}, with(byID, "role", "customer"), func(_ int, record gjson.Result) (any, error) {
		email := record.Get("email").String()
		if email == "" {
			email = "customer " + record.Get("id").String()
		}
		c.learn("customer", record.Get("id").String(), email)
		kept, person := personFields.numbers(record), c.mask.person(email)
		kept["email"], kept["username"] = person.Email, strings.TrimSuffix(person.Email, maskedHost)
		kept["first_name"], kept["last_name"] = person.FirstName, person.LastName
		kept["billing"], kept["shipping"] = c.mask.address(email, record.Get("billing")), c.mask.address(email, record.Get("shipping"))
		return kept, nil
	})
}

// words are what a text of an order may be: the names that all shops of this family have.
var words = map[string][]string{
	"status":        strings.Fields("pending processing on-hold completed cancelled refunded failed checkout-draft"),
	"created_via":   strings.Fields("checkout store-api rest-api admin"),
	"discount_type": strings.Fields("percent fixed_cart fixed_product"),
	"tax_status":    strings.Fields("taxable none"),
}

// word keeps a text of a record that is one of the usual ones.
func word(kept map[string]any, record gjson.Result, name string) {
	if text := record.Get(name).String(); slices.Contains(words[name], text) {
		kept[name] = text
	}
}

var currencyCode = pattern(`^[A-Z]{3}$`)

func (c *copier) copyOrders() error {
	if err := c.learnGateways(); err != nil {
		return err
	}
	var refunded, paths []string
	err := c.list("orders", []string{"/orders"}, byID, func(_ int, record gjson.Result) (any, error) {
		if len(record.Get("refunds").Array()) > 0 {
			refunded = append(refunded, record.Get("id").Raw)
			paths = append(paths, "/orders/"+pathPart(record.Get("id"))+"/refunds")
		}
		return c.order(record), nil
	})
	if err != nil {
		return err
	}
	return c.list("refunds", paths, nil, func(at int, record gjson.Result) (any, error) {
		kept := refundFields.numbers(record)
		c.nameLines(kept, record)
		return below(kept, "parent_id", refunded[at]), nil
	})
}

// learnGateways learns what the ways to pay are called; what they are set to is read by nobody.
func (c *copier) learnGateways() error {
	_, err := c.each("/payment_gateways", url.Values{"_fields": {"id,title"}}, func(record gjson.Result) error {
		c.learn("gateway", record.Get("id").String(), record.Get("title").String())
		return nil
	})
	return err
}

// order is an order of nobody in particular. Its lines have the names of the catalogue.
func (c *copier) order(record gjson.Result) map[string]any {
	kept := orderFields.numbers(record)
	word(kept, record, "status")
	word(kept, record, "created_via")
	if currency := record.Get("currency").String(); currencyCode().MatchString(currency) {
		kept["currency"] = currency
	}
	method := record.Get("payment_method").String()
	if title, known := c.known["gateway"][method]; known {
		kept["payment_method"], kept["payment_method_title"] = method, title
	}
	buyer := c.buyer(record)
	kept["billing"], kept["shipping"] = c.mask.address(buyer, record.Get("billing")), c.mask.address(buyer, record.Get("shipping"))
	c.nameLines(kept, record)
	return kept
}

// buyer says who has placed an order: the same text for the same person.
func (c *copier) buyer(record gjson.Result) string {
	if email, known := c.known["customer"][record.Get("customer_id").String()]; known {
		return email
	}
	if email := record.Get("billing.email").String(); email != "" {
		return email
	}
	return "order " + record.Get("id").String()
}

// nameLines gives lines the names that the catalogue has for what they are about.
func (c *copier) nameLines(kept map[string]any, record gjson.Result) {
	lines := func(list string, name func(kept map[string]any, line gjson.Result)) {
		found := record.Get(list).Array()
		all, _ := kept[list].([]any)
		found = slices.DeleteFunc(found, func(line gjson.Result) bool { return !line.IsObject() })
		for i := range all {
			name(all[i].(map[string]any), found[i])
		}
	}
	taxClass := func(kept map[string]any, line gjson.Result) {
		if class := line.Get("tax_class").String(); c.has("tax class", class) {
			kept["tax_class"] = class
		}
	}
	lines("line_items", func(kept map[string]any, line gjson.Result) {
		kept["name"], kept["parent_name"] = c.productNames(line)
		if sku := line.Get("sku").String(); c.has("sku", sku) {
			kept["sku"] = sku
		}
		taxClass(kept, line)
	})
	lines("shipping_lines", func(kept map[string]any, line gjson.Result) {
		kept["method_id"], kept["method_title"] = "other", "Shipping"
		if method := line.Get("method_id").String(); c.has("method", method) {
			kept["method_id"] = method
		}
		if title := line.Get("method_title").String(); c.has("method title", title) {
			kept["method_title"] = title
		}
		word(kept, line, "tax_status")
	})
	lines("fee_lines", func(kept map[string]any, line gjson.Result) {
		kept["name"] = "Fee"
		taxClass(kept, line)
		word(kept, line, "tax_status")
	})
	lines("coupon_lines", func(kept map[string]any, line gjson.Result) {
		kept["code"] = fmt.Sprintf("coupon-%d", line.Get("id").Int())
		if code := strings.ToLower(line.Get("code").String()); c.has("coupon", code) {
			kept["code"] = code
		}
		word(kept, line, "discount_type")
	})
	lines("tax_lines", func(kept map[string]any, line gjson.Result) {
		kept["label"], kept["rate_code"] = "Tax", "TAX"
		if name, known := c.known["tax"][line.Get("rate_id").String()]; known {
			kept["label"] = name
		}
	})
}

func (c *copier) has(kind, name string) bool {
	_, known := c.known[kind][name]
	return known
}

// productNames are what the catalogue calls what a line sells and, of a variation, the product that it belongs to.
func (c *copier) productNames(line gjson.Result) (name string, parent any) {
	name, known := c.known["product"][line.Get("product_id").String()]
	if !known {
		return "A product that is gone", nil
	}
	switch choice, chosen := c.known["variation"][line.Get("variation_id").String()]; {
	case !chosen:
		return name, nil
	case choice == "":
		return name, name
	default:
		return name + " - " + choice, name
	}
}

func (c *copier) copyReviews() error {
	approved := with(byID, "status", "approved")
	return c.list("reviews", []string{"/products/reviews"}, approved, func(_ int, record gjson.Result) (any, error) {
		kept := keep("id date_created_gmt product_id rating").numbers(record)
		person := c.mask.person(record.Get("reviewer_email").String())
		kept["reviewer"], kept["reviewer_email"], kept["status"] = person.FirstName, person.Email, "approved"
		kept["review"] = fmt.Sprintf("%d of 5 stars.", record.Get("rating").Int())
		return kept, nil
	})
}
