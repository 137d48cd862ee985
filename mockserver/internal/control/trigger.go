package control

// Topics that are brought about under /_mock/trigger.

import (
	"bytes"
	"context"
	"net/http"
	"slices"
	"time"

	"github.com/tidwall/gjson"

	"shopcheck/mockserver/internal/rest"
	"shopcheck/mockserver/internal/shop"
	"shopcheck/mockserver/internal/trigger"
	"shopcheck/mockserver/internal/webhooks"
)

// triggered is the wire form of what a trigger has done.
type triggered struct {
	Topic      string         `json:"topic"`
	Made       []trigger.Made `json:"made"`
	Record     rest.Raw       `json:"record"` // as the management API showed it last
	Deliveries []delivery     `json:"deliveries"`
}

func triggerCalls(router *rest.Router, apis []*rest.API) []call {
	wanted := object(
		rest.Param{Name: "topic", Type: rest.String, Required: true, Description: "order.created, or action.shop_new_order for the same."},
		rest.Param{Name: "set", Type: rest.Object,
			Description: `Values by their places in the record: {"billing.email": "ann@example.test", "line_items.0.quantity": 2}.`},
		rest.Param{Name: "timeout", Type: rest.String, Default: "10s",
			Description: "How long to wait until all is delivered, at most 1m."})
	topics := object(rest.Param{Name: "topics", Type: rest.Array, Items: &rest.Param{Type: rest.String}})
	do := func(s *Services, w http.ResponseWriter, r *http.Request) {
		s.trigger(router, apiNamed(apis, "shop/v3"), w, r)
	}
	return []call{
		{rest.Operation{Method: http.MethodGet, Path: TriggerPath, Summary: "List the topics that can be triggered", Answer: topics},
			(*Services).listTopics},
		{rest.Operation{Method: http.MethodPost, Path: TriggerPath, Body: wanted, Status: http.StatusCreated,
			Summary: "Make real records, and do with them what a topic of webhooks tells of", Answer: rest.Described[triggered]()}, do},
	}
}

// TriggerPath is where topics are brought about.
const TriggerPath = "/_mock/trigger"

func (s *Services) listTopics(w http.ResponseWriter, r *http.Request) {
	if !paramsOf(r).refused(w) {
		rest.WriteJSON(w, http.StatusOK, rest.Pairs{{Name: "topics", Value: trigger.Topics()}})
	}
}

func apiNamed(apis []*rest.API, namespace string) *rest.API {
	return apis[slices.IndexFunc(apis, func(api *rest.API) bool { return api.Namespace == namespace })]
}

// trigger makes what a topic tells of, and answers what that has made and which webhooks went out.
func (s *Services) trigger(router *rest.Router, api *rest.API, w http.ResponseWriter, r *http.Request) {
	var wanted struct {
		trigger.Wanted
		Timeout string `json:"timeout"`
	}
	if !takeObject(w, r, &wanted, `{"topic": "order.created", "set": {"total": "199.00"}}`) {
		return
	}
	timeout, err := waitOf(wanted.Timeout)
	if err != nil {
		rest.WriteError(w, rest.InvalidParamf("timeout", "%v.", err))
		return
	}
	key, found := s.fullKey()
	if !found {
		rest.WriteError(w, noKey())
		return
	}
	before, call := s.deliveriesAfter(0), rest.CallOf(r)
	made, record, err := trigger.Do(trigger.Shop{
		View: call.View, API: api,
		Staff: staffOf(r, key, func(w http.ResponseWriter, inner *http.Request) { call.Forward(router, w, inner, false) }),
		Copy:  func() trigger.Staff { return staffOf(r, key, aside(router, call)) },
	}, wanted.Wanted)
	if err != nil {
		rest.WriteError(w, asRefusal(err))
		return
	}
	ctx, cancel := context.WithTimeout(r.Context(), timeout)
	defer cancel()
	s.Webhooks.Drain(ctx) //nolint:errcheck // what still waits is shown to wait
	rest.WriteJSON(w, http.StatusCreated, triggered{wanted.Topic, made, rest.Raw(record.Raw), s.deliveriesAfter(newestOf(before))})
}

// aside answers calls in a copy of a shop, which is like it but for what is drawn by chance, and forgotten after.
func aside(router *rest.Router, call *rest.Call) http.HandlerFunc {
	now := call.View.Now
	host := rest.Host{Now: now, Site: call.Site, Dial: call.Dial, Lent: call.Lent,
		Shop: shop.New(*call.View.State, shop.Options{Clock: func() time.Time { return now }})}
	return func(w http.ResponseWriter, r *http.Request) { router.Serve(w, r, host) }
}

// staffOf calls the management API as who has a key.
func staffOf(r *http.Request, key *shop.APIKey, serve http.HandlerFunc) trigger.Staff {
	return func(method, address string, body any) (gjson.Result, error) {
		inner, err := http.NewRequestWithContext(r.Context(), method, managementPath+address, bytes.NewReader(rest.AppendAny(nil, body)))
		if err != nil {
			return gjson.Result{}, err
		}
		if body == nil {
			inner.Body = http.NoBody
		}
		inner.Host, inner.RemoteAddr, inner.TLS = r.Host, r.RemoteAddr, r.TLS
		inner.Header.Set("Content-Type", "application/json")
		bringKey(inner.URL, key)
		answer := rest.NewRecorder()
		serve(answer, inner)
		if answer.Status >= http.StatusBadRequest {
			return gjson.Result{}, refusalOf(answer.Body.Bytes())
		}
		return gjson.ParseBytes(answer.Body.Bytes()), nil
	}
}

// refusalOf is an error of the management API as it was answered there.
func refusalOf(envelope []byte) error {
	said := gjson.ParseBytes(envelope)
	refusal := rest.Errorf(int(said.Get("data.status").Int()), said.Get("code").Str, "%s", said.Get("message").Str)
	said.Get("data").ForEach(func(name, value gjson.Result) bool {
		if name.Str != "status" {
			refusal.With(name.Str, rest.Raw(value.Raw))
		}
		return true
	})
	return refusal
}

// deliveriesAfter shows the entries of the log that have larger ids than one, but not those that only announce a webhook.
func (s *Services) deliveriesAfter(id int64) []delivery {
	return s.summaries(func(entry *webhooks.Delivery) bool { return entry.ID > id && entry.Topic != webhooks.PingTopic })
}

func newestOf(list []delivery) int64 {
	if len(list) == 0 {
		return 0
	}
	return list[len(list)-1].ID
}
