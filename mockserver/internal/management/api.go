// Package management is the token-authenticated API of the reference shop (shop/v3, and its legacy forms shop/v2 and
// shop/v1): one file a resource, holding its wire record, its endpoints and how it differs from the generic resource.
package management

import (
	"net/http"
	"slices"
	"sync"

	"shopcheck/mockserver/internal/auth"
	"shopcheck/mockserver/internal/rest"
	"shopcheck/mockserver/internal/shop"
)

// APIs gives the management API in its three versions, newest first. They are built once and hold no shop. signIn finds what the
// server of a request knows of those who signed in; without it (nil) the APIs take API keys only.
func APIs(signIn auth.SignInOf) []*rest.API {
	apis := []*rest.API{
		version("shop/v3", faults, edition{products, variations, orders, customers, coupons, nil}),
		version("shop/v2", faults, edition{v2Products, v2Variations, orders, customers, v2Coupons, v2Reviews}),
		version("shop/v1", v1Faults(), edition{v1Products, v1Variations, v1Orders, v1Customers, v1Coupons, v1Reviews}),
	}
	for _, api := range apis {
		api.Authenticate = func(r *rest.Request) error { return authenticate(r, signIn) }
	}
	return apis
}

// edition are the resources that differ between the versions.
type edition struct {
	products, variations *rest.Resource[product]
	orders               *rest.Resource[order]
	customers            *rest.Resource[customer]
	coupons              *rest.Resource[coupon]
	reviews              *rest.Resource[review] // below their product; nil: there are none
}

// reviewEndpoints are the version's own ones, besides those that all have.
func (e edition) reviewEndpoints() []rest.Endpoint {
	if e.reviews == nil {
		return nil
	}
	return deletedReviews(e.reviews.Endpoints())
}

// version is the API in one version: what the versions share, and the resources that differ.
func version(namespace string, faults rest.FaultTable, own edition) *rest.API {
	return &rest.API{
		Namespace: namespace,
		Endpoints: sync.OnceValue(func() []rest.Endpoint {
			return slices.Concat(
				productExtras(own.products), own.products.Endpoints(), own.variations.Endpoints(), variationExtras(), own.reviewEndpoints(),
				attributes.Endpoints(), attributeTerms.Endpoints(),
				termEndpoints(),
				webhooks(namespace).Endpoints(),
				orderExtras(), own.orders.Endpoints(), orderNotes.Endpoints(), refunds.Endpoints(), allRefunds.Endpoints(),
				own.customers.Endpoints(), customerDownloads.Endpoints(),
				own.coupons.Endpoints(),
				taxRates.Endpoints(), taxClassEndpoints(),
				zones.Endpoints(), zoneLocations(), zoneMethods.Endpoints(), shippingMethods.Endpoints(),
				gateways.Endpoints(), roots(),
				adminEndpoints(),
			)
		}),
		Faults: faults,
	}
}

// authenticate runs before the parameters are read: nobody learns more than 401 without credentials, and a caller whose
// key or role does not cover the call gets 403.
func authenticate(r *rest.Request, signIn auth.SignInOf) error {
	if r.Endpoint.Access == rest.Public {
		return nil
	}
	principal, err := auth.Identify(r, signIn)
	if err != nil {
		return err
	}
	r.UserID = principal.UserID
	return principal.Covers(r)
}

// faults gives the kinds of faults their status and code in the management API (contract, "Errors").
var faults = rest.FaultTable{
	shop.NoSuchProduct:      {Status: http.StatusNotFound, Code: "shop_rest_product_invalid_id"},
	shop.NoSuchVariation:    {Status: http.StatusNotFound, Code: "shop_rest_product_variation_invalid_id"},
	shop.NoSuchOrder:        {Status: http.StatusNotFound, Code: "shop_rest_shop_order_invalid_id"},
	shop.NoSuchCustomer:     {Status: http.StatusNotFound, Code: "shop_rest_customer_invalid_id"},
	shop.NoSuchCoupon:       {Status: http.StatusNotFound, Code: "shop_rest_shop_coupon_invalid_id"},
	shop.NoSuchTerm:         {Status: http.StatusNotFound, Code: "shop_rest_term_invalid"},
	shop.NoSuchTaxonomy:     {Status: http.StatusNotFound, Code: "shop_rest_taxonomy_invalid"},
	shop.NoSuchNote:         {Status: http.StatusNotFound, Code: "shop_rest_invalid_id"},
	shop.NoSuchRefund:       {Status: http.StatusNotFound, Code: "shop_rest_shop_order_refund_invalid_id"},
	shop.NoSuchReview:       {Status: http.StatusNotFound, Code: "shop_rest_review_invalid_id"},
	shop.NoSuchWebhook:      {Status: http.StatusNotFound, Code: "shop_rest_shop_webhook_invalid_id"},
	shop.NoSuchTaxRate:      {Status: http.StatusNotFound, Code: "shop_rest_invalid_id"},
	shop.NoSuchTaxClass:     {Status: http.StatusNotFound, Code: "shop_rest_tax_class_invalid_slug"},
	shop.NoSuchZone:         {Status: http.StatusNotFound, Code: "shop_rest_shipping_zone_invalid"},
	shop.NoSuchMethod:       {Status: http.StatusNotFound, Code: "shop_rest_shipping_zone_method_invalid"},
	shop.NoSuchGateway:      {Status: http.StatusNotFound, Code: "shop_rest_payment_gateway_invalid"},
	shop.NoSuchSetting:      {Status: http.StatusNotFound, Code: "rest_setting_setting_invalid"},
	shop.NoSuchSettingGroup: {Status: http.StatusNotFound, Code: "rest_setting_setting_group_invalid"},

	shop.NameRequired:     {Status: http.StatusBadRequest, Code: "shop_rest_product_name_required"},
	shop.SKUTaken:         {Status: http.StatusBadRequest, Code: "shop_rest_product_sku_already_exists"},
	shop.SlugTaken:        {Status: http.StatusBadRequest, Code: "shop_rest_slug_already_exists"},
	shop.TermExists:       {Status: http.StatusBadRequest, Code: "term_exists"},
	shop.MissingParent:    {Status: http.StatusBadRequest, Code: "missing_parent"},
	shop.TaxonomyExists:   {Status: http.StatusBadRequest, Code: "shop_rest_cannot_create"},
	shop.AlreadyTrashed:   {Status: http.StatusGone, Code: "shop_rest_already_trashed"},
	shop.EmailTaken:       {Status: http.StatusBadRequest, Code: "registration-error-email-exists"},
	shop.ProtectedUser:    {Status: http.StatusBadRequest, Code: "shop_rest_cannot_delete"},
	shop.InvalidUsername:  {Status: http.StatusBadRequest, Code: "registration-error-invalid-username"},
	shop.UsernameTaken:    {Status: http.StatusBadRequest, Code: "registration-error-username-exists"},
	shop.ReadOnlyValue:    {Status: http.StatusBadRequest, Code: "shop_rest_customer_invalid_argument"},
	shop.CodeTaken:        {Status: http.StatusBadRequest, Code: "shop_rest_coupon_code_already_exists"},
	shop.NegativeDiscount: {Status: http.StatusBadRequest, Code: "coupon_invalid_amount"},
	shop.TaxClassExists:   {Status: http.StatusBadRequest, Code: "shop_rest_tax_class_exists"},
	shop.ZoneFixed:        {Status: http.StatusForbidden, Code: "shop_rest_shipping_zone_invalid_zone"},
	shop.UnknownMethod:    {Status: http.StatusBadRequest, Code: "shop_rest_shipping_zone_not_created"},
	shop.InvalidProduct:   {Status: http.StatusBadRequest, Code: "shop_rest_invalid_product_id"},
	shop.ProductReference: {Status: http.StatusBadRequest, Code: "shop_rest_required_product_reference"},
	shop.InvalidLine:      {Status: http.StatusBadRequest, Code: "shop_rest_invalid_item_id"},
	shop.NotEnoughStock:   {Status: http.StatusBadRequest, Code: "shop_rest_product_not_enough_stock"},
	shop.InvalidCoupon:    {Status: http.StatusBadRequest, Code: "shop_rest_invalid_coupon"},
	shop.InvalidCustomer:  {Status: http.StatusBadRequest, Code: "shop_rest_invalid_customer_id"},
	shop.InvalidItem:      {Status: http.StatusBadRequest, Code: "shop_rest_invalid_item"},
	shop.InvalidAmount:    {Status: http.StatusBadRequest, Code: "shop_rest_cannot_create_order_refund"},
	shop.BelowRefunded:    {Status: http.StatusBadRequest, Code: "shop_rest_order_refunded"},
	shop.CannotPayBack:    {Status: http.StatusBadRequest, Code: "shop_rest_cannot_create_order_refund"},
	shop.InvalidQuantity:  {Status: http.StatusBadRequest, Code: "shop_rest_invalid_quantity"},

	shop.InvalidSetting:  {Status: http.StatusBadRequest, Code: "rest_setting_value_invalid"},
	shop.InvalidReview:   {Status: http.StatusBadRequest, Code: "shop_rest_review_content_invalid"},
	shop.DuplicateReview: {Status: http.StatusConflict, Code: "shop_rest_comment_duplicate"},

	shop.InvalidTopic:       {Status: http.StatusBadRequest, Code: "shop_rest_shop_webhook_invalid_topic"},
	shop.InvalidDeliveryURL: {Status: http.StatusBadRequest, Code: "shop_rest_shop_webhook_invalid_delivery_url"},
}
