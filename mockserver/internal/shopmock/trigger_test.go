package shopmock_test

// Topics that are brought about by hand.

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"shopcheck/mockserver/internal/shopmock"
	"shopcheck/mockserver/internal/testkit"
	"shopcheck/mockserver/internal/trigger"
)

// TestEachTopicCanBeTriggered registers a webhook for each topic in a shop that holds nothing, and triggers them all.
func TestEachTopicCanBeTriggered(t *testing.T) {
	t.Parallel()
	shop := testkit.Open(t, testkit.Options{Socket: true, Server: shopmock.Options{Seed: "empty"}})
	topics := shop.Get("/_mock/trigger").Get("topics").Array()
	if len(topics) != 30 {
		t.Errorf("%d topics", len(topics))
	}
	for _, topic := range topics {
		shop.Post("/shop/v3/webhooks", fmt.Sprintf(`{"topic":%q,"delivery_url":"%s/_mock/catcher/all"}`, topic.Str, shop.Server.URL()))
	}
	for _, topic := range topics {
		done := shop.Post("/_mock/trigger", fmt.Sprintf(`{"topic":%q}`, topic.Str))
		sent := done.Get(`deliveries.#(topic=="` + topic.Str + `")`)
		if done.Get("topic").Str != topic.Str || done.Get("made.#").Int() == 0 || sent.Get("state").Str != "delivered" {
			t.Errorf("%s: %.500s", topic.Str, done.Body)
		}
		resource := done.Get("made").Array()[done.Get("made.#").Int()-1]
		path := fmt.Sprintf("/shop/v3/%ss/%s", resource.Get("resource").Str, resource.Get("id"))
		want := 200
		if strings.Contains(topic.Str, "delete") {
			want = 404
		}
		if answer := shop.Call("GET", path, nil); answer.Status != want {
			t.Errorf("%s: the shop answers %d for %s", topic.Str, answer.Status, path)
		}
	}
}

func TestATriggerSetsWhatItIsTold(t *testing.T) {
	t.Parallel()
	shop := testkit.Open(t, testkit.Options{})
	for _, c := range []struct {
		name, topic, set string
		want             map[string]string // of the record
	}{
		{"a total with taxes", "order.created", `"total":"199.00"`,
			map[string]string{"total": "199.00", "line_items.#": "1", "fee_lines.#": "0"}},
		{"a total that is rounded", "order.created", `"total":"33.33"`,
			map[string]string{"total": "33.33", "fee_lines.0.tax_status": "none"}},
		{"nothing to pay", "order.created", `"total":0`, map[string]string{"total": "0.00"}},
		{"a total beside others", "order.created",
			`"total":"140","coupon_lines.0.code":"save10","line_items.1.product_id":2,"shipping_lines.0.method_id":"flat_rate"`,
			map[string]string{"total": "140.00", "line_items.#": "2", "coupon_lines.#": "1", "shipping_lines.#": "1"}},
		{"a total of a change", "order.updated", `"total":"55.55","line_items.0.quantity":"3","status":"on-hold"`,
			map[string]string{"total": "55.55", "line_items.#": "1", "line_items.0.quantity": "3", "status": "on-hold"}},
		{"one more line", "order.updated", `"line_items.1.product_id":2`,
			map[string]string{"line_items.#": "2", "line_items.0.product_id": "1"}},
		{"what is nested", "order.created", `"billing.email":"a@b.test"`,
			map[string]string{"billing.email": "a@b.test", "billing.first_name": "Maya"}},
		{"a list as text", "order.created", `"line_items":"[{\"product_id\":2}]"`, map[string]string{"line_items.0.product_id": "2"}},
		{"free data", "order.created", `"meta_data.0.key":"a","meta_data.0.value.b.c":1`, map[string]string{"meta_data.0.value.b.c": "1"}},
		{"a customer", "customer.updated", `"first_name":"Zoe"`, map[string]string{"first_name": "Zoe"}},
		{"many list items", "product.created", many(12), map[string]string{"meta_data.#": "12", "meta_data.10.key": "k10"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			done := shop.In(t).Post("/_mock/trigger", `{"topic":"`+c.topic+`","set":{`+c.set+`}}`)
			for field, want := range c.want {
				got := done.Get("record." + field).String()
				if got != want {
					t.Errorf("%s is %q, want %q: %.600s", field, got, want, done.Body)
				}
			}
		})
	}
}

func many(entries int) string {
	var sets []string
	for i := range entries {
		sets = append(sets, fmt.Sprintf(`"meta_data.%d.key":"k%[1]d","meta_data.%[1]d.value":"v"`, i))
	}
	return strings.Join(sets, ",")
}

// TestATriggerThatCannotBeChangesNothing asks for what the shop refuses, late ones too: they are found in the rehearsal.
func TestATriggerThatCannotBeChangesNothing(t *testing.T) {
	t.Parallel()
	shop := testkit.Open(t, testkit.Options{})
	version := shop.Version()
	for _, c := range []struct{ topic, set, want string }{
		{"order.create", ``, "did you mean order.created?"},
		{"action.shop_new_ordr", ``, "did you mean action.shop_new_order"},
		{"weather.changed", ``, "known are action.shop_delete_coupon, "},
		{"customer.restored", ``, "Customers have no trash"},
		{"", ``, "known are"},
		{"order.created", `"total_tax":"1"`, "total_tax cannot be set, it follows from the rest: set line_items.0.total"},
		{"order.created", `"line_items.0.price":"1"`, "line_items.0.price cannot be set, it follows from the rest"},
		{"order.created", `"id":"1"`, "id cannot be set, it follows from the rest: what can be set are parent_id, status"},
		{"order.created", `"billing.emial":"1"`, `there is no field "emial"; did you mean email?`},
		{"order.created", `"colour":"1"`, `there is no field "colour"; known are parent_id, status`},
		{"order.created", `"status.x":"1"`, "there is nothing below a value that is no object and no list."},
		{"order.created", `"line_items.2.quantity":1`, "it is in a list of 1, whose entries have the numbers from 0 on; 1 is a new one."},
		{"order.created", `"line_items.99999999999.x":1`, "it is in a list of 1"},
		{"order.created", `"` + strings.Repeat("a.", 20) + `a":1`, "is too deep: take at most 16 names."},
		{"order.created", `"total":"1e9"`, "total must be an amount of at most 2 decimals, such as 19.90."},
		{"order.created", `"total":"-1"`, "total must be an amount"},
		{"order.created", `"total":9,"line_items.0.total":1`, "total and line_items.0.total cannot both be set"},
		{"order.created", `"total":"4","shipping_lines.0.method_id":"flat_rate","shipping_lines.0.total":"5"`,
			"No price of its first line gives the order a total of 4: all else in it comes to 5.07. Set line_items.0.total, "},
		{"order.updated", `"status":"lost"`, "status must be one of pending"},
		{"order.deleted", `"line_items.0.quantity":100000`, "There is not enough of"},
		{"customer.updated", `"email":"maya.torres@example.test"`, "Another customer has this e-mail address."},
	} {
		wantsRefusal(t, shop, `{"topic":"`+c.topic+`","set":{`+c.set+`}}`, c.want)
	}
	wantsRefusal(t, shop, `[]`, `The body must be empty, or an object such as {"topic": "order.created"`)
	wantsRefusal(t, shop, `{"topic":"order.created","sets":{}}`, "The body must be empty, or an object such as")
	wantsRefusal(t, shop, `{"topic":"order.created","timeout":"1h"}`, "timeout must be a duration such as 10s, at most 1m0s.")
	if shop.Version() != version {
		t.Error("what was refused has changed the shop")
	}
}

// wantsRefusal triggers what is refused, in the documented envelope and with some words.
func wantsRefusal(t *testing.T, shop *testkit.Shop, body, want string) {
	t.Helper()
	answer := shop.Post("/_mock/trigger", body)
	var said struct {
		Message string
		Data    struct {
			Status int
			Params map[string]string
		}
	}
	if err := json.Unmarshal([]byte(answer.Body), &said); err != nil || answer.Status != 400 || said.Data.Status != 400 {
		t.Errorf("%s: %d, %s", body, answer.Status, answer.Body)
	}
	if text := fmt.Sprint(said.Message, said.Data.Params); !strings.Contains(text, want) {
		t.Errorf("%s: %s, want %s", body, text, want)
	}
}

// TestATriggerStaysInItsSandbox triggers by HTTP in a sandbox, and in the process.
func TestATriggerStaysInItsSandbox(t *testing.T) {
	t.Parallel()
	shop := testkit.Open(t, testkit.Options{})
	box, version := shop.Server.Sandbox(t), shop.Version()
	before := box.Shop().Version()
	answer, err := box.Trigger(context.Background(), trigger.Wanted{Topic: "product.created", Set: map[string]any{"name": "Lamp"}})
	if err != nil || !strings.Contains(string(answer), `"name":"Lamp"`) || box.Shop().Version() != before+1 || shop.Version() != version {
		t.Errorf("%v, %s", err, answer)
	}
	if _, err := box.Trigger(context.Background(), trigger.Wanted{Topic: "product.create"}); err == nil ||
		!strings.HasSuffix(err.Error(), "did you mean product.created?") {
		t.Errorf("a mistyped topic: %v", err)
	}
}

// TestATriggerNamesTheFaultsOfItsDeliveries does something to deliveries on purpose: whoever triggers them is told.
func TestATriggerNamesTheFaultsOfItsDeliveries(t *testing.T) {
	t.Parallel()
	shop := testkit.Open(t, testkit.Options{Socket: true})
	shop.Post("/shop/v3/webhooks", `{"topic":"product.created","delivery_url":"`+shop.Server.URL()+`/_mock/catcher/a"}`)
	const one, two = "delivered by webhook-twice of 0", "delivered by webhook-twice and webhook-wrong-signature of 0"
	for _, c := range []struct {
		rules string
		want  []string // state, fault and what is repeated, of each delivery
	}{
		{`{"effect":"webhook-lost"}`, []string{"skipped by webhook-lost of 0"}},
		{`{"effect":"webhook-late","delay":"1ms"}`, []string{"delivered by webhook-late of 0"}},
		{`{"effect":"webhook-wrong-signature","name":"forged"}`, []string{"delivered by webhook-wrong-signature (forged) of 0"}},
		{`{"effect":"webhook-twice"}`, []string{one, strings.Replace(one, "of 0", "of first", 1)}},
		{`{"effect":"webhook-twice"},{"effect":"webhook-wrong-signature"}`, []string{two, strings.Replace(two, "of 0", "of first", 1)}},
	} {
		shop.Call("PUT", "/_mock/faults", `{"rules":[`+c.rules+`]}`)
		done := shop.Post("/_mock/trigger", `{"topic":"product.created"}`)
		var got []string
		first := done.Get("deliveries.0.id").Int()
		for _, sent := range done.Get("deliveries").Array() {
			of := fmt.Sprint(sent.Get("repeat_of").Int())
			if sent.Get("repeat_of").Int() == first {
				of = "first"
			}
			got = append(got, fmt.Sprintf("%s by %s of %s", sent.Get("state").Str, sent.Get("fault").Str, of))
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: %q, want %q\n%s", c.rules, got, c.want, done.Body)
		}
	}
}
