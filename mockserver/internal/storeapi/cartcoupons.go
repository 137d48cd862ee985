package storeapi

import (
	"net/http"
	"strings"

	"shopcheck/mockserver/internal/rest"
	"shopcheck/mockserver/internal/shop"
)

// The coupons of the cart as a collection of their own.

const (
	couponsPath = "/cart/coupons"
	couponPath  = couponsPath + "/{code:[^/]+}"
)

func cartCouponEndpoints() []rest.Endpoint {
	code := rest.Param{Name: "code", Type: rest.String, Required: true, Max: rest.Bound(maxText), Description: "The coupon's code."}
	return []rest.Endpoint{
		{Methods: []string{http.MethodGet}, Path: couponsPath, Access: rest.Public, Params: reading(), Do: reads(couponList),
			Shows: rest.Records},
		{Methods: []string{http.MethodPost}, Path: couponsPath, Access: rest.Guarded, Params: reading(code), Do: createCoupon,
			Status: http.StatusCreated},
		{Methods: []string{http.MethodDelete}, Path: couponsPath, Access: rest.Guarded, Do: clearCoupons, Shows: rest.Records},
		{Methods: []string{http.MethodGet}, Path: couponPath, Access: rest.Public, Params: reading(), Do: reads(oneCoupon)},
		{Methods: []string{http.MethodDelete}, Path: couponPath, Access: rest.Guarded, Params: []rest.Param{code}, Do: deleteCoupon,
			Shows: rest.NoBody, Status: http.StatusNoContent},
	}
}

// linkedCoupon is a coupon with the links of a collection's member.
var linkedCoupon = rest.Lazily(func() *rest.Record[coupon] {
	return rest.Shown(couponRecord.All(), fields(linksOf(couponsPath, func(c *coupon) member {
		return member{name: c.code, allow: []string{http.MethodGet, http.MethodDelete}}
	})))
})

func couponList(r *rest.Request, quote *shop.CartQuote) (rest.Answer, error) {
	return rest.OK(linkedCoupon.List(rest.NewEncoding(r), couponsOf(quote)))
}

func createCoupon(r *rest.Request) (rest.Answer, error) {
	return changeCart(r, applyCoupon, func(r *rest.Request, quote *shop.CartQuote) (rest.Answer, error) {
		created, err := memberCoupon(quote, r.Args.String("code"))
		if err != nil {
			return rest.Answer{}, err
		}
		return rest.OK(linkedCoupon.Body(rest.NewEncoding(r), created))
	})
}

func clearCoupons(r *rest.Request) (rest.Answer, error) {
	removeAll := func(tx *shop.Tx, who shop.Shopper, _ rest.Args) (*shop.CartQuote, error) {
		return tx.RemoveCoupons(who)
	}
	return changeCart(r, removeAll, couponList)
}

// oneCoupon shows a coupon at its own address, where it has no links.
func oneCoupon(r *rest.Request, quote *shop.CartQuote) (rest.Answer, error) {
	used, err := memberCoupon(quote, r.Path["code"])
	if err != nil {
		return rest.Answer{}, err
	}
	return rest.OK(couponRecord.Body(rest.NewEncoding(r), used))
}

// memberCoupon finds a coupon of the cart by its code.
func memberCoupon(quote *shop.CartQuote, code string) (*coupon, error) {
	for _, used := range couponsOf(quote) {
		if strings.EqualFold(used.code, strings.TrimSpace(code)) {
			return used, nil
		}
	}
	return nil, noSuchCoupon()
}

// noSuchCoupon is the answer about a member that the collection does not have. It is no conflict: the address is wrong.
func noSuchCoupon() error {
	return rest.Errorf(http.StatusNotFound, "shop_rest_cart_coupon_invalid_code", "The cart holds no such coupon.")
}

func deleteCoupon(r *rest.Request) (rest.Answer, error) {
	answer, err := changeCart(r, removeCoupon, noContent)
	if isFault(err, shop.CouponNotApplied) || isFault(err, shop.InvalidCoupon) {
		return rest.Answer{}, noSuchCoupon()
	}
	return answer, err
}
