package main

import (
	"fmt"
	"strings"
	"testing"
)

func TestATopicIsTriggeredInARunningShop(t *testing.T) {
	greeting, stop := serving(t, "--seed", "empty")
	defer stop()
	url := readyAddress(greeting)
	t.Setenv("SHOPMOCK_URL", url)
	hooks, catcher := url+"/_mock/shop/v3/webhooks", url+"/_mock/catcher/a"
	post(t, hooks, `{"topic":"order.created","delivery_url":"`+catcher+`"}`)
	post(t, hooks, `{"topic":"coupon.deleted","delivery_url":"`+catcher+`","status":"paused"}`)
	ran(t, "sandbox", "create", "one")
	for _, step := range []struct{ args, want string }{
		{"order.created --set total=199.00 --set billing.email=a@b.test", "made: customer 2\nmade: product 1\nmade: order 2\n" +
			"delivered: order.created to " + catcher + " (webhook 1, delivery 3): answered 200"},
		{"coupon.deleted", "made: coupon 3\nskipped: coupon.deleted to " + catcher + " (webhook 2, delivery 4): " +
			"the webhook was paused"},
		{"order.created --sandbox one", "made: customer 2\nmade: product 1\nmade: order 2\n" +
			"No webhook is registered for order.created: POST /shop/v3/webhooks registers one."},
		{"order.create", `error: 400 Bad Request: The shop never tells of the topic "order.create"; did you mean order.created?`},
		{"order.created --set total", `error: --set "total": take a field and its value, such as billing.email=ann@example.test`},
		{"order.created --set cart_tax=1", "error: 400 Bad Request: cart_tax cannot be set, it follows from the rest: set line_items."},
		{"", "error: accepts 1 arg(s), received 0"},
	} {
		if got := ran(t, append([]string{"trigger"}, strings.Fields(step.args)...)...); !strings.HasPrefix(got, step.want) {
			t.Errorf("trigger %s: %q, want %q", step.args, got, step.want)
		}
	}

	post(t, url+"/_mock/faults", `{"effect":"webhook-twice"}`)
	post(t, hooks, `{"topic":"coupon.updated","delivery_url":"`+catcher+`"}`)
	sent := "delivered: coupon.updated to " + catcher + " (webhook 3, delivery %d): answered 200%s; a fault of yours: webhook-twice\n"
	want := "made: coupon 4\n" + fmt.Sprintf(sent+sent, 6, "", 7, ", as delivery 6 was before")
	if got := ran(t, "trigger", "coupon.updated") + "\n"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}
