package shop

// Coupon rules: whether a coupon may be used for a basket by a buyer, and which lines it discounts.

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"shopcheck/mockserver/internal/shop/pricing"
)

// Buyer is who a coupon is checked against. An empty e-mail is one that is not known yet.
type Buyer struct {
	CustomerID int64
	Emails     []string
}

// FindCoupon finds a coupon that customers can use by its code, in any case.
func (v View) FindCoupon(code string) (*Coupon, bool) {
	coupon, found := Coupons.Code.Find(&v.Coupons, couponCode(code))
	return coupon, found && coupon.Status == StatusPublish
}

// couponCode is the form in which codes are kept and compared.
func couponCode(code string) string { return strings.ToLower(strings.TrimSpace(code)) }

// usableCoupon finds a coupon and checks every rule that does not depend on the other coupons.
func (v View) usableCoupon(code string, lines []BasketLine, buyer Buyer) (*Coupon, error) {
	if !v.Config.CouponsEnabled {
		return nil, Faultf(InvalidCoupon, "This shop takes no coupons.")
	}
	coupon, found := v.FindCoupon(code)
	if !found {
		return nil, noSuchCoupon(code)
	}
	for _, rule := range []func(*Coupon, []BasketLine, Buyer) error{v.checkTime, checkUsage, checkEmail, v.checkSpending, v.checkProducts} {
		if err := rule(coupon, lines, buyer); err != nil {
			return nil, err
		}
	}
	return coupon, nil
}

func noSuchCoupon(code string) error { return Faultf(InvalidCoupon, "There is no coupon %q.", code) }

func (v View) checkTime(coupon *Coupon, _ []BasketLine, _ Buyer) error {
	if coupon.Expires != nil && v.Now.After(*coupon.Expires) {
		return Faultf(InvalidCoupon, "Coupon %q expired on %s.", coupon.Code, coupon.Expires.Format("2006-01-02"))
	}
	return nil
}

func checkUsage(coupon *Coupon, _ []BasketLine, buyer Buyer) error {
	if coupon.UsageLimit != nil && *coupon.UsageLimit > 0 && coupon.UsageCount >= *coupon.UsageLimit {
		return Faultf(InvalidCoupon, "Coupon %q has been used as often as it may be (%d).", coupon.Code, *coupon.UsageLimit)
	}
	if coupon.UsageLimitPerUser != nil && *coupon.UsageLimitPerUser > 0 && coupon.usesBy(buyer) >= *coupon.UsageLimitPerUser {
		return Faultf(InvalidCoupon, "You have used coupon %q as often as one customer may (%d).", coupon.Code, *coupon.UsageLimitPerUser)
	}
	return nil
}

// usesBy counts the uses by a customer id or by one of the e-mails.
func (c *Coupon) usesBy(buyer Buyer) int64 {
	var uses int64
	id := strconv.FormatInt(buyer.CustomerID, 10)
	for _, user := range c.UsedBy {
		if buyer.CustomerID != 0 && user == id || hasEmail(buyer.Emails, user) {
			uses++
		}
	}
	return uses
}

func hasEmail(emails []string, wanted string) bool {
	return slices.ContainsFunc(emails, func(email string) bool { return strings.EqualFold(email, wanted) })
}

func checkEmail(coupon *Coupon, _ []BasketLine, buyer Buyer) error {
	if len(coupon.EmailRestrictions) == 0 {
		return nil
	}
	for _, pattern := range coupon.EmailRestrictions {
		if slices.ContainsFunc(buyer.Emails, func(email string) bool { return emailMatches(pattern, email) }) {
			return nil
		}
	}
	fault := Faultf(InvalidCoupon, "Coupon %q is for certain e-mail addresses only: give yours in the billing address first.", coupon.Code)
	fault.Details = map[string]string{
		"cart":     fault.Message,
		"checkout": fmt.Sprintf("Coupon %q is not for your e-mail address.", coupon.Code),
	}
	return fault
}

// emailMatches compares an e-mail with a pattern in which * stands for any text.
func emailMatches(pattern, email string) bool {
	parts := strings.Split(strings.ToLower(strings.TrimSpace(pattern)), "*")
	rest, fits := strings.CutPrefix(strings.ToLower(email), parts[0])
	if len(parts) == 1 {
		return fits && rest == ""
	}
	last := parts[len(parts)-1]
	for _, part := range parts[1 : len(parts)-1] {
		place := strings.Index(rest, part)
		if place < 0 {
			return false
		}
		rest = rest[place+len(part):]
	}
	return fits && strings.HasSuffix(rest, last)
}

// checkSpending compares what the lines cost before discounts with the coupon's bounds.
func (v View) checkSpending(coupon *Coupon, lines []BasketLine, _ Buyer) error {
	spent := Zero
	for i := range lines {
		spent = spent.Add(lines[i].Entered())
	}
	if least := pricing.AmountOf(coupon.MinimumAmount); least.IsPositive() && spent.LessThan(least) {
		return Faultf(InvalidCoupon, "Coupon %q needs a purchase of at least %s.", coupon.Code, v.Config.Format(least))
	}
	if most := pricing.AmountOf(coupon.MaximumAmount); most.IsPositive() && spent.GreaterThan(most) {
		return Faultf(InvalidCoupon, "Coupon %q is for purchases of at most %s.", coupon.Code, v.Config.Format(most))
	}
	return nil
}

// checkProducts demands that the coupon fits: one on products some line, one on the cart the cart as a whole. Any fits a cart
// that is still empty.
func (v View) checkProducts(coupon *Coupon, lines []BasketLine, _ Buyer) error {
	if len(lines) == 0 {
		return nil
	}
	included, discounted, excluded := false, false, false
	for i := range lines {
		if lines[i].Product == nil {
			continue
		}
		in, out := coupon.includes(v, &lines[i]), coupon.excludes(v, &lines[i])
		included = included || in
		discounted = discounted || in && !out
		excluded = excluded || out
	}
	switch {
	case !included, !discounted && coupon.Type != pricing.FixedCartCoupon:
		return Faultf(InvalidCoupon, "Coupon %q does not apply to what is in the cart.", coupon.Code)
	case excluded && coupon.Type == pricing.FixedCartCoupon:
		return Faultf(InvalidCoupon, "Coupon %q cannot be used together with something in the cart.", coupon.Code)
	}
	return nil
}

// usableTogether keeps those of the codes that may be used, in their order, and says why the others may not.
// A coupon for individual use stands alone: the first one of its kind wins over all others.
func (v View) usableTogether(codes []string, lines []BasketLine, buyer Buyer) ([]*Coupon, []error) {
	var coupons []*Coupon
	var refusals []error
	for _, code := range codes {
		coupon, err := v.usableCoupon(code, lines, buyer)
		if err != nil {
			refusals = append(refusals, err)
			continue
		}
		coupons = append(coupons, coupon)
	}
	alone := slices.IndexFunc(coupons, func(c *Coupon) bool { return c.IndividualUse })
	if alone < 0 || len(coupons) == 1 {
		return coupons, refusals
	}
	for i, coupon := range coupons {
		if i != alone {
			refusals = append(refusals, standsAlone(coupons[alone], coupon.Code))
		}
	}
	return coupons[alone : alone+1], refusals
}

func standsAlone(alone *Coupon, other string) error {
	return Faultf(InvalidCoupon, "Coupon %q cannot be combined with others, so %q does not apply.", alone.Code, other)
}

// discounts reports whether a coupon takes something off a line.
func (c *Coupon) discounts(v View, line *BasketLine) bool {
	if line.Product == nil {
		return c.Type == pricing.FixedCartCoupon
	}
	return c.Type == pricing.FixedCartCoupon || c.includes(v, line) && !c.excludes(v, line)
}

// includes reports whether the coupon's products or categories name the line; without any, they name all.
func (c *Coupon) includes(v View, line *BasketLine) bool {
	if len(c.ProductIDs) == 0 && len(c.CategoryIDs) == 0 {
		return true
	}
	return line.isOneOf(c.ProductIDs) || line.inCategories(v, c.CategoryIDs)
}

// excludes reports whether the coupon's exceptions name the line.
func (c *Coupon) excludes(v View, line *BasketLine) bool {
	return line.isOneOf(c.ExcludedProductIDs) ||
		line.inCategories(v, c.ExcludedCategoryIDs) ||
		c.ExcludeSaleItems && line.OnSale
}

// isOneOf reports whether the ids name the line's product, or the variable product of its variation.
func (l *BasketLine) isOneOf(ids []int64) bool {
	return slices.Contains(ids, l.Product.ID) || l.Parent != nil && slices.Contains(ids, l.Parent.ID)
}

// inCategories reports whether the line's product is in one of the categories or below one.
func (l *BasketLine) inCategories(v View, categories []int64) bool {
	if len(categories) == 0 {
		return false
	}
	for _, id := range cmp.Or(l.Parent, l.Product).CategoryIDs {
		for depth := 0; id != 0 && depth < maxCategoryDepth; depth++ {
			if slices.Contains(categories, id) {
				return true
			}
			term, known := v.Terms.Get(id)
			if !known {
				break
			}
			id = term.ParentID
		}
	}
	return false
}

// maxCategoryDepth ends the walk to the root should categories ever form a ring.
const maxCategoryDepth = 32
