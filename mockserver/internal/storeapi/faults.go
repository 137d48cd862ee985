package storeapi

import (
	"net/http"

	"shopcheck/mockserver/internal/rest"
	"shopcheck/mockserver/internal/shop"
)

// faults gives the kinds of faults their status and code in the Store API (contract, "Errors").
var faults = rest.FaultTable{
	shop.NoSuchProduct:   {Status: http.StatusNotFound, Code: "shop_rest_product_invalid_id"},
	shop.NoSuchVariation: {Status: http.StatusNotFound, Code: "shop_rest_product_invalid_id"},
	shop.NoSuchTerm:      {Status: http.StatusNotFound, Code: "shop_rest_category_invalid_id"},
	shop.NoSuchTaxonomy:  {Status: http.StatusNotFound, Code: "shop_rest_attribute_invalid_id"},
	shop.NoSuchOrder:     {Status: http.StatusNotFound, Code: "shop_rest_shop_order_invalid_id"},

	shop.InvalidProduct:   {Status: http.StatusBadRequest, Code: "shop_rest_cart_invalid_product"},
	shop.NotEnoughStock:   {Status: http.StatusBadRequest, Code: "shop_rest_product_not_enough_stock"},
	shop.InvalidQuantity:  {Status: http.StatusBadRequest, Code: "shop_rest_product_invalid_quantity"},
	shop.NoSuchCartItem:   {Status: http.StatusConflict, Code: "shop_rest_cart_invalid_key"},
	shop.InvalidCoupon:    {Status: http.StatusBadRequest, Code: "shop_rest_cart_coupon_error"},
	shop.CouponNotApplied: {Status: http.StatusConflict, Code: "shop_rest_cart_coupon_invalid_code"},
	shop.CartFull:         {Status: http.StatusBadRequest, Code: "shop_rest_cart_full"},
	shop.ItemRemoved:      {Status: http.StatusConflict, Code: "shop_rest_cart_item_error"},
	shop.SoldOut:          {Status: http.StatusConflict, Code: "shop_rest_product_out_of_stock"},
	shop.NoSuchRate:       {Status: http.StatusBadRequest, Code: "rest_invalid_param"},

	shop.CartEmpty:           {Status: http.StatusConflict, Code: "shop_rest_checkout_cart_empty"},
	shop.CartInvalid:         {Status: http.StatusConflict, Code: "shop_rest_checkout_invalid_cart"},
	shop.InvalidAddress:      {Status: http.StatusBadRequest, Code: "shop_rest_checkout_invalid_address"},
	shop.NoPaymentMethod:     {Status: http.StatusBadRequest, Code: "shop_rest_checkout_missing_payment_method"},
	shop.PaymentUnavailable:  {Status: http.StatusBadRequest, Code: "shop_rest_checkout_payment_method_disabled"},
	shop.PaymentFailed:       {Status: http.StatusBadRequest, Code: "shop_rest_checkout_payment_error"},
	shop.ShippingRequired:    {Status: http.StatusBadRequest, Code: "shop_rest_invalid_shipping_option"},
	shop.AccountRequired:     {Status: http.StatusForbidden, Code: "shop_rest_guest_checkout_disabled"},
	shop.EmailTaken:          {Status: http.StatusBadRequest, Code: "registration-error-email-exists"},
	shop.UsernameTaken:       {Status: http.StatusBadRequest, Code: "registration-error-username-exists"},
	shop.BelowRefunded:       {Status: http.StatusBadRequest, Code: "shop_rest_order_refunded"},
	shop.NotPayable:          {Status: http.StatusBadRequest, Code: "shop_rest_order_not_payable"},
	shop.WrongOrderKey:       {Status: http.StatusForbidden, Code: "shop_rest_invalid_order"},
	shop.OtherCustomersOrder: {Status: http.StatusForbidden, Code: "shop_rest_invalid_user"},
	shop.WrongBillingEmail:   {Status: http.StatusForbidden, Code: "shop_rest_invalid_billing_email"},
}
