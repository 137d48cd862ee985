package suites

// Listening for the target's webhooks, for as long as a run lasts.

import (
	"context"
	"errors"
	"fmt"
	"net"
	"slices"
	"time"

	"shopcheck/suites/client"
	"shopcheck/suites/contract"
	"shopcheck/suites/profile"
	"shopcheck/suites/receiver"
)

// listen starts the receiver when a spec will await webhooks: before the first spec, for webhooks that exist already
// are sent from then on.
func (r *run) listen() {
	awaits := func(spec Planned) bool { return slices.Contains(spec.Features, contract.FeatureWebhooks) }
	if !r.lab.Offers(contract.FeatureWebhooks) || !slices.ContainsFunc(r.plan.chosen(), awaits) {
		return
	}
	p := r.options.Profile
	if !reachable(p) {
		r.lab.deaf = fmt.Sprintf("the target %s cannot reach a receiver at %s on this machine; set webhooks.listen and webhooks.public_url",
			p.Target, p.Webhooks.Listen)
		return
	}
	var err error
	r.lab.receiver, err = receiver.Listen(receiver.Options{Listen: p.Webhooks.Listen, PublicURL: p.Webhooks.PublicURL, Through: r.options.Deliveries})
	if err != nil {
		r.lab.deaf = err.Error() + "; choose another address as webhooks.listen"
	}
}

func (r *run) stopListening() {
	if r.lab.receiver != nil {
		r.lab.receiver.Close()
	}
}

// reachable: a target elsewhere does not reach the loopback of this machine, unless there is another way to it.
func reachable(p profile.Profile) bool {
	host, _, err := net.SplitHostPort(p.Webhooks.Listen)
	local := err == nil && (host == "localhost" || net.ParseIP(host).IsLoopback())
	return p.Webhooks.PublicURL != "" || p.Loopback() || !local
}

// Receiver implements spec.Lab.
func (l *lab) Receiver() *receiver.Receiver {
	if l.receiver == nil {
		l.CouldNotRun("%s", l.deaf)
	}
	return l.receiver
}

// Await implements spec.Lab.
func (l *lab) Await(ctx context.Context, path string, wanted func(receiver.Delivery) bool) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	defer context.AfterFunc(l.ctx, cancel)()
	_, err := l.receiver.Await(ctx, path, l.profile.Webhooks.Patience, wanted)
	switch {
	case l.ctx.Err() != nil:
		l.CouldNotRun(interruptedReason)
	case errors.Is(err, receiver.ErrSilence):
		l.CouldNotRun("nothing has reached the receiver at %s: if the target cannot reach it, set webhooks.listen and webhooks.public_url", l.receiver.URL(""))
	}
}

// Delivered implements spec.Lab.
func (l *lab) Delivered(topic string, d receiver.Delivery, took time.Duration) *client.Answer {
	return l.client.Delivered(topic, l.receiver.URL(d.Path), d.Header, d.Body, took)
}
