package suites

// Listening for the target's webhooks, for as long as a run lasts.

import (
	"fmt"
	"net"
	"slices"

	"shopcheck/suites/contract"
	"shopcheck/suites/profile"
	"shopcheck/suites/receiver"
)

// listen starts the receiver when a spec will await webhooks: before the first spec, for webhooks that exist already
// are sent from then on.
func (r *runner) listen() {
	awaits := func(p Planned) bool { return slices.Contains(p.Features, contract.FeatureWebhooks) }
	if !r.run.Offers(contract.FeatureWebhooks) || !slices.ContainsFunc(r.plan.chosen(), awaits) {
		return
	}
	p := r.options.Profile
	if !reachable(p) {
		r.run.NoReceiver = noWayBack(p) + "; set webhooks.listen and webhooks.public_url"
		return
	}
	var err error
	r.run.Receiver, err = receiver.Listen(receiver.Options{Listen: p.Webhooks.Listen, PublicURL: p.Webhooks.PublicURL,
		AnyPath: p.Webhooks.Secret != "", Through: r.options.Deliveries})
	if err != nil {
		r.run.NoReceiver = err.Error() + "; choose another address as webhooks.listen"
	}
}

// noWayBack says why the target's webhooks do not come.
func noWayBack(p profile.Profile) string {
	return fmt.Sprintf("the target %s cannot reach a receiver at %s on this machine", p.Target, p.Webhooks.Listen)
}

func (r *runner) stopListening() {
	if r.run.Receiver != nil {
		r.run.Receiver.Close()
	}
}

// reachable: a target elsewhere does not reach the loopback of this machine, unless there is another way to it.
func reachable(p profile.Profile) bool {
	host, _, err := net.SplitHostPort(p.Webhooks.Listen)
	local := err == nil && (host == "localhost" || net.ParseIP(host).IsLoopback())
	return p.Webhooks.PublicURL != "" || p.Loopback() || !local
}
