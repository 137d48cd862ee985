package suites

// The doctor's checks of what the suites need, and where it would come from.

import (
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/shopspring/decimal"
	"github.com/tidwall/gjson"

	"shopcheck/suites/client"
	"shopcheck/suites/contract"
	"shopcheck/suites/profile"
)

// checkKeys looks which keys work, and whether each may do what the profile says.
func (d *doctor) checkKeys() {
	if err := d.look.Keys(); err != nil {
		found, next := splitAdvice(strings.TrimPrefix(err.Error(), "the target "+d.run.Profile.Target+" "))
		d.add("keys.read_write", Problem, found, next)
	} else {
		d.checkKey("read_write", d.run.Profile.Credentials.ReadWrite, true, true)
	}
	d.checkKey("read", d.run.Profile.Credentials.Read, true, false)
	d.checkKey("write", d.run.Profile.Credentials.Write, false, true)
	d.checkKey("revoked", d.run.Profile.Credentials.Revoked, false, false)
}

// checkKey tries a key: it reads, and it updates a product that no shop has, where writing is allowed.
func (d *doctor) checkKey(role string, key profile.Credentials, reads, writes bool) {
	name := "keys." + role
	if !key.Given() {
		d.add(name, NotApplicable, "the profile has none", "")
		return
	}
	read, write := d.look.Reads(client.KeyOf(key)), d.look.Writes(client.KeyOf(key))
	tried := !errors.Is(write.Err, client.ErrReadOnly)
	mayRead, mayWrite := read.OK(), tried && !denied(write)
	found := "it may " + abilities(mayRead, mayWrite)
	if !tried {
		found = fmt.Sprintf("it may %s; whether it may write was not tried, for writing is not allowed here",
			map[bool]string{true: "read", false: "not read"}[mayRead])
		mayWrite = writes
	}
	switch {
	case read.Err != nil || tried && write.Err != nil:
		d.add(name, Warning, "it could not be tried: "+fmt.Sprint(errors.Join(read.Err, write.Err)), "")
	case mayRead == reads && mayWrite == writes:
		d.may = append(d.may, role)
		d.add(name, Well, found, "")
	case role == "revoked":
		d.add(name, Problem, found+", although it is given as a revoked one", "revoke it, or give one that was")
	case reads && !mayRead || writes && !mayWrite:
		d.add(name, Problem, fmt.Sprintf("%s, and should %s (a read gave %d, a write %d)", found, abilities(reads, writes), read.Status,
			write.Status),
			"give it these permissions in the shop, or give another key as credentials."+role)
	default:
		d.add(name, Problem, fmt.Sprintf("%s, and should only %s", found, abilities(reads, writes)),
			"make one with fewer permissions: specs show with it what such a key must not do")
	}
}

// denied: the target says that the key may not, or that it does not know it.
func denied(a *client.Answer) bool {
	return a.Status == http.StatusUnauthorized || a.Status == http.StatusForbidden
}

func abilities(read, write bool) string {
	switch {
	case read && write:
		return "read and write"
	case read:
		return "read"
	case write:
		return "write"
	}
	return "do nothing"
}

// checkProducts tells where products to buy come from.
func (d *doctor) checkProducts() {
	if d.run.Profile.MayWrite() && slices.Contains(d.may, "read_write") && d.run.Offers(contract.FeatureManagement) {
		d.add("products", Well, "the suites make their own, and delete them", "")
		return
	}
	sold := 0
	for _, product := range d.look.Anonymous(client.Store + "/products?per_page=100").JSON().Array() {
		if product.Get("type").String() == "simple" && product.Get("is_purchasable").Bool() && product.Get("is_in_stock").Bool() {
			sold++
		}
	}
	if sold < 2 {
		d.add("products", Warning, fmt.Sprintf("the suites cannot make any, and the store shows %d simple ones that can be bought", sold),
			"give credentials.read_write and allow_writes, or publish two products")
		return
	}
	d.add("products", Well, fmt.Sprintf("the suites cannot make any, and take those of the store: %d can be bought", sold), "")
}

// checkCoupon looks whether the coupon of the profile is there, and is what the profile says.
func (d *doctor) checkCoupon() {
	coupon := d.run.Profile.Coupon
	if d.findCoupon(); coupon.Code == "" && d.diagnosis.Coupon.Code != "" {
		found := d.diagnosis.Coupon
		d.add("coupon", Warning, "the profile names none: nothing about coupons is tested",
			fmt.Sprintf("the shop has %s (%s, %s), which goes with any product: name it under coupon", found.Code, found.Type,
				found.Amount))
		return
	}
	if coupon.Code == "" {
		d.add("coupon", Warning, "the profile names none: nothing about coupons is tested",
			"make one for any product that does not expire, and give its code, type and amount under coupon")
		return
	}
	answer := d.look.Get(client.Management+"/coupons", url.Values{"code": {coupon.Code}})
	if !answer.OK() {
		d.add("coupon", NotApplicable, fmt.Sprintf("whether %s is there cannot be seen: GET %s/coupons gave %d", coupon.Code,
			client.Management,
			answer.Status), "")
		return
	}
	record := answer.Get("0")
	want, wantErr := decimal.NewFromString(coupon.Amount)
	got, gotErr := decimal.NewFromString(record.Get("amount").String())
	switch {
	case !record.Exists():
		d.add("coupon", Problem, "the shop has no coupon "+coupon.Code, "make it, or name one that is there under coupon")
	case record.Get("discount_type").String() != coupon.Type || wantErr != nil || gotErr != nil || !want.Equal(got):
		d.add("coupon", Problem, fmt.Sprintf("%s is %s %s at the shop, and %s %s in the profile", coupon.Code, record.Get("discount_type"),
			record.Get("amount"), coupon.Type, coupon.Amount), "correct the profile")
	default:
		d.add("coupon", Well, fmt.Sprintf("%s is there: %s %s", coupon.Code, coupon.Type, coupon.Amount), "")
	}
}

// findCoupon looks for a coupon of the shop that goes with any product, for anybody, at any time.
func (d *doctor) findCoupon() {
	for _, c := range d.look.Get(client.Management+"/coupons", url.Values{"per_page": {"50"}}).JSON().Array() {
		amount, err := decimal.NewFromString(c.Get("amount").String())
		isKind := slices.Contains([]string{"percent", "fixed_cart", "fixed_product"}, c.Get("discount_type").String())
		if err == nil && amount.IsPositive() && isKind && c.Get("status").String() == "publish" && !limited(c) {
			d.diagnosis.Coupon = profile.Coupon{Code: d.clean(c.Get("code").String()), Type: c.Get("discount_type").String(),
				Amount: amount.String()}
			return
		}
	}
}

// limited reports whether a coupon is not for every cart: it ends, is used up, or is for some products, people or sums.
func limited(coupon gjson.Result) bool {
	for _, field := range []string{"date_expires", "usage_limit", "usage_limit_per_user", "limit_usage_to_x_items"} {
		if value := coupon.Get(field); value.Exists() && value.Type != gjson.Null {
			return true
		}
	}
	for _, field := range []string{"product_ids", "excluded_product_ids", "product_categories", "excluded_product_categories",
		"email_restrictions"} {
		if len(coupon.Get(field).Array()) > 0 {
			return true
		}
	}
	for _, field := range []string{"individual_use", "exclude_sale_items", "free_shipping"} {
		if coupon.Get(field).Bool() {
			return true
		}
	}
	return coupon.Get("minimum_amount").Float() > 0 || coupon.Get("maximum_amount").Float() > 0
}

// checkPayments compares the payment methods of the profile with those that the cart names.
func (d *doctor) checkPayments() {
	var offered, missing []string
	for _, method := range d.look.Anonymous(client.Store + "/cart").Get("payment_methods").Array() {
		offered = append(offered, method.String())
	}
	for _, method := range offered {
		d.diagnosis.Payments = append(d.diagnosis.Payments, d.clean(method))
	}
	wanted := d.run.Profile.PaymentMethods
	for _, method := range wanted {
		if !slices.Contains(offered, method) {
			missing = append(missing, method)
		}
	}
	switch {
	case len(wanted) == 0:
		d.add("payments", Warning, "the profile names no payment method: nothing can be ordered",
			"name some under payment_methods; the cart names: "+
				strings.Join(offered, ", "))
	case len(offered) == 0:
		d.add("payments", NotApplicable, "the cart names no payment methods; the suites order with "+strings.Join(wanted, ", "), "")
	case len(missing) > 0:
		d.add("payments", Problem, "the shop does not offer "+strings.Join(missing, ", "), "payment_methods may hold: "+
			""+strings.Join(offered, ", "))
	default:
		d.add("payments", Well, "the suites order with "+strings.Join(wanted, ", ")+", which the cart names", "")
	}
}

// checkWebhooks looks for a way back to the harness.
func (d *doctor) checkWebhooks() {
	p := d.run.Profile
	switch {
	case !d.run.Offers(contract.FeatureWebhooks):
		d.add("webhooks", NotApplicable, "the shop has none, or they are off", "")
		return
	case !reachable(p):
		d.add("webhooks", Warning, noWayBack(p), "set webhooks.listen and webhooks.public_url, such as that of a tunnel")
		return
	}
	listener, err := net.Listen("tcp", p.Webhooks.Listen)
	if err != nil {
		d.add("webhooks", Problem, "the harness cannot listen: "+err.Error(), "choose another address as webhooks.listen")
		return
	}
	_ = listener.Close()
	way := "at " + p.Webhooks.Listen
	if p.Webhooks.PublicURL != "" {
		way += ", which the shop must reach at " + p.Webhooks.PublicURL
	}
	d.add("webhooks", Well, "the harness can listen "+way, "")
}
