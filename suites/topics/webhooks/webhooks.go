// Package webhooks is the topic of events: what the service sends to a subscriber's address, and how it is signed.
package webhooks

import (
	"context"
	"slices"
	"strings"

	. "github.com/onsi/ginkgo/v2"

	"shopcheck/suites/client"
	"shopcheck/suites/contract"
	. "shopcheck/suites/spec"
)

// Register declares the topic's specs.
func Register(env *Env) {
	t := topic{env}
	Describe("event", t.events)
	Describe("registration", t.registration)
}

// topic groups the specs of webhooks around their environment.
type topic struct{ *Env }

func (t topic) events() {
	for _, event := range contract.WebhookEvents() {
		It(event.Topic()+" is told to the subscriber", Req(event.RequirementID(), "webhooks.signature", "webhooks.signature-value",
			"webhooks.post", "webhooks.records", "webhooks.json", "webhooks.payload", "webhooks.headers"),
			t.needs(event), func(ctx SpecContext) {
				t.isTold(ctx, event, one(t.prepare(ctx, event)))
			})
	}

	for _, event := range contract.WebhookEvents() {
		if event.Action == "updated" {
			It(event.Topic()+" is told of a batch, too", Req(event.RequirementID(), "webhooks.signature", "webhooks.signature-value",
				"webhooks.post", "webhooks.records", "webhooks.json"), t.needs(event), func(ctx SpecContext) {
				t.isTold(ctx, event, t.batched(ctx, event))
			})
		}
	}

	It("order.created is told of a checkout, too", Req("webhooks.order.created", "webhooks.signature", "webhooks.signature-value",
		"webhooks.post", "webhooks.records", "webhooks.json"), Needs(contract.FeatureStoreCart, contract.FeatureStoreCheckout),
		func(ctx SpecContext) {
			t.isTold(ctx, contract.WebhookEvents()[0], one(func(ctx context.Context) Subject {
				order := t.GivenPurchase(ctx)
				return Subject{ID: order.ID, Word: order.Key}
			}))
		})
}

// one is a change that brings about one event.
func one(change func(context.Context) Subject) func(context.Context) []Subject {
	return func(ctx context.Context) []Subject { return []Subject{change(ctx)} }
}

// isTold expects that the subscriber is told of each event that a change brings about.
func (t topic) isTold(ctx SpecContext, event contract.WebhookEvent, change func(context.Context) []Subject) {
	hook := t.GivenWebhook(ctx, event.Topic())
	DeferCleanup(func(ctx SpecContext) { hook.Remove(ctx) })

	for _, subject := range Fresh(t.Env, func() []Subject { return change(ctx) }) {
		delivery, all := hook.Await(ctx, subject)
		Expect(delivery).To(BeDelivered(t.Profile().Webhooks.Patience))
		t.holds(delivery, event, subject)
		for _, request := range all {
			if request == delivery || isEvent(request) {
				t.isSigned(request, hook.Secret)
			}
		}
	}
}

// batched makes two records, and gives a batch that changes them.
func (t topic) batched(ctx context.Context, e contract.WebhookEvent) func(context.Context) []Subject {
	records, field := map[string]Resource{"order": t.Orders, "product": t.Products, "customer": t.Customers}[e.Resource],
		map[string]string{"order": "customer_note", "product": "name", "customer": "first_name"}[e.Resource]
	ids := []int64{t.made(ctx, e.Resource), t.made(ctx, e.Resource)}
	return func(ctx context.Context) (subjects []Subject) {
		var changes []Fields
		for _, id := range ids {
			subject := Subject{ID: id, Word: t.Word()}
			subjects, changes = append(subjects, subject), append(changes, Fields{"id": id, field: subject.Word})
		}
		t.mustChange(records.Batch(ctx, Fields{"update": changes}))
		return subjects
	}
}

// made makes a record of a resource.
func (t topic) made(ctx context.Context, resource string) int64 {
	switch resource {
	case "order":
		return t.GivenOrder(ctx).ID
	case "customer":
		return t.GivenCustomer(ctx)
	}
	return t.GivenProduct(ctx).ID
}

// needs names the features that it takes to bring the event about.
func (t topic) needs(e contract.WebhookEvent) any {
	return Needs(slices.DeleteFunc([]string{contract.FeatureManagement, e.Feature}, func(name string) bool { return name == "" })...)
}

// prepare does what must be there before the webhook is, and gives what brings the event about.
func (t topic) prepare(ctx context.Context, e contract.WebhookEvent) func(context.Context) Subject {
	switch e.Topic() {
	case "order.created":
		return func(ctx context.Context) Subject {
			order := t.GivenOrder(ctx)
			return Subject{ID: order.ID, Word: order.Key}
		}
	case "order.updated":
		order := t.GivenOrder(ctx)
		return func(ctx context.Context) Subject {
			t.mustChange(t.Orders.Update(ctx, order.ID, Fields{"status": "completed"}))
			return Subject{ID: order.ID, Word: order.Key}
		}
	case "customer.created":
		return func(ctx context.Context) Subject {
			customer := t.GivenCustomerWith(ctx, nil)
			return Subject{ID: customer.ID(), Word: customer.Get("email").String()}
		}
	case "customer.updated":
		return t.renamed(t.Customers, t.GivenCustomer(ctx), "first_name")
	case "product.updated":
		return t.renamed(t.Products, t.GivenProduct(ctx).ID, "name")
	default:
		return func(ctx context.Context) Subject {
			product := t.GivenProduct(ctx)
			return Subject{ID: product.ID, Word: product.Name}
		}
	}
}

// renamed changes a name that a record has.
func (t topic) renamed(records Resource, id int64, field string) func(context.Context) Subject {
	return func(ctx context.Context) Subject {
		word := t.Word()
		t.mustChange(records.Update(ctx, id, Fields{field: word}))
		return Subject{ID: id, Word: word}
	}
}

// mustChange: without the event there is nothing to tell.
func (t topic) mustChange(update *client.Answer) {
	if !update.OK() {
		t.CouldNotRun("the event cannot be brought about: %v", update)
	}
}

// isEvent reports whether a webhook request tells an event. What a shop sends as a webhook is registered is none: the contract does
// not say that it is signed.
func isEvent(request *client.Answer) bool { return request.IsJSON() && request.Get("id").Exists() }

// isSigned checks what is true of every webhook request about an event.
func (t topic) isSigned(request *client.Answer, secret string) {
	t.For("webhooks.post").Expect(request.Method).To(Equal(POST), "the method of a webhook request")
	t.For("webhooks.signature").Expect(request).To(HaveHeader(SignatureHeader, BeNonEmpty()))
	t.For("webhooks.signature-value").Expect(request).To(BeSignedWith(secret))
}

// holds checks what an event tells. The contract does not show it: what is meant as a record must be one.
func (t topic) holds(delivery *client.Answer, e contract.WebhookEvent, subject Subject) {
	t.For("webhooks.json").Expect(delivery).To(HaveHeader("Content-Type", HavePrefix("application/json")))
	t.Observe("webhooks."+e.Topic()+".headers", strings.Join(ownHeaders(delivery), ", "))
	shape := shapes()[e.Resource]
	isRecord := IsRecord(delivery.JSON(), shape)
	t.Observe("webhooks."+e.Topic()+".payload-is-the-record", isRecord)
	if isRecord {
		t.For("webhooks.records").Expect(delivery).To(ShowRecord(shape))
		t.For("webhooks.records").Expect(delivery).To(HaveJSON("id", subject.ID))
		if subject.Word != "" { // what was changed, or is the record's own
			t.For("webhooks.records").Expect(delivery).To(HaveText(subject.Word))
		}
	}
}

// shapes are the documented records that events are about.
func shapes() map[string]*contract.Shape {
	return map[string]*contract.Shape{"order": contract.Order(), "product": contract.Product(), "customer": contract.Customer()}
}

// ownHeaders are those that the target has thought of itself.
func ownHeaders(delivery *client.Answer) []string {
	var names []string
	for name := range delivery.Header {
		if strings.HasPrefix(name, "X-") {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

func (t topic) registration() {
	It("is answered, and followed by a ping or not", Req("webhooks.registration"), Needs(contract.FeatureManagement),
		func(ctx SpecContext) {
			hook := t.GivenWebhook(ctx, "product.created")
			DeferCleanup(func(ctx SpecContext) { hook.Remove(ctx) })
			if hook.Answer == nil {
				t.NotApplicable("the profile knows webhooks that exist already")
			}
			product := Fresh(t.Env, func() Product { return t.GivenProduct(ctx) })

			_, all := hook.Await(ctx, Subject{ID: product.ID, Word: product.Name})

			t.Observe("webhooks.registration.status", hook.Answer.Status)
			t.Observe("webhooks.registration.shows-secret", hook.Answer.Get("secret").Exists())
			ping := slices.IndexFunc(all, func(request *client.Answer) bool { return !isEvent(request) })
			t.Observe("webhooks.registration.ping", ping >= 0)
			if ping >= 0 {
				t.Observe("webhooks.registration.ping-signed", all[ping].Header.Get(SignatureHeader) != "")
			}
		})
}
