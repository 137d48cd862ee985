package faults

// Scenarios lists the names of the rules that are ready.
func Scenarios() []string {
	return []string{"flaky-network", "slow-checkout", "sold-out-at-checkout", "payment-declined", "nonce-storm", "rate-limited",
		"webhook-chaos"}
}

const (
	checkoutPath = "/shop/store/v1/checkout"
	storePaths   = "/shop/store/v1/**"
	allPaths     = "/shop/**"
)

// scenario returns the rules that a name stands for.
func scenario(name string) ([]Rule, bool) {
	switch name {
	case "flaky-network":
		return []Rule{
			{Name: name, Path: allPaths, Effect: Latency, Delay: "60ms", Sigma: 0.8},
			{Name: name, Path: allPaths, Share: 0.03, Effect: Reset},
			{Name: name, Path: allPaths, Share: 0.02, Effect: Cut},
			{Name: name, Path: allPaths, Share: 0.02, Effect: Empty},
			{Name: name, Path: allPaths, Share: 0.03, Effect: Status, Status: 502},
		}, true
	case "slow-checkout":
		return []Rule{{Name: name, Method: "POST", Path: checkoutPath, Effect: Latency, Delay: "4s", DelayMax: "9s"}}, true
	case "sold-out-at-checkout":
		return []Rule{{Name: name, Method: "POST", Path: checkoutPath, Times: 1, Effect: SoldOut}}, true
	case "payment-declined":
		return []Rule{{Name: name, Method: "POST", Path: checkoutPath + "**", Effect: PaymentDeclined}}, true
	case "nonce-storm":
		return []Rule{{Name: name, Path: storePaths, Share: 0.4, Effect: StaleNonce}}, true
	case "rate-limited":
		return []Rule{{Name: name, Path: allPaths, Share: 0.3, Effect: Status, Status: 429, RetryAfter: 2}}, true
	case "webhook-chaos":
		return []Rule{
			{Name: name, Share: 0.1, Effect: WebhookLost},
			{Name: name, Share: 0.2, Effect: WebhookTwice},
			{Name: name, Share: 0.2, Effect: WebhookReordered, Delay: "500ms"},
			{Name: name, Share: 0.1, Effect: WebhookWrongSignature},
			{Name: name, Share: 0.2, Effect: WebhookLate, Delay: "2s"},
		}, true
	}
	return nil, false
}
