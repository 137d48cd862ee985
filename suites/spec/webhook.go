package spec

// Given webhooks, and waiting for what they send.

import (
	"bytes"
	"context"
	"net/http"
	"time"

	"github.com/tidwall/gjson"

	"shopcheck/reports/nesting"
	"shopcheck/suites/client"
	"shopcheck/suites/expect"
	"shopcheck/suites/receiver"
)

// Headers of a delivery.
const (
	SignatureHeader = receiver.SignatureHeader
	TopicHeader     = "X-Shop-Webhook-Topic" // names the topic at shops that send it; the contract does not show it
)

// Webhook is a subscription to one topic.
type Webhook struct {
	Topic  string
	Secret string
	Answer *client.Answer // to its registration; nil for one that existed before

	env      *Env
	receiver *receiver.Receiver
	path     string
	since    time.Time
}

// GivenWebhook registers a webhook, for a path of the receiver of its own. Where the profile knows webhooks that exist
// already, it is one of those.
func (e *Env) GivenWebhook(ctx context.Context, topic string) Webhook {
	w := Webhook{Topic: topic, Secret: e.Profile().Webhooks.Secret, env: e, receiver: e.receiver(), since: time.Now()}
	if w.Secret != "" {
		return w
	}
	w.path, w.Secret = "/"+e.Word(), e.Unique("whsec")
	w.Answer = e.Collection("webhooks").Create(ctx, Fields{"name": e.Unique("shopcheck"), "topic": topic,
		"delivery_url": w.receiver.Register(w.path), "secret": w.Secret})
	if !w.Answer.OK() {
		e.run.CouldNotRun("the target registers no webhook for %s: POST /shop/v3/webhooks is answered with %d %s; "+
			"if it has webhooks already, set webhooks.secret",
			topic, w.Answer.Status, w.Answer.Code())
	}
	return w
}

// receiver gets the target's webhooks. Where the target reaches none, the spec could not run.
func (e *Env) receiver() *receiver.Receiver {
	if e.run.Receiver == nil {
		e.run.CouldNotRun("%s", e.run.NoReceiver)
	}
	return e.run.Receiver
}

// Remove ends the subscription.
func (w Webhook) Remove(ctx context.Context) {
	if w.Answer != nil {
		w.env.Collection("webhooks").ForceDelete(ctx, w.Answer.ID())
	}
}

// Subject is the record that a delivery is about: its id, and a word that only it holds.
type Subject struct {
	ID   int64
	Word string
}

// in reports whether a delivery of the topic is about the record.
func (r Subject) in(topic string, c *client.Client) func(receiver.Delivery) bool {
	return func(d receiver.Delivery) bool {
		if named := c.Header(d.Header).Get(TopicHeader); named != "" && named != topic {
			return false
		}
		about := nesting.ValidJSON(d.Body) && gjson.GetBytes(d.Body, "id").Int() == r.ID
		return about || r.Word != "" && bytes.Contains(d.Body, []byte(r.Word))
	}
}

// Await waits for the delivery about a record: event is that delivery in the form of an answer, of status 0 when it has
// not come; all is what else the webhook has sent, too.
func (w Webhook) Await(ctx context.Context, about Subject) (event *client.Answer, all []*client.Answer) {
	began, wanted := time.Now(), about.in(w.Topic, w.env.run.Client)
	w.env.run.Await(ctx, w.path, wanted)
	took := time.Since(began)
	for _, d := range w.receiver.Deliveries(w.path) {
		if d.At.Before(w.since) {
			continue
		}
		a := w.env.run.Delivered(w.Topic, d, took)
		all = append(all, a)
		if event == nil && wanted(d) {
			event = a
		}
	}
	if event == nil {
		event = &client.Answer{Method: http.MethodPost, Path: "webhook " + w.Topic, Header: http.Header{}, Exchange: expect.NoExchange}
		if len(all) > 0 {
			event.Exchange = all[0].Exchange - 1 // the last request before: the one that should have caused it
		}
	}
	return event, all
}
