package auth_test

// The three-legged flow of OAuth, walked by the client of github.com/dghubble/oauth1.

import (
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/dghubble/oauth1"

	"shopcheck/mockserver/internal/shop"
	"shopcheck/mockserver/internal/shopmock"
	"shopcheck/mockserver/internal/testkit"
)

func (w *world) flow(key, callback string) *oauth1.Config {
	app := application(key, "HMAC-SHA256")
	app.CallbackURL, app.HTTPClient = callback, &http.Client{Transport: w.Transport}
	app.Endpoint = oauth1.Endpoint{
		RequestTokenURL: w.Site + "/oauth1/request",
		AuthorizeURL:    w.Site + "/oauth1/authorize",
		AccessTokenURL:  w.Site + "/oauth1/access",
	}
	return app
}

// decide posts the form of the page, as a user does.
func (w *world) decide(token, username, password, decision string) *testkit.Answer {
	form := url.Values{"oauth_token": {token}, "username": {username}, "password": {password}, "decision": {decision}}
	return w.Do(w.request("POST", "/oauth1/authorize", form.Encode()))
}

func (w *world) wantPage(what string, a *testkit.Answer, status int, text string) {
	w.T.Helper()
	if a.Status != status || !strings.HasPrefix(a.Header.Get("Content-Type"), "text/html") || !strings.Contains(a.Body, text) {
		w.T.Errorf("%s: %d %s, want %d and %q in\n%s", what, a.Status, a.Header.Get("Content-Type"), status, text, a.Body)
	}
}

func TestAnApplicationGetsATokenInThreeSteps(t *testing.T) {
	t.Parallel()
	w := newWorld(t, shopmock.Options{})
	w.user("shop_manager")
	app := w.flow("ck_mock_rw", "https://app.example.test/back?from=shop")
	request, requestSecret, err := app.RequestToken()
	if err != nil {
		t.Fatal(err)
	}
	address, err := app.AuthorizationURL(request)
	if err != nil {
		t.Fatal(err)
	}
	page := w.Get(address.String())
	w.wantPage("the page", page, 200, `<button name="decision" value="approve">`)
	page.HasHeader("X-Frame-Options", "DENY")
	w.wantPage("a wrong password", w.decide(request, "shop_manager", "wrong", "approve"), 401, "no user with this name")

	approved := w.decide(request, "shop_manager", "pass word", "approve")
	back, err := http.NewRequest("GET", approved.Header.Get("Location"), nil)
	if err != nil || approved.Status != http.StatusSeeOther ||
		!strings.HasPrefix(back.URL.String(), "https://app.example.test/back?from=shop&") {
		t.Fatalf("the browser is sent to %q (%d, %v)", approved.Header.Get("Location"), approved.Status, err)
	}
	sameRequest, verifier, err := oauth1.ParseAuthorizationCallback(back)
	if err != nil || sameRequest != request {
		t.Fatalf("the callback names %q: %v", sameRequest, err)
	}
	token, secret, err := app.AccessToken(request, requestSecret, verifier)
	if err != nil {
		t.Fatal(err)
	}
	w.wantStatus("reading", w.sign(app, oauth1.NewToken(token, secret), w.request("GET", "/shop/v3/coupons?per_page=1", "")), 200)
	w.wantStatus("with the request token",
		w.sign(app, oauth1.NewToken(request, requestSecret), w.request("GET", "/shop/v3/coupons", "")), 401)
	if _, _, err := app.AccessToken(request, requestSecret, verifier); err == nil {
		t.Error("a request token is exchanged twice")
	}
	w.wantPage("approving again", w.decide(request, "shop_manager", "pass word", "approve"), 400, "answered already")
}

func TestAnAccessTokenIsBoundToItsSecretAndApplication(t *testing.T) {
	t.Parallel()
	w := newWorld(t, shopmock.Options{})
	w.user("shop_manager")
	app := w.flow("ck_mock_rw", "oob")
	access := w.accessToken(app, "shop_manager")
	w.wantStatus("writing", w.sign(app, access, w.request("POST", "/shop/v3/coupons", `{"code":"three"}`)), 201)
	w.wantStatus("with a wrong secret",
		w.sign(app, oauth1.NewToken(access.Token, access.TokenSecret+"x"), w.request("GET", "/shop/v3/coupons", "")), 401)
	w.wantStatus("through another application",
		w.sign(application("ck_mock_r", "HMAC-SHA256"), access, w.request("GET", "/shop/v3/coupons", "")), 401)
}

func TestAnAccessTokenIsLimitedByKeyUserAndTime(t *testing.T) {
	t.Parallel()
	w := newWorld(t, shopmock.Options{})
	user := w.user("editor")
	app := w.flow("ck_mock_r", "oob")
	access := w.accessToken(app, "editor")
	w.wantStatus("reading", w.sign(app, access, w.request("GET", "/shop/v3/coupons", "")), 200)
	w.wantStatus("writing through a read key", w.sign(app, access, w.request("POST", "/shop/v3/coupons", `{"code":"x"}`)), 403)

	w.Clock.Move(31 * 24 * time.Hour)
	const path = "/shop/v3/coupons"
	late := w.signature("GET", path).say("oauth_consumer_key", "ck_mock_r").say("oauth_token", access.Token)
	late.secret, late.token = "cs_mock_r", access.TokenSecret
	w.wantStatus("a month later", w.Get(path+"?"+late.done(t).form()), 401)
	w.Clock.Move(-31 * 24 * time.Hour)

	w.Write(func(tx *shop.Tx) error {
		row, _ := tx.Customers.Get(user)
		return row.Delete(tx, 0)
	})
	w.wantStatus("for a user who is gone", w.sign(app, access, w.request("GET", path, "")), 401)
}

// accessToken walks the flow for an application that no browser can go to.
func (w *world) accessToken(app *oauth1.Config, username string) *oauth1.Token {
	w.T.Helper()
	request, requestSecret, err := app.RequestToken()
	if err != nil {
		w.T.Fatal(err)
	}
	page := w.decide(request, username, "pass word", "approve")
	verifier := regexp.MustCompile(`id="verifier">([^<]+)<`).FindStringSubmatch(page.Body)
	if page.Status != http.StatusOK || verifier == nil {
		w.T.Fatalf("no verifier on the page: %d %s", page.Status, page.Body)
	}
	token, secret, err := app.AccessToken(request, requestSecret, verifier[1])
	if err != nil {
		w.T.Fatal(err)
	}
	return oauth1.NewToken(token, secret)
}

func TestAUserMayRefuse(t *testing.T) {
	t.Parallel()
	w := newWorld(t, shopmock.Options{})
	w.user("customer")
	app := w.flow("ck_mock_rw", "https://app.example.test/back")
	request, requestSecret, err := app.RequestToken()
	if err != nil {
		t.Fatal(err)
	}
	w.wantPage("a customer", w.decide(request, "customer", "pass word", "approve"), 403, "role")
	denied := w.decide(request, "", "", "deny")
	if got := denied.Header.Get("Location"); denied.Status != http.StatusSeeOther ||
		!strings.Contains(got, "oauth_problem=permission_denied") {
		t.Errorf("the browser is sent to %q (%d)", got, denied.Status)
	}
	w.wantPage("approving what was refused", w.decide(request, "admin", "password", "approve"), 400, "unknown")
	if _, _, err := app.AccessToken(request, requestSecret, "x"); err == nil {
		t.Error("a refused token is exchanged")
	}
}

func TestWhatTheFlowRefuses(t *testing.T) {
	t.Parallel()
	w := newWorld(t, shopmock.Options{})
	for _, callback := range []string{"", "app.example.test", "javascript:alert(1)", "ftp://app.example.test/",
		"https://user:word@app.example.test/", "https://app.example.test/" + strings.Repeat("x", 2048)} {
		s := w.signature("POST", "/oauth1/request").say("oauth_callback", callback).done(t)
		w.wantStatus("the callback "+callback, w.Do(w.request("POST", "/oauth1/request", s.form())), 400)
	}
	for _, path := range []string{"/oauth1/request", "/oauth1/access"} {
		w.wantStatus(path+" unsigned", w.Do(w.request("POST", path, "")), 401)
		revoked := w.signature("POST", path).say("oauth_consumer_key", "ck_mock_revoked").say("oauth_callback", "oob")
		revoked.secret = "cs_mock_revoked"
		w.wantStatus(path+" with a revoked key", w.Do(w.request("POST", path, revoked.done(t).form())), 401)
		w.wantStatus(path+" deleted", w.Do(w.request("DELETE", path, "")), 404)
	}
	w.wantStatus("exchanging nothing", w.Do(w.request("POST", "/oauth1/access", w.signature("POST", "/oauth1/access").done(t).form())),
		401)
	w.wantPage("no token", w.Get("/oauth1/authorize"), 400, "unknown")
	w.wantPage("markup for a token", w.Get("/oauth1/authorize?oauth_token=%3Cscript%3E"), 400, "unknown")
	w.wantPage("a huge form", w.decide("x", strings.Repeat("x", 1<<16), "x", "approve"), 400, "could not be read")

	request, _, err := w.flow("ck_mock_rw", "oob").RequestToken()
	if err != nil {
		t.Fatal(err)
	}
	w.Clock.Move(16 * time.Minute)
	w.wantPage("too late", w.decide(request, "admin", "password", "approve"), 400, "expired")
}
