package suites

// Requirements and specs that have another id now. Ids are promises: waivers, reports and CI jobs name them, so a former one goes on
// meaning what it meant.

import "slices"

// CurrentIDs returns the ids that a requirement or spec has now: its own, or those of what took its place.
func CurrentIDs(id string) []string {
	if now, renamed := renamed()[id]; renamed {
		return now
	}
	return []string{id}
}

// means reports whether an id, which may be a former one, stands for what has the present id.
func means(id, present string) bool { return id == present || slices.Contains(renamed()[id], present) }

// renamed maps each former id to the present ones. The files of suites/topics/testdata have all ids that ever were.
func renamed() map[string][]string {
	return map[string][]string{
		"orders.create.takes-an-initial-status": {
			"orders.create.takes-the-initial-status-pending", "orders.create.takes-the-initial-status-processing",
			"orders.create.takes-the-initial-status-on-hold", "orders.create.takes-the-initial-status-completed",
			"orders.create.takes-the-initial-status-cancelled", "orders.create.takes-the-initial-status-refunded",
			"orders.create.takes-the-initial-status-failed",
		},
		"catalogue.visibility.hides-a-product-with-status-draft":   {"catalogue.visibility.hides-a-product-with-status-draft-or-not"},
		"catalogue.visibility.hides-a-product-with-status-pending": {"catalogue.visibility.hides-a-product-with-status-pending-or-not"},
		"catalogue.visibility.hides-a-product-with-status-private": {"catalogue.visibility.hides-a-product-with-status-private-or-not"},
		"orders.shipping-contact":                                  {"order.field.shipping.email", "order.field.shipping.phone"},
		"customers.shipping-contact":                               {"customer.field.shipping.email", "customer.field.shipping.phone"},
		"orders.record.is-shipped-to-an-address-without-e-mail":    {"orders.record.has-every-documented-field-in-its-type"},
		"customers.record.is-shipped-to-an-address-without-e-mail": {"customers.record.has-every-documented-field-in-its-type"},
		"products.record.tells-about-the-collection-by-options":    {"products.list.tells-about-itself-by-options"},
	}
}
