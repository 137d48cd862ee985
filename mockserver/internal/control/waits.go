package control

// Calls that are answered when something has happened, or when their time is over.

import (
	"context"
	"math"
	"net/http"
	"strconv"

	"shopcheck/mockserver/internal/rest"
	"shopcheck/mockserver/internal/shop"
	"shopcheck/mockserver/internal/webhooks"
)

func waitCalls() []call {
	return []call{
		{rest.Operation{Method: http.MethodGet, Path: "/_mock/deliveries/wait", Summary: "Wait for deliveries of webhooks",
			Query: []rest.Param{webhookParam, {Name: "topic", Type: rest.String},
				{Name: "state", Type: rest.String, Enum: textsOf(webhooks.States())}, waitedCount, timeoutParam},
			Answer: waited(rest.Param{Name: "deliveries", Type: rest.Array, Items: rest.Described[delivery]()}),
		}, (*Services).awaitDeliveries},
		{rest.Operation{Method: http.MethodGet, Path: "/_mock/orders/{id:[0-9]+}/wait", Summary: "Wait until an order has a status",
			Query:  []rest.Param{{Name: "status", Type: rest.String, Enum: textsOf(shop.OrderStatuses()), Required: true}, timeoutParam},
			Answer: object(metParam, rest.Param{Name: "status", Type: rest.String})}, (*Services).awaitOrder},
	}
}

// What the calls have in common that wait.
var (
	waitedCount  = rest.Param{Name: "count", Type: rest.Integer, Min: rest.Bound(1), Default: 1, Description: "How many to wait for."}
	timeoutParam = rest.Param{Name: "timeout", Type: rest.String, Default: "10s", Description: "How long to wait, at most 1m."}
	metParam     = rest.Param{Name: "met", Type: rest.Boolean, Description: "Whether it happened in time."}
	countParam   = rest.Param{Name: "count", Type: rest.Integer}
)

// waited describes the answer of a call that waited for things.
func waited(came rest.Param) *rest.Param { return object(metParam, countParam, came) }

// awaitDeliveries answers when as many deliveries are as ?webhook=, ?topic= and ?state= say as ?count= wants, or after ?timeout=.
func (s *Services) awaitDeliveries(w http.ResponseWriter, r *http.Request) {
	p := paramsOf(r)
	webhook, topic, count := p.number("webhook", 0, 1, math.MaxInt64), p.text("topic"), int(p.number("count", 1, 1, math.MaxInt32))
	state := webhooks.State(p.oneOf("state", textsOf(webhooks.States())...))
	timeout := p.timeout()
	if p.refused(w) {
		return
	}
	ctx, cancel := context.WithTimeout(r.Context(), timeout)
	defer cancel()
	meant := func(entry *webhooks.Delivery) bool {
		return (webhook == 0 || webhook == entry.WebhookID) && (topic == "" || topic == entry.Topic) &&
			(state == "" || state == entry.State)
	}
	err := s.Changed.Await(ctx, func() bool { return s.Webhooks.CountDeliveries(meant) >= count })
	answerWait(w, err == nil, "deliveries", s.summaries(meant))
}

// awaitOrder answers when an order has the status that ?status= names, or after ?timeout=, and says which it has.
func (s *Services) awaitOrder(w http.ResponseWriter, r *http.Request) {
	p := paramsOf(r)
	status := shop.OrderStatus(p.oneOf("status", textsOf(shop.OrderStatuses())...))
	timeout := p.timeout()
	if status == "" && len(p.faults) == 0 {
		p.refuse("status", "status must say which status to wait for, such as %s.", shop.Processing)
	}
	if p.refused(w) {
		return
	}
	id, _ := strconv.ParseInt(rest.CallOf(r).Path["id"], 10, 64) // out of range: there is no such order
	ctx, cancel := context.WithTimeout(r.Context(), timeout)
	defer cancel()
	now, err := s.AwaitOrder(ctx, id, status)
	rest.WriteJSON(w, http.StatusOK, rest.Pairs{{Name: "met", Value: err == nil}, {Name: "status", Value: string(now)}})
}

func textsOf[T ~string](values []T) []string {
	texts := make([]string, len(values))
	for i, value := range values {
		texts[i] = string(value)
	}
	return texts
}

// AwaitOrder waits until an order has a status. It returns the status that the order has, "" if there is none, and the context's error if
// that ended first.
func (s *Services) AwaitOrder(ctx context.Context, id int64, status shop.OrderStatus) (now shop.OrderStatus, err error) {
	err = s.Changed.Await(ctx, func() bool {
		now = ""
		if order, exists := s.Shop.Read().Orders.Get(id); exists {
			now = order.Status
		}
		return now == status
	})
	return now, err
}
