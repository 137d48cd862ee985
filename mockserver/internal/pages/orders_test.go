package pages_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/tidwall/gjson"

	"shopcheck/mockserver/internal/shop"
	"shopcheck/mockserver/internal/testkit"
)

func addresses(order *shop.Order) (pay, received string) {
	const form = home + "/checkout/order-%s/%d/?key=%s"
	return fmt.Sprintf(form, "pay", order.ID, order.Key), fmt.Sprintf(form, "received", order.ID, order.Key)
}

func TestPayingOnThePage(t *testing.T) {
	t.Parallel()
	s := open(t)
	order := s.orders("GF-BOX", 2)
	before := *s.product("GF-BOX").StockQuantity
	pay, received := addresses(order)
	total := s.Read().Config.Format(order.Totals.Total)

	s.shows(s.get(pay), http.StatusOK, "Surprise Box × 2", total, "Pay "+total, `value="pay"`, `data-status="pending"`, `method="post"`)
	s.shows(s.get(received), http.StatusOK, "waits for your payment", `href="`+pay+`"`)
	s.leads(s.press(pay, "pay"), received)
	s.wantStatus(order, shop.Processing)
	s.shows(s.get(received), http.StatusOK, "Thank you", "Surprise Box × 2", total, `data-status="processing"`)

	s.leads(s.get(pay), received)
	for _, late := range []string{"pay", "decline", "cancel"} {
		s.leads(s.press(pay, late), received)
	}
	s.wantStatus(order, shop.Processing)
	if left := *s.product("GF-BOX").StockQuantity; left != before-2 {
		t.Errorf("%d pieces were taken", before-left)
	}
}

func TestAPaymentThatFails(t *testing.T) {
	t.Parallel()
	s := open(t)
	order := s.orders("GF-BOX", 1)
	pay, received := addresses(order)
	s.leads(s.press(pay, "decline"), pay)
	s.wantStatus(order, shop.Failed)
	s.shows(s.get(pay), http.StatusOK, "The payment failed", `value="pay"`)
	s.shows(s.get(received), http.StatusOK, "The payment failed", `href="`+pay+`"`)
	notes := len(s.Read().NotesOf(order.ID))
	s.leads(s.press(pay, "decline"), pay)
	if again := len(s.Read().NotesOf(order.ID)); again != notes {
		t.Errorf("the second click left %d notes", again-notes)
	}
	s.leads(s.press(pay, "pay"), received)
	s.wantStatus(order, shop.Processing)
}

func TestCancelling(t *testing.T) {
	t.Parallel()
	s := open(t)
	order := s.orders("GF-BOX", 1)
	pay, received := addresses(order)
	for range 2 {
		s.leads(s.press(pay, "cancel"), received)
		s.wantStatus(order, shop.Cancelled)
	}
	s.shows(s.get(received), http.StatusOK, "This order was cancelled")
	s.leads(s.press(pay, "pay"), received)
	s.wantStatus(order, shop.Cancelled)
}

func TestClicksAtOncePayOnce(t *testing.T) {
	t.Parallel()
	s := open(t)
	order := s.orders("GF-BOX", 1)
	before := *s.product("GF-BOX").StockQuantity
	pay, received := addresses(order)
	atOnce(20, func() {
		if a := s.press(pay, "pay"); a.Status != http.StatusSeeOther || a.Header.Get("Location") != received {
			t.Errorf("%d to %s", a.Status, a.Header.Get("Location"))
		}
	})
	s.wantStatus(order, shop.Processing)
	paid := 0
	for _, note := range s.Read().NotesOf(order.ID) {
		if strings.Contains(note.Text, "Paid by mockpay") {
			paid++
		}
	}
	if left := *s.product("GF-BOX").StockQuantity; paid != 1 || left != before-1 {
		t.Errorf("paid %d times, %d pieces taken", paid, before-left)
	}
}

func TestGoodsThatAreGoneCannotBePaid(t *testing.T) {
	t.Parallel()
	s := open(t)
	order := s.orders("GF-BOX", 1)
	pay, received := addresses(order)
	s.leads(s.press(pay, "decline"), pay)
	stock := func(quantity int64) {
		s.Write(func(tx *shop.Tx) error {
			box, _ := tx.BySKU("GF-BOX")
			changed := *box
			changed.StockQuantity = &quantity
			return changed.Save(tx)
		})
	}
	stock(0)
	s.shows(s.press(pay, "pay"), http.StatusConflict, "not enough of", "Surprise Box", `role="alert"`)
	s.wantStatus(order, shop.Failed)
	stock(1)
	s.leads(s.press(pay, "pay"), received)
}

func TestStrangersLearnNothing(t *testing.T) {
	t.Parallel()
	s := open(t)
	order, other := s.orders("GF-BOX", 1), s.orders("GF-SEEDS", 1)
	trashed := s.orders("GF-SEEDS", 1)
	var draft *shop.Order
	s.Write(func(tx *shop.Tx) error {
		if _, err := tx.TrashOrder(trashed.ID); err != nil {
			return err
		}
		who := shop.Shopper{Session: "drafting"}
		if _, err := tx.AddToCart(who, shop.CartRequest{ProductID: s.product("GF-SEEDS").ID, Quantity: 1}); err != nil {
			return err
		}
		checkout, err := tx.DraftCheckout(who)
		if err != nil {
			return err
		}
		draft = checkout.Order
		return nil
	})
	for _, page := range []string{"pay", "received"} {
		var said string
		for _, place := range []string{
			fmt.Sprintf("%d", order.ID), fmt.Sprintf("%d/?key=", order.ID), fmt.Sprintf("%d/?key=%s", order.ID, other.Key),
			fmt.Sprintf("%d/?key=%sx", order.ID, order.Key), fmt.Sprintf("%d/?KEY=%s", order.ID, order.Key),
			fmt.Sprintf("99999999/?key=%s", order.Key), fmt.Sprintf("99999999999999999999/?key=%s", order.Key),
			fmt.Sprintf("%d/?key=%s", draft.ID, draft.Key), fmt.Sprintf("%d/?key=%s", trashed.ID, trashed.Key),
		} {
			address := "/checkout/order-" + page + "/" + place
			for _, a := range []shown{s.get(address), s.press("/checkout/order-pay/"+place, "pay")} {
				s.shows(a, http.StatusNotFound)
				if said == "" {
					said = a.text
				}
				if a.text != said {
					t.Errorf("%s: the answer tells something: %s", address, a.text)
				}
			}
		}
		if strings.Contains(said, "Surprise") || strings.Contains(said, order.Key) {
			t.Errorf("the answer tells of the order: %s", said)
		}
	}
	s.wantStatus(order, shop.Pending)
	for _, a := range []shown{s.get(home + "/checkout/order-pay/1x?key=" + order.Key), s.visit(http.MethodPut, "/checkout/order-pay/1", ""),
		s.press("/checkout/order-received/1", "pay")} {
		if a.Status != http.StatusNotFound || gjson.Get(a.text, "code").Str != "rest_no_route" {
			t.Errorf("%d %s", a.Status, a.text)
		}
	}
}

func TestTheCustomerIsNotOnThePage(t *testing.T) {
	t.Parallel()
	s := open(t)
	pay, received := addresses(s.orders("GF-BOX", 1))
	for _, address := range []string{pay, received} {
		if body := s.get(address).text; strings.Contains(body, "Ann") || strings.Contains(body, "Main Street") ||
			strings.Contains(body, "shopper.example") {
			t.Errorf("%s tells who ordered: %s", address, body)
		}
	}
}

func TestFormsThatSayNothing(t *testing.T) {
	t.Parallel()
	s := open(t)
	order := s.orders("GF-BOX", 1)
	pay, _ := addresses(order)
	for _, form := range []string{"", "decision=", "decision=PAY", "decision=%zz", "x=" + strings.Repeat("y", 1<<20) + "&decision=pay"} {
		s.shows(s.visit(http.MethodPost, pay, testkit.Form(form)), http.StatusBadRequest, "Press one of the buttons")
	}
	s.wantStatus(order, shop.Pending)
}

func TestTextsAreNoMarkup(t *testing.T) {
	t.Parallel()
	s := open(t)
	s.Write(func(tx *shop.Tx) error {
		box, _ := tx.BySKU("GF-BOX")
		changed := *box
		changed.Name = `<script>alert(1)</script>`
		return changed.Save(tx)
	})
	pay, _ := addresses(s.orders("GF-BOX", 1))
	for _, address := range []string{pay, "/product/" + s.product("GF-BOX").Slug + "/"} {
		if raw := s.get(address).Body; strings.Contains(raw, "<script") ||
			!strings.Contains(raw, "&lt;script&gt;") {
			t.Errorf("%s: %s", address, raw)
		}
	}
}

func TestAnOrderInAnotherCurrency(t *testing.T) {
	t.Parallel()
	s := open(t)
	var order *shop.Order
	s.Write(func(tx *shop.Tx) error {
		order = tx.NewOrder()
		order.Currency, order.Decimals, order.Status = "EUR", 2, shop.Pending
		id, quantity := s.product("GF-SEEDS").ID, int64(3)
		return order.Create(tx, shop.OrderEdit{Lines: []shop.LineEdit{{ProductID: &id, Quantity: &quantity}}})
	})
	pay, received := addresses(order)
	s.shows(s.get(pay+"&pay_for_order=true"), http.StatusOK, "Packet of Seeds × 3", "€2.97")
	s.leads(s.press(pay, "pay"), received)
	if now := s.now(order); now.PaymentMethod != shop.MockPay || now.Status != shop.Processing {
		t.Errorf("an order by staff: %s by %q", now.Status, now.PaymentMethod)
	}
}
