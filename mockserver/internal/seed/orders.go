package seed

// Orders: each one goes through the shop as its customer, or the staff, would have placed it on its day. So prices, stock,
// coupons and taxes of the past are what the shop makes of them. Orders by staff are in stafforders.go.

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"time"

	"shopcheck/fixtures"
	"shopcheck/mockserver/internal/shop"
	"shopcheck/mockserver/internal/shop/pricing"
)

// history goes through the orders of a seed, one after the other.
type history struct {
	state shop.State
	data  *fixtures.Shop
	names names
	day   time.Time
	steps uint64 // changes made so far: each has a chance of its own
}

// at makes a change as of a moment.
func (h *history) at(moment time.Time, change func(*shop.Tx) error) error {
	h.steps++
	state, err := shop.Change(h.state, moment, chance+h.steps, change)
	if err == nil {
		h.state = state
	}
	return err
}

// placeOrders adds the orders of a seed to its state. Those that wait for their payment may wait without end: the seed says what
// became of each.
func placeOrders(state shop.State, data *fixtures.Shop, names names, day time.Time) (shop.State, error) {
	config, patient := state.Config, *state.Config
	patient.HoldStockMinutes = 0
	state.Config = &patient
	h := &history{state: state, data: data, names: names, day: day}
	noCarts := shop.NewState(config).Carts
	for first := 0; first < len(data.Orders); {
		add, after := h.add, first+1
		for after < len(data.Orders) && data.Orders[first].Via == viaRestAPI && data.Orders[after].Via == viaRestAPI {
			add, after = h.addWritten, after+1
		}
		if at, err := add(first, after); err != nil {
			return shop.State{}, fmt.Errorf("%sorder %d: %w", data.Line("orders", at), at+1, err)
		}
		h.state.Carts, h.state.CartBytes = noCarts, 0 // the customer has left, and pays no other time for what failed
		first = after
	}
	done := h.today()
	done.Config = config
	return done, nil
}

// today returns the state with the prices of the day: taking stock in the past left those of then.
func (h *history) today() shop.State {
	reader := shop.New(h.state, shop.Options{Clock: func() time.Time { return h.day }})
	reader.Read()
	return reader.Snapshot()
}

// add makes an order. It returns its number.
func (h *history) add(number, _ int) (int, error) {
	order := h.data.Orders[number]
	placed := h.placedAt(number, order)
	var id int64
	err := h.at(placed, func(tx *shop.Tx) error {
		place := h.place
		if order.Via != "" {
			place = h.write
		}
		done, err := place(tx, number, order)
		if err == nil {
			id = done.ID
		}
		return err
	})
	if err != nil || written(order) {
		return number, err
	}
	return number, h.at(h.settledAt(placed), func(tx *shop.Tx) error { return h.settle(tx, id, order) })
}

// addWritten makes orders that other programs have written, each as of its own moment but all in one change: a large shop has many of
// them. It returns the number of the last one.
func (h *history) addWritten(first, after int) (number int, err error) {
	err = h.at(h.day, func(tx *shop.Tx) error {
		for number = first; number < after; number++ {
			order := h.data.Orders[number]
			tx.Now = h.placedAt(number, order)
			done, err := h.write(tx, number, order)
			if err == nil && !written(order) {
				tx.Now = h.settledAt(tx.Now)
				err = h.settle(tx, done.ID, order)
			}
			if err != nil {
				return err
			}
		}
		return nil
	})
	return number, err
}

// written reports whether staff wrote an order in the status that it has: nothing became of it later. That is half the work.
func written(order fixtures.Order) bool {
	return order.Via == viaRestAPI && len(order.Notes)+len(order.Refunds) == 0
}

// viaRestAPI marks the orders that other programs have written.
const viaRestAPI = "rest-api"

// placedAt spreads the orders over the hours from eight to twenty.
func (h *history) placedAt(number int, order fixtures.Order) time.Time {
	const opening, hours, apart = 8 * time.Hour, 12 * time.Hour, 97 * time.Minute
	return h.day.AddDate(0, 0, -order.DaysAgo).Add(opening + time.Duration(number)*apart%hours)
}

// settledAt is when the shop has dealt with an order: two days later, if that day has come.
func (h *history) settledAt(placed time.Time) time.Time {
	settled := placed.AddDate(0, 0, 2)
	if settled.After(h.day) {
		return h.day
	}
	return settled
}

// place fills a cart and checks out.
func (h *history) place(tx *shop.Tx, number int, order fixtures.Order) (*shop.Order, error) {
	billing, shipping, err := h.addresses(order)
	if err != nil {
		return nil, err
	}
	who := shop.Shopper{
		Session: "seed-" + strconv.Itoa(number), CustomerID: h.names.customers[order.Customer],
		IP: "192.0.2." + strconv.Itoa(number%250+1), Agent: "Demo seed",
	}
	// The addresses come first: the cart, which each change prices, is empty then.
	if _, err := tx.UpdateCartAddresses(who, wholly(billing), wholly(shipping)); err != nil {
		return nil, err
	}
	if err := h.fillCart(tx, who, order); err != nil {
		return nil, err
	}
	if err := chooseDelivery(tx, who, tx.CartOf(who).Packages, order.Delivery); err != nil {
		return nil, err
	}
	done, err := tx.PlaceOrder(who, shop.CheckoutRequest{
		Billing: &billing, Shipping: &shipping, PaymentMethod: order.Payment, PaymentData: paymentOf(order), Note: &order.Note,
	})
	if err != nil {
		return nil, err
	}
	if done.Order == nil {
		return nil, done.Refusal
	}
	return done.Order, nil
}

// addresses finds where an order is billed and shipped to.
func (h *history) addresses(order fixtures.Order) (billing, shipping shop.Address, err error) {
	if order.Billing == nil && order.Customer == "" {
		return billing, shipping, errors.New("it needs a customer, or the billing address of a guest")
	}
	if order.Billing != nil {
		billing = addressOf(*order.Billing)
		shipping = shippingOf(billing)
	} else {
		customer, known := h.state.Customers.Get(h.names.customers[order.Customer])
		if !known {
			return billing, shipping, fmt.Errorf("there is no customer %q", order.Customer)
		}
		billing, shipping = customer.Billing, customer.Shipping
	}
	if order.Shipping != nil {
		shipping = addressOf(*order.Shipping)
	}
	return billing, shipping, nil
}

func (h *history) fillCart(tx *shop.Tx, who shop.Shopper, order fixtures.Order) error {
	for _, line := range order.Lines {
		id, known := h.names.products[line.SKU]
		if !known {
			return fmt.Errorf("there is no product %q", line.SKU)
		}
		wanted := shop.CartRequest{ProductID: id, Quantity: line.Quantity}
		for attribute, option := range line.Options {
			wanted.Variation = append(wanted.Variation, shop.ChosenAttribute{Attribute: h.attributeSlug(attribute), Value: option})
		}
		if err := tx.PutIntoCart(who, wanted); err != nil {
			return fmt.Errorf("%s: %w", line.SKU, err)
		}
	}
	for _, code := range order.Coupons {
		if _, err := tx.ApplyCoupon(who, code); err != nil {
			return fmt.Errorf("coupon %s: %w", code, err)
		}
	}
	return nil
}

// attributeSlug names an attribute as carts do: a global one has a prefix.
func (h *history) attributeSlug(key string) string {
	global := slices.ContainsFunc(h.data.Attributes, func(a fixtures.Attribute) bool { return a.Slug == key })
	if global {
		return globalPrefix + key
	}
	return key
}

// wholly sets every field of an address.
func wholly(address shop.Address) shop.AddressChange {
	return func(field *shop.Address) error {
		*field = address
		return nil
	}
}

// chooseDelivery selects the shipping rate of a title, if the shop has not.
func chooseDelivery(tx *shop.Tx, who shop.Shopper, packages []pricing.Package, title string) error {
	if title == "" || len(packages) == 0 {
		if title != "" || len(packages) != 0 {
			return fmt.Errorf("delivery is %q, but there are %d packages", title, len(packages))
		}
		return nil
	}
	var offered []string
	for _, rate := range packages[0].Rates {
		if rate.Title == title && rate.Selected {
			return nil
		}
		if rate.Title == title {
			_, err := tx.SelectRate(who, packages[0].ID, rate.ID)
			return err
		}
		offered = append(offered, rate.Title)
	}
	return fmt.Errorf("there is no delivery %q, but %q", title, offered)
}

// paymentOf tells the test gateway what became of the payment.
func paymentOf(order fixtures.Order) []shop.PaymentDetail {
	if order.Payment != shop.MockPay {
		return nil
	}
	result := "success"
	switch shop.OrderStatus(order.Status) {
	case shop.Failed:
		result = "decline"
	case shop.Pending:
		result = "pending"
	}
	return []shop.PaymentDetail{{Key: "result", Value: result}}
}

// settle brings an order to the status that it has now, and adds the shop's notes and refunds.
func (h *history) settle(tx *shop.Tx, id int64, wanted fixtures.Order) error {
	for _, note := range wanted.Notes {
		if _, err := tx.AddNote(id, h.staff().Username, note.Text, note.ToCustomer); err != nil {
			return err
		}
	}
	status := statusOf(wanted)
	if status == shop.Refunded {
		status = shop.Completed // the refund does the rest
	}
	order, err := tx.FindOrder(id)
	if err != nil {
		return err
	}
	if order.Status != status {
		if order, err = tx.SetOrderStatus(id, status); err != nil {
			return err
		}
	}
	for _, refund := range wanted.Refunds {
		if _, err := tx.CreateRefund(id, h.refundOf(order, refund)); err != nil {
			return err
		}
	}
	return nil
}

// statusOf is the status that an order has reached.
func statusOf(order fixtures.Order) shop.OrderStatus {
	return cmp.Or(shop.OrderStatus(order.Status), shop.Processing)
}

// refundOf asks for the refund of an amount, or of everything with its lines.
func (h *history) refundOf(order *shop.Order, refund fixtures.Refund) shop.RefundInput {
	input := shop.RefundInput{Reason: refund.Reason, By: h.names.customers[h.staff().Email]}
	if amount, partial := pricing.ParseAmount(refund.Amount); partial {
		input.Amount = &amount
		return input
	}
	input.Restock = true
	for _, line := range order.Lines {
		input.Lines = append(
			input.Lines,
			shop.RefundLine{ID: line.ID, Quantity: line.Quantity, Total: line.Total, Taxes: taxesOf(line.Taxes)},
		)
	}
	for _, line := range order.ShippingLines {
		input.Lines = append(input.Lines, shop.RefundLine{ID: line.ID, Total: line.Total, Taxes: taxesOf(line.Taxes)})
	}
	return input
}

func taxesOf(taxes []shop.LineTax) map[int64]shop.Amount {
	byRate := make(map[int64]shop.Amount, len(taxes))
	for _, tax := range taxes {
		byRate[tax.RateID] = tax.Total
	}
	return byRate
}

// staff signs the shop's notes and refunds.
func (h *history) staff() fixtures.Customer { return h.data.Customers[0] }
