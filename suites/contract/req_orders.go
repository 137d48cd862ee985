package contract

// Statements about orders in the management API and about the states of orders.

const (
	sectionOrdersEndpoint = "Endpoints / Orders"
	sectionOrderStatus    = "States and transitions / Order status values"
)

func orderRequirements() []Requirement {
	out := Order().Requirements()
	out = append(out, orderFieldRules()...)
	out = append(out, OrderList().Requirements()...)
	out = append(out, orderOperations()...)
	out = append(out, orderNoteRequirements()...)
	return append(out, orderStateRequirements()...)
}

func orderFieldRules() []Requirement {
	g := &group{section: sectionOrder, feature: FeatureManagement}
	g.must("orders.guest", "customer_id is 0 for a guest's order.")
	g.must("orders.cart-tax", "cart_tax is the sum of the line items' taxes.")
	g.must("orders.total-tax", "total_tax is the sum of all taxes.")
	g.must("orders.id-unique", "An order's id is unique.")
	g.readOnly("orders", OrderReadOnly())
	g.observed("orders.created-via", "What created_via says of orders made by checkout and by the management API.")
	g.with(FeatureOrderCreate, func() { g.writable("orders", OrderWritable()) })
	g.with(FeatureCoupons, func() {
		g.must("orders.create.coupon-lines", "On create a coupon needs its code alone; the record holds a coupon line for it.")
		g.must("orders.amounts-add-up", "An order's total is its lines, fees and shipping with all taxes; its discount is "+
			"the lines' subtotals less their totals, and that of its coupons.")
		g.should("orders.coupon-discount", "A coupon line's discount is what the coupon takes off the order.")
	})
	return g.list
}

func orderNoteRequirements() []Requirement {
	g := &group{section: sectionOrdersEndpoint, feature: FeatureManagement}
	g.must("orders.notes.list", "GET on an order's notes lists them.")
	g.must("orders.notes.create", "POST on an order's notes creates one of note and customer_note and answers 201.")
	g.must("orders.notes.of-order", "A note belongs to its order and shows in no other's list.")
	g.should("orders.notes.pages", "Lists of notes are paged by page and per_page, and show ten unless asked otherwise.")
	g.should("orders.notes.paging", "Lists of notes carry the paging headers.")
	g.observed("orders.notes.record", "The fields of a note's record.")
	g.observed("orders.notes.item", "Whether one note has an address of its own to be read and deleted at.")
	g.observed("orders.notes.missing-order", "How notes of an order that does not exist are answered.")
	return g.list
}

func orderOperations() []Requirement {
	g := &group{section: sectionOrdersEndpoint, feature: FeatureManagement}
	g.must("orders.list", "GET on the collection lists orders.")
	g.must("orders.retrieve", "GET on an order's address answers its record.")
	g.must("orders.update", "PUT changes the given fields of an order and answers the record.")
	g.must("orders.update.partial", "PUT leaves fields that are not given as they were.")
	g.should("orders.update.nested", "PUT may carry only the changed keys of billing and shipping, as for customers; the others stay.")
	g.must("orders.update.unknown-status", "A status outside the allowed ones is refused.")
	g.must("orders.update.missing", "PUT on an order that does not exist is answered with 404.")
	g.must("orders.delete.missing", "DELETE on an order that does not exist is answered with 404.")
	g.batches("orders")
	g.observed("orders.delete.answer", "The status and body of the answer to a delete.")
	g.with(FeatureOrderCreate, func() {
		g.must("orders.create", "POST on the collection creates an order and answers 201 with its record.")
		g.must("orders.set-paid", "An order that is created as paid does not await its payment.")
		g.should("orders.paid-date", "An order that is created as paid has a date_paid, and one that awaits its payment has none.")
		g.must("orders.lines-of-products", "Each line shows the name, SKU and price of its product, and what its pieces cost.")
		g.must("orders.keys-differ", "No two orders have one order_key.")
		g.must("orders.create.empty", "No field is required to create an order.")
		g.must("orders.create.default-status", "An order created without a status is pending.")
		g.must("orders.create.default-customer", "An order created without a customer is a guest's: customer_id 0.")
		g.should("orders.create.created-via", "An order that the management API creates says so: created_via is rest-api.")
		g.must("orders.create.default-parent", "An order created without a parent has parent_id 0.")
		g.must("orders.create.unknown-status", "A create body with a status outside the allowed ones is refused.")
		g.observed("orders.create.unknown-coupon", "How an order with a coupon that does not exist is answered.")
		g.observed("orders.create.beyond-stock", "How an order for more than the stock is answered.")
		g.observed("orders.create.set-paid", "The state that set_paid leads to.")
	})
	return g.list
}

func orderStateRequirements() []Requirement {
	g := &group{section: sectionOrderStatus, feature: FeatureManagement}
	for _, status := range OrderStatuses() {
		if status == "trash" {
			continue
		}
		g.must("orderstate.set."+status, "PUT with status "+status+" moves an order to "+status+", whatever it was.")
	}
	g.should("orderstate.completed-date", "An order that was completed has a date_completed, and one that was not has none.")
	g.must("orderstate.trash", "DELETE without force moves an order to the trash and keeps it.")
	g.must("orderstate.force-delete", "DELETE with force=true removes an order permanently.")
	g.observed("orderstate.set-trash", "What PUT with status trash does.")
	g.with(FeatureStoreCheckout, func() {
		g.must("orderstate.draft", "GET checkout with a cart makes a draft order with status checkout-draft.")
		g.must("orderstate.cheque", "POST checkout paid by cheque moves the draft to on-hold.")
		g.observed("orderstate.other-methods", "The states that other payment methods lead to.")
		g.should("orderstate.after-checkout", "After a successful checkout an order is processing or on-hold.")
	})
	g.with(FeatureOrderCreate, func() {
		g.must("orderstate.created-pending", "An order that the management API creates starts as pending.")
	})
	return g.list
}
