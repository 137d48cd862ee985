package management

import (
	"net/http"
	"slices"

	"shopcheck/mockserver/internal/rest"
	"shopcheck/mockserver/internal/shop"
	"shopcheck/mockserver/internal/shop/pricing"
	"shopcheck/mockserver/internal/state"
)

// The kinds of shipping methods, and the settings that each has.

// methodKind describes one kind of shipping method.
type methodKind struct {
	id, title, about string
	settings         []settingField
	byClass          []settingField // besides the cost of each shipping class, in shops that have some
}

// settingsIn are the settings that the kind has in a shop.
func (k methodKind) settingsIn(v shop.View) []settingField {
	if k.byClass == nil {
		return k.settings
	}
	classes, _ := v.Terms.Select(state.Query[*shop.Term]{
		Where: []state.Condition[*shop.Term]{shop.Terms.Taxonomy.Is(shop.TaxonomyShippingClass)}, OrderBy: shop.Terms.ByName,
	})
	if len(classes) == 0 {
		return k.settings
	}
	all := slices.Clone(k.settings)
	for _, class := range classes {
		all = append(all, settingField{
			id: classCost + rest.IDText(class.ID), label: "Cost of " + class.Name, kind: "text",
			about: "Added for products of this shipping class.", valid: pricing.ValidCost,
		})
	}
	return append(all, k.byClass...)
}

// classCost begins the id of a setting that is the cost of one shipping class.
const classCost = "class_cost_"

var (
	taxStatusSetting = settingField{id: "tax_status", label: "Tax status", kind: "select", initial: "taxable",
		about:   "Whether shipping is taxed.",
		options: rest.Pairs{{Name: "taxable", Value: "Taxable"}, {Name: "none", Value: "Not taxed"}}}
	costSetting = settingField{id: "cost", label: "Cost", kind: "text",
		about: "What shipping costs without tax: an amount, or a sum with [qty], [cost], [weight] and [fee].", valid: pricing.ValidCost}
)

var methodKinds = []methodKind{
	{pricing.FlatRate, "Flat rate", "A fixed price for the parcel.", []settingField{
		titleSetting("Flat rate"), taxStatusSetting, costSetting,
	}, []settingField{
		{id: "no_class_cost", label: "Cost without a class", kind: "text", about: "Added for products of no shipping class.",
			valid: pricing.ValidCost},
		{id: "type", label: "Calculation", kind: "select", initial: "class",
			about:   "Whether each shipping class is charged, or the dearest only.",
			options: rest.Pairs{{Name: "class", Value: "Each class"}, {Name: "order", Value: "The dearest class"}}},
	}},
	{pricing.FreeShipping, "Free shipping", "Costs nothing, for orders or coupons that earn it.", []settingField{
		titleSetting("Free shipping"),
		{id: "requires", label: "Requires", kind: "select", about: "What an order needs to be shipped for nothing.", options: rest.Pairs{
			{Name: "", Value: "Nothing"}, {Name: "coupon", Value: "A coupon for free shipping"},
			{Name: "min_amount", Value: "A minimum amount"},
			{Name: "either", Value: "A minimum amount or a coupon"}, {Name: "both", Value: "A minimum amount and a coupon"},
		}},
		{id: "min_amount", label: "Minimum amount", kind: "text", initial: "0", about: "What the order must cost at least.",
			valid: emptyOrAmount},
		{id: "ignore_discounts", label: "Before discounts", kind: "checkbox", initial: "no",
			about:   "Whether the amount counts before coupons.",
			options: rest.Pairs{{Name: "no", Value: "No"}, {Name: "yes", Value: "Yes"}}},
	}, nil},
	{pricing.LocalPickup, "Local pick-up", "The customer collects the order; the shop's own taxes apply.", []settingField{
		titleSetting("Local pick-up"), taxStatusSetting, costSetting,
	}, nil},
}

func emptyOrAmount(text string) bool {
	amount, ok := pricing.ParseAmount(text)
	return text == "" || ok && !amount.IsNegative()
}

func titleSetting(initial string) settingField {
	return settingField{id: "title", label: "Name", kind: "text", initial: initial, about: "What customers see."}
}

// kindOfMethod describes a kind of shipping method; one that is not known has nothing but its id.
func kindOfMethod(id string) methodKind {
	if at := slices.IndexFunc(methodKinds, func(k methodKind) bool { return k.id == id }); at >= 0 {
		return methodKinds[at]
	}
	return methodKind{id: id, title: id}
}

// shippingMethods lists the kinds.
var shippingMethods = &rest.Resource[methodKind]{
	Path: "/shipping_methods",
	Key:  `[\w-]+`,
	Name: func(k *methodKind) string { return k.id },
	Record: rest.Lazily(func() *rest.Record[methodKind] {
		return &rest.Record[methodKind]{Fields: []rest.Field[methodKind]{
			rest.Text("id", func(k *methodKind) *string { return &k.id }, rest.ReadOnly),
			rest.Text("title", func(k *methodKind) *string { return &k.title }, rest.ReadOnly),
			rest.Text("description", func(k *methodKind) *string { return &k.about }, rest.ReadOnly),
		}}
	}),
	Select: func(_ shop.View, r *rest.Request) ([]*methodKind, int, error) {
		var rows []*methodKind
		for i := range methodKinds {
			rows = append(rows, &methodKinds[i])
		}
		return rest.Slice(rest.PageOf(r), rows), len(rows), nil
	},
	Find: func(_ shop.View, _ *rest.Request, id string) (*methodKind, error) {
		if at := slices.IndexFunc(methodKinds, func(k methodKind) bool { return k.id == id }); at >= 0 {
			return &methodKinds[at], nil
		}
		return nil, rest.Errorf(http.StatusNotFound, "shop_rest_shipping_method_invalid", "There is no kind of shipping method %q.", id)
	},
}
