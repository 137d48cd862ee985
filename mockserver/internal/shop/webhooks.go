package shop

// Webhooks: who wants to be told of which events, and what becomes of one whose receiver keeps failing.

import (
	"cmp"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"

	"shopcheck/mockserver/internal/state"
)

// States of a webhook. Only an active one is delivered to.
const (
	WebhookActive   = "active"
	WebhookPaused   = "paused"
	WebhookDisabled = "disabled"
)

// MaxWebhookFailures is how many deliveries in a row may fail: the last of them disables the webhook.
const MaxWebhookFailures = 7

// Webhook is a subscription of a receiver to one topic.
type Webhook struct {
	ID          int64
	Name        string
	Status      string // WebhookActive …
	Topic       string // "order.created", or "action." and the name of a hook
	DeliveryURL string
	Secret      string // keys the signature; never shown
	Home        string // address of the shop's pages, as the client that registered the webhook reached it
	Root        string // address of the APIs, likewise: links in payloads begin with it
	Dialect     string // in which it was registered: that of what it is sent
	Failures    int64  // deliveries that failed since the last one that did not
	Created     time.Time
	Modified    *time.Time // nil in what a creation answers, and nowhere else, as in live shops
}

// RowID identifies the webhook in its table.
func (w *Webhook) RowID() int64 { return w.ID }

// Resource is the first half of the topic: order, product … or action.
func (w *Webhook) Resource() string {
	resource, _, _ := strings.Cut(w.Topic, ".")
	return resource
}

// Event is the second half of the topic: created, updated … or the name of a hook.
func (w *Webhook) Event() string {
	_, event, _ := strings.Cut(w.Topic, ".")
	return event
}

// Hooks names the hooks that the webhook listens to.
func (w *Webhook) Hooks() []string {
	if w.Resource() == actionTopics {
		return []string{w.Event()}
	}
	return []string{Event{Resource: w.Resource(), Action: w.Event()}.Hook()}
}

const actionTopics = "action"

var hookVerbs = map[string]string{"created": "new", "updated": "update", "deleted": "delete", "restored": "restore"}

// Hook is the name under which an event is known to webhooks of the topics "action.<hook>".
func (e Event) Hook() string { return "shop_" + hookVerbs[e.Action] + "_" + e.Resource }

// kept is the action of a post that was kept with another status: it may have gone to the trash, or have come back.
func kept(before, after string) string {
	switch {
	case before == StatusTrash && after != StatusTrash:
		return "restored"
	case before != StatusTrash && after == StatusTrash:
		return "deleted"
	}
	return "updated"
}

// Topics are the topics that an event belongs to.
func (e Event) Topics() [2]string {
	return [2]string{e.Resource + "." + e.Action, actionTopics + "." + e.Hook()}
}

var (
	topicResources = []string{"coupon", "customer", "order", "product"}
	topicActions   = []string{"created", "updated", "deleted", "restored"}

	// hookName has a part for each letter that there may be: it is made when somebody asks for it, not when a program starts.
	hookName = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[A-Za-z0-9_][A-Za-z0-9_.-]{0,99}$`) })
)

// Events lists what a shop tells of, without ids.
func Events() []Event {
	var all []Event
	for _, resource := range topicResources {
		for _, action := range topicActions {
			all = append(all, Event{Resource: resource, Action: action})
		}
	}
	return all
}

func knownTopic(topic string) bool {
	resource, event, _ := strings.Cut(topic, ".")
	if resource == actionTopics {
		return hookName().MatchString(event)
	}
	return slices.Contains(topicResources, resource) && slices.Contains(topicActions, event)
}

// WebhookIndexes are the ways to find webhooks.
type WebhookIndexes struct {
	schema          *state.Schema[*Webhook]
	Status, Topic   *state.Facet[*Webhook]
	ByDate, ByTitle *state.Ordered[*Webhook]
}

func defineWebhooks() WebhookIndexes {
	s := state.Define[*Webhook]("webhooks")
	return WebhookIndexes{
		schema:  s,
		Status:  s.Single("status", func(w *Webhook) string { return w.Status }),
		Topic:   s.Single("topic", func(w *Webhook) string { return w.Topic }),
		ByDate:  s.Ordered("date", func(w *Webhook) (state.Key, bool) { return state.Key{Num: w.Created.Unix()}, true }),
		ByTitle: s.Ordered("title", func(w *Webhook) (state.Key, bool) { return state.Key{Text: strings.ToLower(w.Name)}, true }),
	}
}

// WebhookByID finds a webhook. Fault: NoSuchWebhook.
func (v View) WebhookByID(id int64) (*Webhook, error) {
	if w, known := v.Webhooks.Get(id); known {
		return w, nil
	}
	return nil, Faultf(NoSuchWebhook, "There is no webhook %d.", id)
}

// Create registers a webhook; its receiver is pinged after the commit. Faults: InvalidTopic, InvalidDeliveryURL.
func (w *Webhook) Create(tx *Tx) error {
	w.ID, w.Created = next(&tx.LastID.Webhook), tx.Now
	row := *w
	if err := row.keep(tx); err != nil {
		return err
	}
	*w = row
	w.Modified = nil
	tx.emit("webhook", "created", w.ID)
	return nil
}

// Save keeps a changed copy of a webhook. One that becomes active again starts without failures; without a
// secret it keeps the one that it had.
//
// Faults: InvalidTopic, InvalidDeliveryURL.
func (w *Webhook) Save(tx *Tx, old *Webhook) error {
	if w.Status == WebhookActive && old.Status != WebhookActive {
		w.Failures = 0
	}
	w.Secret = cmp.Or(w.Secret, old.Secret)
	return w.keep(tx)
}

const secretLength = 50

func (w *Webhook) keep(tx *Tx) error {
	if !knownTopic(w.Topic) {
		return Faultf(InvalidTopic, "%.80q is no topic: take coupon, customer, order or product with .created, .updated, .deleted or "+
			".restored, or action. with the name of a hook.", w.Topic)
	}
	if !ValidWebAddress(w.DeliveryURL) {
		return Faultf(InvalidDeliveryURL,
			"Deliveries need an absolute address that begins with http:// or https:// and has at most %d characters.", MaxWebAddress)
	}
	if w.Name == "" {
		w.Name = "Webhook of " + tx.Now.Format("2 January 2006, 15:04")
	}
	if w.Secret == "" {
		w.Secret = tx.Token(secretLength)
	}
	w.Modified = DateOf(tx.Now)
	return tx.Webhooks.Put(tx.rows, w)
}

// Delete removes a webhook for good.
func (w *Webhook) Delete(tx *Tx) error {
	tx.Webhooks.Delete(tx.rows, w.ID)
	return nil
}

// CountDelivery keeps the number of failures in a row. The one that is too many disables the webhook. A webhook that
// is gone is left alone.
func (tx *Tx) CountDelivery(id int64, delivered bool) error {
	w, known := tx.Webhooks.Get(id)
	if !known {
		return nil
	}
	changed := *w
	changed.Failures++
	if delivered {
		changed.Failures = 0
	}
	if changed.Failures >= MaxWebhookFailures && w.Status == WebhookActive {
		changed.Status, changed.Modified = WebhookDisabled, DateOf(tx.Now)
	}
	return tx.Webhooks.Put(tx.rows, &changed)
}
