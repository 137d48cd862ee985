package management

import (
	"slices"
	"time"

	"shopcheck/fixtures/dialects"
	"shopcheck/mockserver/internal/rest"
	"shopcheck/mockserver/internal/shop"
	"shopcheck/mockserver/internal/state"
)

type webhook = shop.Webhook

// webhooks is the resource (contract, "Events") in one version of the API: the generic one without a trash. The oldest
// version shows no _gmt dates.
func webhooks(namespace string) *rest.Resource[webhook] {
	record := webhookFields
	if namespace == "shop/v1" {
		record = record.Pick(nil, "id", "name", "status", "topic", "resource", "event", "hooks", "delivery_url", "secret",
			"date_created", "date_modified")
	}
	return &rest.Resource[webhook]{
		Path:    "/webhooks",
		Record:  record,
		Name:    func(w *webhook) string { return rest.IDText(w.ID) },
		Filters: webhookFilters,
		Select:  selectWebhooks,
		Find:    rest.ByID(func(v shop.View, _ *rest.Request, id int64) (*webhook, error) { return v.WebhookByID(id) }),
		New: func(_ *shop.Tx, r *rest.Request) (*webhook, error) {
			return &webhook{Home: r.Site.Home, Root: r.Site.Root, Dialect: dialects.Of(r.HTTP.Context())}, nil
		},
		Create: func(tx *shop.Tx, w *webhook, _ rest.Args) error { return w.Create(tx) },
		Save:   func(tx *shop.Tx, w, old *webhook, _ rest.Args) error { return w.Save(tx, old) },
		Delete: func(tx *shop.Tx, w *webhook, _ rest.Args) error { return w.Delete(tx) },
	}
}

var webhookStatuses = []string{shop.WebhookActive, shop.WebhookPaused, shop.WebhookDisabled}

// webhookFields are what a webhook shows. Its secret is written, never shown.
var webhookFields = rest.Lazily(func() *rest.Record[webhook] {
	return &rest.Record[webhook]{Fields: slices.Concat([]rest.Field[webhook]{
		rest.Int("id", func(w *webhook) *int64 { return &w.ID }, rest.ReadOnly),
		rest.Text("name", func(w *webhook) *string { return &w.Name }),
		rest.Text("status", func(w *webhook) *string { return &w.Status },
			rest.OneOf(webhookStatuses...), rest.Default(shop.WebhookActive)),
		rest.Text("topic", func(w *webhook) *string { return &w.Topic }, rest.Required),
		rest.TextOf("resource", func(_ *rest.Encoding, w *webhook) string { return w.Resource() }),
		rest.TextOf("event", func(_ *rest.Encoding, w *webhook) string { return w.Event() }),
		rest.Computed(rest.Param{Name: "hooks", Type: rest.Array}, func(_ *rest.Encoding, w *webhook) any { return w.Hooks() }),
		rest.Text("delivery_url", func(w *webhook) *string { return &w.DeliveryURL }, rest.Required),
		hidden(rest.Text("secret", func(w *webhook) *string { return &w.Secret })),
	},
		rest.Moment("date_created", func(w *webhook) *time.Time { return &w.Created }, nil),
		rest.Moment("date_modified", func(w *webhook) *time.Time { return w.Modified }, nil),
	)}
})

// hidden is a field that is written and never shown.
func hidden(field rest.Field[webhook]) rest.Field[webhook] {
	field.Hidden = true
	return field
}

func webhookFilters() []rest.Param {
	return slices.Concat(listFilters("Only webhooks whose name holds the text.", "desc"), dateFilters(), []rest.Param{
		{Name: "orderby", Type: rest.String, Default: "date", Enum: []string{"date", "id", "include", "title"}},
		{Name: "status", Type: rest.String, Default: "all", Enum: append([]string{"all"}, webhookStatuses...)},
	})
}

// webhookOrders are the orderings of listed webhooks; by id is the order of the table.
var webhookOrders = map[string]*state.Ordered[*webhook]{"date": shop.Webhooks.ByDate, "title": shop.Webhooks.ByTitle}

func selectWebhooks(v shop.View, r *rest.Request) ([]*webhook, int, error) {
	c := conditions[*webhook]{args: r.Args}
	c.dates("after", "before", shop.Webhooks.ByDate)
	c.chosen()
	if status := r.Args.String("status"); status != "all" {
		c.add(shop.Webhooks.Status.Is(status))
	}
	c.text("search", func(w *webhook, want string) bool { return shop.Mentions(want, w.Name) })
	return listed(r, &v.Webhooks, webhookOrders[r.Args.String("orderby")], c.where)
}

// payloads show the record that an event is about.
var payloads = map[string]func(namespace string, v shop.View, site rest.Site, name string) ([]byte, error){
	"coupon": coupons.Body, "customer": customers.Body, "order": orders.Body, "product": products.Body,
}

// Payload returns the body of a webhook's delivery: the record that the event is about, byte for byte as shop/v3 showed
// it after the commit.
func Payload(v shop.View, site rest.Site, event shop.Event) ([]byte, error) {
	return payloads[event.Resource]("shop/v3", v, site, rest.IDText(event.ID))
}
