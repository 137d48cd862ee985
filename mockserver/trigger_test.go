package mockserver_test

import (
	"strings"
	"testing"

	"github.com/tidwall/gjson"

	"shopcheck/mockserver"
)

func TestATopicIsTriggeredInAGoTest(t *testing.T) {
	t.Parallel()
	shop := mockserver.Start(t)
	hook := `{"topic": "order.created", "delivery_url": "` + shop.URL() + `/_mock/catcher/orders?status=500"}`
	post(shop.Handler(), "/shop/v3/webhooks", hook)
	done, err := shop.Trigger(t.Context(), "order.created", map[string]any{"total": 25, "line_items.0.quantity": 2})
	if err != nil {
		t.Fatal(err)
	}
	id := gjson.GetBytes(done.Record, "id").Int()
	if len(done.Made) != 1 || done.Made[0] != (mockserver.MadeRecord{Resource: "order", ID: id}) ||
		gjson.GetBytes(done.Record, "total").Str != "25.00" {
		t.Errorf("made %v: %s", done.Made, done.Record)
	}
	want := mockserver.Delivery{ID: 2, WebhookID: 1, Topic: "order.created", URL: shop.URL() + "/_mock/catcher/orders?status=500",
		State: "failed", Reason: "answered with status 500", Status: 500}
	if len(done.Deliveries) != 1 || done.Deliveries[0] != want {
		t.Errorf("delivered %+v, want %+v", done.Deliveries, want)
	}
	post(shop.Handler(), "/_mock/faults", `{"effect":"webhook-twice"}`)
	done, err = shop.Trigger(t.Context(), "order.created", nil)
	if err != nil || len(done.Deliveries) != 2 || done.Deliveries[0].Fault != "webhook-twice" ||
		done.Deliveries[1].RepeatOf != done.Deliveries[0].ID || done.Deliveries[1].Fault != "webhook-twice" {
		t.Errorf("%v, delivered twice: %+v", err, done.Deliveries)
	}
	for place, want := range map[string]string{"total_tax": "set line_items.0.total", "colour": `there is no field "colour"`} {
		_, err := shop.Trigger(t.Context(), "order.created", map[string]any{place: 1})
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", place, err)
		}
	}
	if _, err := shop.Trigger(t.Context(), "order.created", map[string]any{"status": func() {}}); err == nil {
		t.Error("a function was set")
	}
}

// TestEachTopicIsKnownByName holds what is offered against what is taken.
func TestEachTopicIsKnownByName(t *testing.T) {
	t.Parallel()
	shop, err := mockserver.New(mockserver.Options{Site: "https://shop.example.test/below", Strict: true})
	if err != nil {
		t.Fatal(err)
	}
	defer shop.Close()
	for _, topic := range mockserver.TriggerTopics() {
		if done, err := shop.Trigger(t.Context(), topic, nil); err != nil || len(done.Made) == 0 {
			t.Errorf("%s: %v", topic, err)
		}
	}
}
