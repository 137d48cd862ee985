// Package faults says what is to go wrong on purpose: rules that are tried in their order at each request and each delivery of a webhook.
package faults

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"shopcheck/mockserver/internal/match"
)

// Rule says what goes wrong, and when. What is empty means any.
type Rule struct {
	Name   string   `json:"name,omitempty"`
	Method string   `json:"method,omitempty"`
	Path   string   `json:"path,omitempty"`  // as match.NewPattern reads it
	Body   []string `json:"body,omitempty"`  // as match.NewField reads them
	Topic  string   `json:"topic,omitempty"` // of a delivery: "order.created"
	Nth    int64    `json:"nth,omitempty"`   // only the nth request that matches, counted from 1
	Share  float64  `json:"share,omitempty"` // of the requests that match, drawn with the seed; 0: all
	Times  int64    `json:"times,omitempty"` // how often at most; 0: always
	Until  string   `json:"until,omitempty"` // a moment of the shop's clock, RFC 3339: from then on no more

	Effect Effect `json:"effect"`

	// What the effect needs to know.
	Delay      string  `json:"delay,omitempty"`       // "800ms": of latency, webhook-late, webhook-reordered; for each piece of dribble
	DelayMax   string  `json:"delay_max,omitempty"`   // latency is drawn evenly between delay and this
	Sigma      float64 `json:"sigma,omitempty"`       // latency is drawn log-normally around delay, with this deviation of its logarithm
	Status     int     `json:"status,omitempty"`      // of status
	Code       string  `json:"code,omitempty"`        // of status; empty: the contract's for this status
	Message    string  `json:"message,omitempty"`     // of status
	RetryAfter int     `json:"retry_after,omitempty"` // seconds, of status; empty: 1 with 429 and 503
	Percent    float64 `json:"percent,omitempty"`     // of price-changed: 10 makes prices a tenth higher; empty: 10
}

// Effect names what goes wrong.
type Effect = string

// The effects.
const (
	Latency Effect = "latency" // the answer comes late
	Status  Effect = "status"  // an error answer, in the contract's form

	Reset   Effect = "reset"   // the connection is reset without an answer
	Empty   Effect = "empty"   // the connection is closed without an answer
	Garbage Effect = "garbage" // something comes that is no HTTP
	Cut     Effect = "cut"     // the connection is closed in the middle of the answer's body
	Dribble Effect = "dribble" // the answer's body comes piece by piece

	StaleNonce      Effect = "stale-nonce"      // the nonce is refused, although it is good
	ExpiredToken    Effect = "expired-token"    // cart token, cookie or bearer token count as expired
	SoldOut         Effect = "sold-out"         // somebody else has bought what is in the cart
	PriceChanged    Effect = "price-changed"    // what is in the cart has another price
	CouponUsedUp    Effect = "coupon-used-up"   // the cart's coupons were used by others
	PaymentDeclined Effect = "payment-declined" // whatever the payment method

	WebhookLost           Effect = "webhook-lost"            // the delivery is not made
	WebhookLate           Effect = "webhook-late"            // it is made after the delay
	WebhookTwice          Effect = "webhook-twice"           // it is made twice
	WebhookReordered      Effect = "webhook-reordered"       // it is made after the next one
	WebhookWrongSignature Effect = "webhook-wrong-signature" // it is signed with another secret
)

// Effects lists all effects.
func Effects() []Effect {
	return []Effect{Latency, Status, Reset, Empty, Garbage, Cut, Dribble, StaleNonce, ExpiredToken, SoldOut, PriceChanged, CouponUsedUp,
		PaymentDeclined, WebhookLost, WebhookLate, WebhookTwice, WebhookReordered, WebhookWrongSignature}
}

// atDelivery reports whether the rule's effect happens to deliveries of webhooks, not to requests.
func (r *Rule) atDelivery() bool { return strings.HasPrefix(r.Effect, "webhook-") }

// ends reports whether the rule's effect is the answer, so that nothing else can happen to the request.
func (r *Rule) ends() bool {
	return slices.Contains([]Effect{Status, Reset, Empty, Garbage, Cut, Dribble}, r.Effect)
}

// longestDelay bounds what a rule can hold up.
const longestDelay = 10 * time.Minute

// limits of the texts and numbers of a rule.
const (
	maxRuleText = 1000
	maxRules    = 1000
)

// checked is a rule that can be tried.
type checked struct {
	meant           match.Request
	delay, delayMax time.Duration
	until           time.Time
}

// check reads what a rule says, and returns an error that tells which field cannot be.
func (r *Rule) check() (checked, error) {
	if !slices.Contains(Effects(), r.Effect) {
		return checked{}, fmt.Errorf("effect: there is no effect %q; take one of %s", r.Effect, strings.Join(Effects(), ", "))
	}
	meant, err := match.NewRequest(r.Method, r.Path, r.Body...)
	made := checked{meant: meant}
	if err != nil {
		return made, fmt.Errorf("method, path or body: %w", err)
	}
	if made.delay, err = duration("delay", r.Delay); err != nil {
		return made, err
	}
	if made.delayMax, err = duration("delay_max", r.DelayMax); err != nil {
		return made, err
	}
	if r.Until != "" {
		if made.until, err = time.Parse(time.RFC3339, r.Until); err != nil {
			return made, fmt.Errorf("until: %q is no moment such as 2026-03-01T12:00:00Z", r.Until)
		}
	}
	if err := r.checkNumbers(); err != nil {
		return made, err
	}
	return made, r.checkEffect(made)
}

func (r *Rule) checkNumbers() error {
	switch {
	case r.Nth < 0 || r.Times < 0:
		return fmt.Errorf("nth, times: take 0 for none, or a number from 1")
	case !(r.Share >= 0 && r.Share <= 1):
		return fmt.Errorf("share: %v is none; take 0 to 1", r.Share)
	case !(r.Sigma >= 0 && r.Sigma <= 5):
		return fmt.Errorf("sigma: take 0 to 5, not %v", r.Sigma)
	case !(r.Percent >= -100 && r.Percent <= 1000):
		return fmt.Errorf("percent: take -100 to 1000, not %v", r.Percent)
	case r.RetryAfter < 0 || r.RetryAfter > 86400:
		return fmt.Errorf("retry_after: take seconds from 0 to 86400, not %d", r.RetryAfter)
	case len(r.Name)+len(r.Topic)+len(r.Code)+len(r.Message) > maxRuleText:
		return fmt.Errorf("name, topic, code and message have more than %d bytes together", maxRuleText)
	}
	return nil
}

// checkEffect looks at what belongs to some effects only.
func (r *Rule) checkEffect(made checked) error {
	switch {
	case r.Effect == Status && (r.Status < 400 || r.Status > 599):
		return fmt.Errorf("status: take an error status from 400 to 599, not %d", r.Status)
	case r.Effect != Status && (r.Status != 0 || r.Code != "" || r.Message != "" || r.RetryAfter != 0):
		return fmt.Errorf("status, code, message and retry_after belong to the effect %q", Status)
	case r.Effect == Latency && made.delay == 0:
		return fmt.Errorf("delay: latency needs one, such as 800ms")
	case r.DelayMax != "" && (r.Effect != Latency || made.delayMax < made.delay || r.Sigma != 0):
		return fmt.Errorf("delay_max: it belongs to latency, without sigma, and is not less than delay")
	case r.Sigma != 0 && r.Effect != Latency:
		return fmt.Errorf("sigma: it belongs to latency")
	case r.Percent != 0 && r.Effect != PriceChanged:
		return fmt.Errorf("percent: it belongs to %s", PriceChanged)
	case r.Topic != "" && !r.atDelivery():
		return fmt.Errorf("topic: it belongs to the effects of webhooks")
	case r.atDelivery() && (r.Method != "" || r.Path != ""):
		return fmt.Errorf("method, path: they belong to requests; name a topic instead")
	}
	return nil
}

func duration(name, text string) (time.Duration, error) {
	if text == "" {
		return 0, nil
	}
	delay, err := time.ParseDuration(text)
	if err != nil || delay < 0 || delay > longestDelay {
		return 0, fmt.Errorf("%s: %.50q is no duration such as 800ms, from 0 to %s", name, text, longestDelay)
	}
	return delay, nil
}
