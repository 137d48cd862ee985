package management

import (
	"net/http"
	"slices"

	"shopcheck/mockserver/internal/rest"
	"shopcheck/mockserver/internal/shop"
)

// System status: what kind of shop this is. A live shop tells about the machine that it runs on; this one has none, tells
// what it is set up to, and keeps nothing that a tool could clear or repair.

// adminEndpoints are what staff look up and set up besides the shop's own records.
func adminEndpoints() []rest.Endpoint {
	return slices.Concat(settingEndpoints(), reviewEndpoints(), dataEndpoints(), reportEndpoints(), systemEndpoints())
}

func systemEndpoints() []rest.Endpoint {
	status := rest.Endpoint{
		Methods: readMethods,
		Path:    "/system_status",
		Access:  rest.Read,
		Do: func(r *rest.Request) (rest.Answer, error) {
			return rest.OK(systemStatus(r.View, r.Site, r.API.Namespace))
		},
	}
	return append([]rest.Endpoint{status}, tools.Endpoints()...)
}

func systemStatus(v shop.View, site rest.Site, namespace string) rest.Pairs {
	c := v.Config
	return rest.Pairs{
		{Name: "environment", Value: rest.Pairs{
			{Name: "home_url", Value: site.Home}, {Name: "site_url", Value: site.Root}, {Name: "version", Value: namespace},
			{Name: "server_info", Value: "shopmock"},
		}},
		{Name: "database", Value: rest.Pairs{{Name: "database_prefix", Value: ""}, {Name: "database_tables", Value: rest.Pairs{}}}},
		{Name: "active_plugins", Value: []string{}}, {Name: "inactive_plugins", Value: []string{}},
		{Name: "dropins_mu_plugins", Value: []string{}},
		{Name: "theme", Value: rest.Pairs{}},
		{Name: "settings", Value: rest.Pairs{
			{Name: "api_enabled", Value: true}, {Name: "force_ssl", Value: false}, {Name: "currency", Value: c.Currency},
			{Name: "currency_symbol", Value: c.CurrencySymbol},
			{Name: "currency_position", Value: string(c.CurrencyPosition)}, {Name: "thousand_separator", Value: c.ThousandSeparator},
			{Name: "decimal_separator", Value: c.DecimalSeparator}, {Name: "number_of_decimals", Value: int64(c.Decimals)},
			{Name: "geolocation_enabled", Value: false},
			{Name: "taxonomies", Value: themselves(
				string(shop.External), string(shop.Grouped), string(shop.Simple), string(shop.Variable))},
			{Name: "product_visibility_terms", Value: themselves("exclude-from-catalog", "exclude-from-search", "featured", "outofstock",
				"rated-1", "rated-2", "rated-3", "rated-4", "rated-5")},
		}},
		{Name: "security", Value: rest.Pairs{{Name: "secure_connection", Value: false}, {Name: "hide_errors", Value: true}}},
		{Name: "pages", Value: []string{}},
		{Name: "post_type_counts", Value: []rest.Pairs{
			counted("product", v.Products.Len()), counted("product_variation", v.Variations.Len()),
			counted("shop_order", v.Orders.Len()), counted("shop_coupon", v.Coupons.Len()),
		}},
	}
}

// themselves is an object whose keys are their own values: the terms of a taxonomy by their slugs.
func themselves(slugs ...string) rest.Pairs {
	pairs := make(rest.Pairs, len(slugs))
	for i, slug := range slugs {
		pairs[i] = rest.Extra{Name: slug, Value: slug}
	}
	return pairs
}

func counted(kind string, count int) rest.Pairs {
	return rest.Pairs{{Name: "type", Value: kind}, {Name: "count", Value: count}}
}

// tool is something that a live shop can be told to clean up. Here there is nothing to do, and running one says so.
type tool struct {
	id, name, action, about, result string
	confirm                         bool
}

var toolList = []*tool{
	{id: "clear_transients", name: "Clear caches", action: "Clear", about: "Forgets what was kept to answer sooner.",
		result: "This shop's answers are always made from its records: there was nothing to clear."},
	{id: "clear_expired_download_permissions", name: "Clear expired downloads", action: "Clear",
		about: "Removes permissions that have expired.", result: "Permissions follow from orders: there was nothing to clear."},
	{id: "recount_terms", name: "Count terms", action: "Count", about: "Counts the products of each category and tag.",
		result: "Counts are made when they are asked for: there was nothing to count."},
	{id: "clear_sessions", name: "Clear sessions", action: "Clear", about: "Removes the carts of visitors who have gone.",
		result: "Sessions end by themselves: there was nothing to clear."},
}

var tools = &rest.Resource[tool]{
	Path: "/system_status/tools", Key: `[^/]+`, Unpaged: true, NoBatch: true,
	Name: func(t *tool) string { return t.id },
	Record: rest.Lazily(func() *rest.Record[tool] {
		return &rest.Record[tool]{Fields: []rest.Field[tool]{
			dataText("id", func(t *tool) string { return t.id }),
			dataText("name", func(t *tool) string { return t.name }),
			dataText("action", func(t *tool) string { return t.action }),
			dataText("description", func(t *tool) string { return t.about }),
			whenRun(rest.FlagOf("success", func(*rest.Encoding, *tool) bool { return true })),
			whenRun(dataText("message", func(t *tool) string { return t.result })),
			runTool(),
		}}
	}),
	Select: func(shop.View, *rest.Request) ([]*tool, int, error) { return whole(toolList) },
	Find: func(_ shop.View, _ *rest.Request, id string) (*tool, error) {
		for _, known := range toolList {
			if known.id == id {
				return known, nil
			}
		}
		return nil, rest.Errorf(http.StatusNotFound, "shop_rest_system_status_tool_invalid_id", "There is no tool %q.", id)
	},
	Save: func(_ *shop.Tx, t, _ *tool, args rest.Args) error {
		t.confirm = t.confirm || !args.Has("confirm")
		return nil
	},
}

// runTool takes the wish to run a tool. An update that says nothing of it runs the tool, too: there is nothing else to update.
func runTool() rest.Field[tool] {
	return rest.Field[tool]{
		Param:  rest.Param{Name: "confirm", Type: rest.Boolean, Description: "false does not run the tool."},
		Hidden: true,
		Decode: func(_ *rest.Decoding, t *tool, value any) error { t.confirm = value.(bool); return nil },
	}
}

// whenRun shows a field only of a tool that has been run.
func whenRun(field rest.Field[tool]) rest.Field[tool] {
	field.Absent = func(_ *rest.Encoding, t *tool) bool { return !t.confirm }
	return field
}
