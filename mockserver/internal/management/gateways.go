package management

import (
	"slices"
	"strconv"

	"shopcheck/mockserver/internal/rest"
	"shopcheck/mockserver/internal/shop"
	"shopcheck/mockserver/internal/shop/pricing"
)

type gateway = shop.Gateway

// Payment gateways are changed, never made or deleted.
var gateways = &rest.Resource[gateway]{
	Path:    "/payment_gateways",
	Key:     `[\w-]+`,
	Name:    func(g *gateway) string { return g.Method },
	NoBatch: true,
	Record: rest.Lazily(func() *rest.Record[gateway] {
		return &rest.Record[gateway]{Fields: []rest.Field[gateway]{
			rest.Text("id", func(g *gateway) *string { return &g.Method }, rest.ReadOnly),
			rest.Text("title", func(g *gateway) *string { return &g.Title }),
			rest.Text("description", func(g *gateway) *string { return &g.Description }),
			rest.NewField(
				rest.Param{Name: "order", Type: rest.Integer | rest.String, Description: "Place in the list; empty: none was given."},
				encodeGatewayOrder, decodeGatewayOrder,
			),
			rest.Flag("enabled", func(g *gateway) *bool { return &g.Enabled }),
			rest.Text("method_title", func(g *gateway) *string { return &g.Title }, rest.ReadOnly),
			rest.Text("method_description", func(g *gateway) *string { return &g.Description }, rest.ReadOnly),
			rest.Computed(rest.Param{Name: "method_supports", Type: rest.Array}, func(_ *rest.Encoding, g *gateway) any {
				if g.Method == shop.MockPay {
					return []string{"products", "refunds"}
				}
				return []string{"products"}
			}),
			settingsField(settingsOfGateway,
				func(g *gateway) map[string]string { return withTitle(g.Settings, g.Title) },
				func(g *gateway, changed map[string]string) { g.Settings, g.Title = changed, changed["title"] }, noSetting),
			gatewayConstant("needs_setup", rest.Boolean, false),
			gatewayConstant("post_install_scripts", rest.Array, []string{}),
			rest.TextOf("settings_url", func(e *rest.Encoding, g *gateway) string {
				return e.Site.Home + "/admin/payments/" + g.Method
			}),
			gatewayConstant("connection_url", rest.Null, nil),
			gatewayConstant("setup_help_text", rest.Null, nil),
			gatewayConstant("required_settings_keys", rest.Array, []string{}),
		}}
	}),
	Select: func(v shop.View, r *rest.Request) ([]*gateway, int, error) {
		rows := slices.Collect(shop.Gateways.ByOrder.Ascend(&v.Gateways, nil, nil))
		return rest.Slice(rest.PageOf(r), rows), len(rows), nil
	},
	Find: func(v shop.View, _ *rest.Request, method string) (*gateway, error) { return v.GatewayOf(method) },
	Save: func(tx *shop.Tx, g, _ *gateway, _ rest.Args) error { return g.Save(tx) },
}

var gatewaySettings = []settingField{
	{id: "title", label: "Title", kind: "text", about: "What customers see at checkout."},
	{id: "instructions", label: "Instructions", kind: "textarea", about: "What customers read after they ordered."},
}

// cashSettings are what cash on delivery has besides.
var cashSettings = []settingField{
	{id: shop.EnableForMethods, label: "Shipping methods", kind: "multiselect",
		about: "The shipping method that it is offered with; empty: all.",
		options: rest.Pairs{
			{Name: "Flat rate", Value: rest.Pairs{{Name: pricing.FlatRate, Value: "Every flat rate"}}},
			{Name: "Free shipping", Value: rest.Pairs{{Name: pricing.FreeShipping, Value: "Every free shipping"}}},
			{Name: "Local pick-up", Value: rest.Pairs{{Name: pricing.LocalPickup, Value: "Every local pick-up"}}},
		}},
	{id: shop.EnableForVirtual, label: "Virtual orders", kind: "checkbox", initial: "yes",
		about: "Whether orders that need no shipping may be paid so."},
}

func settingsOfGateway(_ shop.View, g *gateway) []settingField {
	if g.Method == shop.CashOnDelivery {
		return slices.Concat(gatewaySettings, cashSettings)
	}
	return gatewaySettings
}

// encodeGatewayOrder shows a place that was never given as an empty text, as live shops do.
func encodeGatewayOrder(_ *rest.Encoding, b []byte, g *gateway) []byte {
	if g.Order == 0 {
		return rest.AppendString(b, "")
	}
	return rest.AppendInt(b, g.Order)
}

func decodeGatewayOrder(_ *rest.Decoding, g *gateway, value any) (err error) {
	switch place := value.(type) {
	case int64:
		g.Order = place
	case string:
		if g.Order, err = strconv.ParseInt(place, 10, 64); err != nil && place != "" {
			return rest.InvalidParamf("order", "order must be a whole number, or empty.")
		}
	}
	return nil
}

func noSetting(string) bool { return false }

// gatewayConstant is a field that is the same for every gateway of this shop.
func gatewayConstant(name string, kind rest.Type, value any) rest.Field[gateway] {
	return rest.Computed(rest.Param{Name: name, Type: kind}, func(*rest.Encoding, *gateway) any { return value })
}
