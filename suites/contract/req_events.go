package contract

// Statements about webhooks.

import "shopcheck/reports"

const sectionEvents = "Events"

// WebhookEvent is one event that the contract names.
type WebhookEvent struct {
	Resource string // product, order, customer
	Action   string // created, updated
	Feature  string // what a target must offer beside webhooks, so that the event can be brought about; empty: nothing
}

// Topic is the name under which the event is asked for. The contract shows no topics' names.
func (e WebhookEvent) Topic() string { return e.Resource + "." + e.Action }

// RequirementID is the requirement that the event is told.
func (e WebhookEvent) RequirementID() string { return "webhooks." + e.Topic() }

// WebhookEvents lists the events that the contract names.
func WebhookEvents() []WebhookEvent {
	return []WebhookEvent{
		{"order", "created", ""}, {"order", "updated", ""},
		{"product", "created", ""}, {"product", "updated", ""},
		{"customer", "created", FeatureCustomers}, {"customer", "updated", FeatureCustomers},
	}
}

func eventRequirements() []Requirement {
	g := &group{section: sectionEvents, feature: FeatureWebhooks}
	for _, e := range WebhookEvents() {
		g.must(e.RequirementID(), "When "+article(e.Resource)+" is "+e.Action+", the service sends a webhook request to the subscriber.")
	}
	g.must("webhooks.signature", "Each webhook request carries the header X-Shop-Webhook-Signature.")
	g.must("webhooks.signature-value",
		"The signature is base64 of the HMAC-SHA256 of the payload's bytes, keyed with the webhook's secret.")
	g.should("webhooks.post", "Webhook requests are sent by POST, for they carry a payload.")
	g.must("webhooks.records", "A record of the management API in a payload has its documented fields.")
	g.should("webhooks.json", "The payload of an event is JSON and says so in Content-Type.")
	g.observed("webhooks.payload", "What the payload of an event shows.")
	g.observed("webhooks.headers", "Headers of webhook requests other than the signature.")
	g.observed("webhooks.registration", "How a webhook is registered, and whether its receiver is pinged.")
	g.untestable(reports.Observed, "webhooks.retries", "Whether and when a failed delivery is tried again.",
		"the contract names no delay, and a run does not last for hours")
	g.untestable(reports.Should, "webhooks.receivers", "A receiver answers 401 when the signature does not match and 200 otherwise.",
		"a rule for receivers: the harness is one, and the target is none")
	g.untestable(reports.Must, "webhooks.apis-emit-none", "The REST APIs themselves emit no events.",
		"it says what is not there")
	return g.list
}
