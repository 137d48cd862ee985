package topics_test

// What a user's own profile may say: webhooks that exist already, and secrets that nobody may see.

import (
	"context"
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"shopcheck/mockserver"
	"shopcheck/reports"
	"shopcheck/suites"
	"shopcheck/suites/client"
	"shopcheck/suites/contract"
	"shopcheck/suites/profile"
	"shopcheck/suites/receiver/receivertest"
	"shopcheck/suites/topics"
)

// manage sends one request of the management API.
func manage(t *testing.T, p profile.Profile, method, path string, body map[string]any) {
	t.Helper()
	api := client.New(p, client.NewRedactor(p), func(reports.Exchange) int { return 0 }, nil)
	defer api.Close()
	a := api.Do(context.Background(), client.Request{Method: method, Path: client.Management + path, Body: body,
		Auth: client.Auth{Credentials: p.Credentials.ReadWrite, Way: client.BasicWay}})
	if !a.OK() {
		t.Fatalf("%v %s", a, a.Body)
	}
}

// All topics run: what they do is told to the same address, and the awaited deliveries are found among the others.
func TestWebhooksThatExistAlready(t *testing.T) {
	server := mockserver.Start(t)
	p := profileOf(t, server.URL())
	tunnel := receivertest.NewTunnel(t)
	p.Webhooks.PublicURL, p.Webhooks.Secret = tunnel.URL, "known-beforehand"
	for _, event := range contract.WebhookEvents() {
		manage(t, p, http.MethodPost, "/webhooks", map[string]any{"name": event.Topic(), "topic": event.Topic(),
			"delivery_url": tunnel.URL, "secret": p.Webhooks.Secret})
	}
	report, err := suites.Run(context.Background(), suites.Options{Profile: p, Topics: topics.All(), Shuffle: true, Seed: 3,
		Label: "webhooks || products || orders || checkout", Deliveries: tunnel.Lead})
	if err != nil {
		t.Fatal(err)
	}
	checkVerdict(t, report)
}

func TestNoSecretOfSigningInIsInTheReport(t *testing.T) {
	server := mockserver.Start(t)
	p := profileOf(t, server.URL())
	const password = "Tr0ub4dor+&3"
	manage(t, p, http.MethodPut, "/customers/1", map[string]any{"password": password}) // the administrator's
	p.Credentials.Login = profile.Login{Username: "admin", Password: password}
	p.Credentials.OAuth = profile.OAuthCredentials{Key: "ck_mock_rw", Secret: "cs_mock_rw"}

	report, err := suites.Run(context.Background(), suites.Options{Profile: p, Topics: topics.All(), Label: "auth || webhooks"})
	if err != nil {
		t.Fatal(err)
	}
	for _, q := range report.Requirements {
		if strings.HasPrefix(q.ID, "jwt.bearer") || q.ID == "login.basic" || q.ID == "oauth1.signed" {
			if q.Outcome != reports.Passed {
				t.Errorf("%s is %s: %s", q.ID, q.Outcome, q.Reason)
			}
		}
	}
	text, err := json.Marshal(report)
	if err != nil {
		t.Fatal(err)
	}
	for _, secret := range []string{"Tr0ub4dor", "cs_mock_rw", "whsec-", "Secret-", "eyJ"} {
		if i := strings.Index(string(text), secret); i >= 0 {
			t.Errorf("%s is in the report: …%s…", secret, text[max(0, i-200):i+40])
		}
	}
}
