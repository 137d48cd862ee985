package auth

// The three steps by which an application gets an access token of OAuth 1.0a: it asks for a request token, a user approves
// in a browser, it exchanges the one for the other (RFC 5849, section 2).

import (
	"errors"
	"html/template"
	"net/http"
	"net/url"
	"sync"

	"github.com/gorilla/mux"

	"shopcheck/mockserver/internal/rest"
	"shopcheck/mockserver/internal/shop"
)

// Where the steps live.
const (
	OAuthRequestPath   = "/oauth1/request"
	OAuthAuthorizePath = "/oauth1/authorize"
	OAuthAccessPath    = "/oauth1/access"
)

const (
	// outOfBand is the callback of applications that no browser can go to: the user hands them the verifier.
	outOfBand = "oob"
	maxForm   = 16 << 10
)

// MountOAuth adds the three steps to a router.
func MountOAuth(router *mux.Router, signIn SignInOf) {
	for path, step := range map[string]func(*SignIn, http.ResponseWriter, *http.Request){
		OAuthRequestPath: (*SignIn).giveRequestToken, OAuthAuthorizePath: (*SignIn).authorize, OAuthAccessPath: (*SignIn).giveAccessToken,
	} {
		handler := func(w http.ResponseWriter, r *http.Request) { step(signIn(r), w, r) }
		router.Path(path).Handler(rest.Methods{http.MethodGet: handler, http.MethodPost: handler})
	}
}

// giveRequestToken is the first step. It takes a request signed with an API key, with oauth_callback: a web address, or oob.
func (s *SignIn) giveRequestToken(w http.ResponseWriter, r *http.Request) {
	request := rest.CallOf(r)
	call, _ := readSigned(r, request.Dial)
	key, err := s.verify(request.View, call, "")
	if err != nil {
		refuse(w, err)
		return
	}
	callback := call.all.last("oauth_callback")
	if !validCallback(callback) {
		refuse(w, rest.InvalidParams(rest.Invalid{
			Param: "oauth_callback", Code: "rest_invalid_format", Reason: "oauth_callback must be an http or https address, or oob.",
		}))
		return
	}
	asked, err := s.grants().ask(request.View.Now, key.ID, callback)
	if err != nil {
		refuse(w, err)
		return
	}
	writeForm(w, url.Values{"oauth_token": {asked.Token}, "oauth_token_secret": {asked.Secret}, "oauth_callback_confirmed": {"true"}})
}

func validCallback(callback string) bool {
	if callback == outOfBand {
		return true
	}
	address, err := url.Parse(callback)
	return err == nil && shop.ValidWebAddress(callback) && address.User == nil
}

// giveAccessToken is the third step. It takes a request signed with the API key and the request token, with the
// oauth_verifier that the second step gave.
func (s *SignIn) giveAccessToken(w http.ResponseWriter, r *http.Request) {
	request := rest.CallOf(r)
	call, _ := readSigned(r, request.Dial)
	asked, _, err := s.grants().request(request.View.Now, call.all.last("oauth_token"))
	if err != nil {
		refuse(w, err)
		return
	}
	key, err := s.verify(request.View, call, asked.Secret)
	if err != nil {
		refuse(w, err)
		return
	}
	token, ok, err := s.grants().redeem(request.View.Now, asked.Token, key.ID, call.all.last("oauth_verifier"))
	if err != nil {
		refuse(w, err)
		return
	}
	if !ok {
		refuse(w, unproven("The oauth_token is unknown, has expired or was not approved, or the oauth_verifier is not its own."))
		return
	}
	writeForm(w, url.Values{"oauth_token": {token.text}, "oauth_token_secret": {token.secret}})
}

func writeForm(w http.ResponseWriter, values url.Values) {
	w.Header().Set("Content-Type", "application/x-www-form-urlencoded")
	w.Header().Set("Cache-Control", "no-store")
	w.Write([]byte(values.Encode())) //nolint:errcheck // a client that went away is no fault of ours
}

func refuse(w http.ResponseWriter, err error) {
	var refused *rest.Error
	if !errors.As(err, &refused) {
		panic(err) // only answers come here
	}
	rest.WriteError(w, refused)
}

// authorize is the second step, made by a user: GET shows a page with a form, which posts oauth_token, username, password
// and decision (approve or deny). A test posts the same without a browser. An approved token's verifier goes to the callback
// (303), or onto the page for oob, in the element with the id "verifier".
func (s *SignIn) authorize(w http.ResponseWriter, r *http.Request) {
	r.Body = http.MaxBytesReader(w, r.Body, maxForm)
	if err := r.ParseForm(); err != nil {
		show(w, http.StatusBadRequest, consent{Fault: "The form could not be read."})
		return
	}
	view := rest.CallOf(r).View
	asked, alive, err := s.grants().request(view.Now, r.Form.Get("oauth_token"))
	if err != nil {
		refuse(w, err)
		return
	}
	if !alive || asked.User != 0 {
		show(w, http.StatusBadRequest,
			consent{Fault: "This request is unknown, was answered already or has expired. Begin again in the application."})
		return
	}
	page := consent{Shop: view.Config.Title, Application: nameOf(view, asked.Key), Token: asked.Token}
	switch {
	case r.Method != http.MethodPost:
		show(w, http.StatusOK, page)
	case r.PostForm.Get("decision") == "deny":
		if _, err := s.grants().drop(asked.Token); err != nil {
			refuse(w, err)
			return
		}
		leave(w, r, asked, url.Values{"oauth_token": {asked.Token}, "oauth_problem": {"permission_denied"}},
			consent{Shop: page.Shop, Done: "You refused. The application can do nothing."})
	default:
		s.decide(w, r, view, asked, page)
	}
}

// decide approves a request token for the user whose name and password the form holds.
func (s *SignIn) decide(w http.ResponseWriter, r *http.Request, view shop.View, asked requestToken, page consent) {
	user, known := login(view, r.PostForm.Get("username"), r.PostForm.Get("password"))
	switch {
	case !known:
		page.Fault = "There is no user with this name and password."
		show(w, http.StatusUnauthorized, page)
		return
	case !editsPosts(user.Role):
		page.Fault = "The role of this user does not allow it."
		show(w, http.StatusForbidden, page)
		return
	}
	approved, ok, err := s.grants().approve(view.Now, asked.Token, user.ID)
	if err != nil {
		refuse(w, err)
		return
	}
	if !ok {
		show(w, http.StatusBadRequest, consent{Shop: page.Shop,
			Fault: "This request was answered already or has expired. Begin again in the application."})
		return
	}
	leave(w, r, approved, url.Values{"oauth_token": {approved.Token}, "oauth_verifier": {approved.Verifier}},
		consent{Shop: page.Shop, Done: "Give this code to the application:", Verifier: approved.Verifier})
}

// leave sends the browser to the application's callback, or shows a last page when it has none.
func leave(w http.ResponseWriter, r *http.Request, asked requestToken, said url.Values, last consent) {
	if asked.Callback == outOfBand {
		show(w, http.StatusOK, last)
		return
	}
	address, _ := url.Parse(asked.Callback) // it was checked when the token was asked for
	query := address.Query()
	for name, values := range said {
		query[name] = values
	}
	address.RawQuery = query.Encode()
	http.Redirect(w, r, address.String(), http.StatusSeeOther)
}

// nameOf is how the user knows the application: by its key's description.
func nameOf(view shop.View, key int64) string {
	if row, exists := view.Keys.Get(key); exists && row.Description != "" {
		return row.Description
	}
	return "An application"
}

// consent is what the page says.
type consent struct {
	Shop, Application string
	Token             string // of the form; without it there is none
	Fault, Done       string
	Verifier          string
}

func show(w http.ResponseWriter, status int, said consent) {
	header := w.Header()
	header.Set("Content-Type", "text/html; charset=utf-8")
	header.Set("Cache-Control", "no-store")
	header.Set("Referrer-Policy", "no-referrer")
	header.Set("X-Frame-Options", "DENY")
	header.Set("Content-Security-Policy", "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; base-uri 'none'")
	w.WriteHeader(status)
	consentPage().Execute(w, said) //nolint:errcheck // a client that went away is no fault of ours
}

var consentPage = sync.OnceValue(func() *template.Template { return template.Must(template.New("consent").Parse(consentHTML)) })

const consentHTML = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Let an application in</title>
<style>
body { font: 16px/1.5 system-ui, sans-serif; max-width: 26rem; margin: 4rem auto; padding: 0 1rem; color: #1d2327 }
label, input { display: block; width: 100%; box-sizing: border-box }
input { font: inherit; padding: .5rem; margin: .25rem 0 1rem }
button { font: inherit; padding: .5rem 1.25rem; margin-right: .5rem }
code { font-size: 1.1rem; user-select: all }
.fault { color: #b32d2e }
</style>
</head>
<body>
{{with .Shop}}<p>{{.}}</p>{{end}}
{{with .Fault}}<p class="fault" role="alert">{{.}}</p>{{end}}
{{with .Done}}<p>{{.}}</p>{{end}}
{{with .Verifier}}<p><code id="verifier">{{.}}</code></p>{{end}}
{{if .Token}}
<h1>Let “{{.Application}}” in?</h1>
<p>It will act in this shop with your rights, as far as its API key allows. Sign in to approve.</p>
<form method="post">
<input type="hidden" name="oauth_token" value="{{.Token}}">
<label for="username">User name</label>
<input id="username" name="username" autocomplete="username" required autofocus>
<label for="password">Password</label>
<input id="password" name="password" type="password" autocomplete="current-password" required>
<button name="decision" value="approve">Approve</button>
<button name="decision" value="deny" formnovalidate>Deny</button>
</form>
{{end}}
</body>
</html>
`
