package control

// The delivery log of the webhooks, and the catcher, under /_mock.

import (
	"context"
	"errors"
	"net/http"
	"strconv"
	"time"

	"shopcheck/mockserver/internal/rest"
	"shopcheck/mockserver/internal/webhooks"
)

var webhookParam = rest.Param{Name: "webhook", Type: rest.Integer, Min: rest.Bound(1), Description: "Only those of this webhook."}

func webhookCalls() []call {
	one := rest.Described[delivery]()
	all := []call{
		{rest.Operation{Method: http.MethodGet, Path: "/_mock/deliveries", Summary: "List the deliveries of webhooks, oldest first",
			Query: []rest.Param{webhookParam}, Answer: &rest.Param{Type: rest.Array, Items: one}}, (*Services).listDeliveries},
		{rest.Operation{Method: http.MethodPost, Path: "/_mock/deliveries/drain", Summary: "Wait until nothing is left to deliver",
			Query:  []rest.Param{timeoutParam},
			Answer: object(rest.Param{Name: "drained", Type: rest.Boolean}, rest.Param{Name: "waiting", Type: rest.Integer}),
		}, (*Services).drain},
		{rest.Operation{Method: http.MethodGet, Path: "/_mock/deliveries/{id:[0-9]+}", Answer: one,
			Summary: "Show a delivery with its answer, headers and bodies"}, (*Services).showDelivery},
		{rest.Operation{Method: http.MethodPost, Path: "/_mock/deliveries/{id:[0-9]+}/redeliver", Summary: "Deliver again",
			Status: http.StatusAccepted, Answer: one}, (*Services).redeliver},
		{rest.Operation{Method: http.MethodGet, Path: catcherPath, Summary: "List what a catcher caught, oldest first",
			Answer: &rest.Param{Type: rest.Array, Items: rest.Described[caught]()}}, (*Services).listCaught},
		{rest.Operation{Method: http.MethodDelete, Path: catcherPath, Summary: "Empty a catcher",
			Status: http.StatusNoContent}, (*Services).clearCaught},
	}
	for _, method := range []string{http.MethodPost, http.MethodPut, http.MethodPatch} {
		all = append(all, call{rest.Operation{Method: method, Path: catcherPath, Summary: "Send something to a catcher",
			Body: &rest.Param{},
			Query: []rest.Param{{Name: "status", Type: rest.Integer, Min: rest.Bound(200), Max: rest.Bound(599), Default: http.StatusOK,
				Description: "What it answers with."}}}, (*Services).catch})
	}
	return all
}

const catcherPath = "/_mock/catcher/{name:[A-Za-z0-9_.-]{1,64}}"

// delivery is the wire form of a log entry. A list leaves out what was sent and answered.
type delivery struct {
	ID         int64     `json:"id"`
	DeliveryID string    `json:"delivery_id"`
	RepeatOf   int64     `json:"repeat_of,omitempty"`
	WebhookID  int64     `json:"webhook_id"`
	Topic      string    `json:"topic"`
	Events     int       `json:"events"` // more than 1: so many in a row were dropped
	URL        string    `json:"url"`
	Queued     time.Time `json:"queued_at"`
	State      string    `json:"state"` // waiting, delivered, failed, skipped, dropped
	Reason     string    `json:"reason"`
	Fault      string    `json:"fault,omitempty"`
	Status     int       `json:"status"` // of the answer; 0: there was none
	DurationMS float64   `json:"duration_ms"`
	Request    *message  `json:"request,omitempty"`
	Response   *message  `json:"response,omitempty"`
}

type message struct {
	Header http.Header `json:"headers"`
	Body   string      `json:"body"`
}

func summary(d webhooks.Delivery) delivery {
	return delivery{
		ID: d.ID, DeliveryID: d.DeliveryID, RepeatOf: d.RepeatOf, WebhookID: d.WebhookID, Topic: d.Topic, Events: d.Events, URL: d.URL,
		Queued: d.Queued, State: string(d.State), Reason: d.Reason, Fault: d.Fault, Status: d.Answer.Status,
		DurationMS: float64(d.Took) / float64(time.Millisecond),
	}
}

func whole(d webhooks.Delivery) delivery {
	shown := summary(d)
	shown.Request = messageOf(d.Header, d.Body)
	shown.Response = messageOf(d.Answer.Header, d.Answer.Body)
	return shown
}

func messageOf(header http.Header, body []byte) *message {
	if header == nil {
		header = http.Header{} // an object too, in JSON
	}
	return &message{header, string(body)}
}

// listDeliveries shows the log, oldest entry first; ?webhook= leaves one webhook's.
func (s *Services) listDeliveries(w http.ResponseWriter, r *http.Request) {
	var webhook int64
	if text := r.URL.Query().Get("webhook"); text != "" {
		var err error
		if webhook, err = strconv.ParseInt(text, 10, 64); err != nil || webhook < 1 {
			rest.WriteError(w, rest.InvalidParamf("webhook", "webhook must be the id of a webhook."))
			return
		}
	}
	rest.WriteJSON(w, http.StatusOK,
		s.summaries(func(entry *webhooks.Delivery) bool { return webhook == 0 || entry.WebhookID == webhook }))
}

// summaries shows the entries of the log that a condition holds for, oldest first.
func (s *Services) summaries(meant func(*webhooks.Delivery) bool) []delivery {
	list := []delivery{}
	for _, entry := range s.Webhooks.DeliveriesThat(meant) {
		list = append(list, summary(entry))
	}
	return list
}

func (s *Services) showDelivery(w http.ResponseWriter, r *http.Request) {
	answerDelivery(w, r, http.StatusOK, s.Webhooks.Delivery)
}

// redeliver sends a delivery's body again and answers the new log entry.
func (s *Services) redeliver(w http.ResponseWriter, r *http.Request) {
	answerDelivery(w, r, http.StatusAccepted, s.Webhooks.Redeliver)
}

func answerDelivery(w http.ResponseWriter, r *http.Request, status int, find func(int64) (webhooks.Delivery, error)) {
	id, _ := strconv.ParseInt(rest.CallOf(r).Path["id"], 10, 64) // out of range: there is no such delivery
	found, err := find(id)
	switch {
	case errors.Is(err, webhooks.ErrUnknownDelivery):
		rest.WriteError(w, rest.Errorf(http.StatusNotFound, "mock_no_such_delivery",
			"The log holds no such delivery, or one without a body to send."))
		return
	case err != nil:
		rest.WriteError(w, asRefusal(err))
		return
	}
	rest.WriteJSON(w, status, whole(found))
}

// drain answers when nothing is left to deliver, or after ?timeout= ("10s"), and says which.
func (s *Services) drain(w http.ResponseWriter, r *http.Request) {
	p := paramsOf(r)
	timeout := p.timeout()
	if p.refused(w) {
		return
	}
	ctx, cancel := context.WithTimeout(r.Context(), timeout)
	defer cancel()
	dispatcher := s.Webhooks
	err := dispatcher.Drain(ctx)
	rest.WriteJSON(w, http.StatusOK, rest.Pairs{{Name: "drained", Value: err == nil}, {Name: "waiting", Value: dispatcher.Waiting()}})
}

// caught is the wire form of a request that a catcher took.
type caught struct {
	Time   time.Time   `json:"time"`
	Method string      `json:"method"`
	Query  string      `json:"query"`
	Header http.Header `json:"headers"`
	Body   string      `json:"body"`
}

// listCaught shows what was sent to a catcher, oldest first.
func (s *Services) listCaught(w http.ResponseWriter, r *http.Request) {
	list := []caught{}
	for _, c := range s.Catcher.Requests(rest.CallOf(r).Path["name"]) {
		list = append(list, caught{c.Time, c.Method, c.Query, c.Header, string(c.Body)})
	}
	rest.WriteJSON(w, http.StatusOK, list)
}

func (s *Services) clearCaught(w http.ResponseWriter, r *http.Request) {
	s.Catcher.Clear(rest.CallOf(r).Path["name"])
	w.WriteHeader(http.StatusNoContent)
}

// catch keeps a request, and answers 200 or what ?status= asks for: a receiver that fails is there for the asking.
func (s *Services) catch(w http.ResponseWriter, r *http.Request) {
	status := http.StatusOK
	if text := r.URL.Query().Get("status"); text != "" {
		var err error
		if status, err = strconv.Atoi(text); err != nil || status < 200 || status > 599 {
			rest.WriteError(w, rest.InvalidParamf("status", "status must be an HTTP status from 200 to 599."))
			return
		}
	}
	switch err := s.Catcher.Catch(rest.CallOf(r).Path["name"], r); {
	case errors.Is(err, webhooks.ErrTooLarge):
		w.WriteHeader(http.StatusRequestEntityTooLarge)
	case err != nil:
		w.WriteHeader(http.StatusBadRequest)
	default:
		w.WriteHeader(status)
	}
}
