package mockserver

// Topics of webhooks that are brought about by hand.

import (
	"context"
	"encoding/json"

	"shopcheck/mockserver/internal/trigger"
)

// Triggered is what Trigger has done.
type Triggered struct {
	Made       []MadeRecord
	Record     json.RawMessage // the record that the topic is about, as the management API showed it last
	Deliveries []Delivery      // what went out to webhooks meanwhile
}

// MadeRecord is a record that was made.
type MadeRecord struct {
	Resource string // order, product, customer, coupon
	ID       int64
}

// Delivery is what was sent to a webhook's receiver, or was to be.
type Delivery struct {
	ID        int64 `json:"id"`
	RepeatOf  int64 `json:"repeat_of"` // the delivery whose body was sent again; 0: none
	WebhookID int64 `json:"webhook_id"`
	Topic     string
	URL       string
	State     string // waiting, delivered, failed, skipped, dropped
	Reason    string // why it failed or was not sent
	Fault     string // what was done to it on purpose, as a fault rule says; "": nothing
	Status    int    // of the answer; 0: there was none
}

// TriggerTopics returns the topics that Trigger can bring about: "order.created", "action.shop_new_order" …
func TriggerTopics() []string { return trigger.Topics() }

// Trigger makes real records, by the rules of the management API, and does with them what a topic of webhooks tells of: webhooks that are
// registered for it go out by themselves, and are waited for, 10 seconds at most. set has values by their places in the record:
// {"total": "199.00", "line_items.0.quantity": 2}. An error tells what cannot be; then nothing has changed.
func (s *Server) Trigger(ctx context.Context, topic string, set map[string]any) (Triggered, error) {
	var done Triggered
	answer, err := s.shop.Trigger(ctx, trigger.Wanted{Topic: topic, Set: set})
	if err != nil {
		return done, err
	}
	return done, json.Unmarshal(answer, &done)
}
