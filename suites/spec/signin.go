package spec

// Ways to sign in to the management API other than by an API key.

import (
	"context"
	"net/http"

	"shopcheck/suites/client"
	"shopcheck/suites/profile"
)

// Signing is how requests are signed by OAuth 1.0a. Without a pair to sign with the spec could not run.
func (e *Env) Signing() client.OAuth {
	o := client.SigningBy(e.Profile().Credentials)
	if !o.Consumer.Given() {
		e.run.CouldNotRun("the profile has neither credentials.oauth nor credentials.read_write to sign with")
	}
	return o
}

// Login is the user who may read and change products. Without one in the profile the spec could not run; neither
// where the password would cross a network that others can read.
func (e *Env) Login() profile.Login {
	login := e.Profile().Credentials.Login
	if !login.Given() {
		e.run.CouldNotRun("the profile has no credentials.login (username and password)")
	}
	e.keepsSecret()
	return login
}

// TokenLogin is the user who gets bearer tokens.
func (e *Env) TokenLogin() profile.Login {
	login := e.Profile().Credentials.TokenLogin()
	if !login.Given() {
		e.run.CouldNotRun("the profile has neither credentials.jwt nor credentials.login (username and password)")
	}
	e.keepsSecret()
	return login
}

func (e *Env) keepsSecret() {
	if p := e.Profile(); !p.Secure() {
		e.run.CouldNotRun("a password is not sent to %s, for it is reached without TLS", p.Target)
	}
}

// AskToken asks for a bearer token. What is empty is left out of the form.
func (e *Env) AskToken(ctx context.Context, login profile.Login) *client.Answer {
	return e.run.Do(ctx, client.Request{Method: http.MethodPost, Path: client.TokenPath, Body: login.Form()})
}

// Token is a bearer token of the profile's user.
func (e *Env) Token(ctx context.Context) string {
	answer := e.AskToken(ctx, e.TokenLogin())
	e.run.Expect("jwt.token", answer, BeSuccess())
	e.run.Expect("login-token.field.token", answer, HaveJSON("token", BeNonEmpty()))
	return answer.Get("token").String()
}

// GivenUser makes a customer who can sign in, and returns the customer's id as well.
func (e *Env) GivenUser(ctx context.Context) (user profile.Login, id int64) {
	user = profile.Login{Username: e.Word(), Password: e.Unique("Secret")}
	made := e.Customers.Create(ctx, e.CustomerBody(Fields{"username": user.Username, "password": user.Password}))
	if !made.OK() {
		e.run.CouldNotRun("the target makes no customer: POST /shop/v3/customers is answered with %d %s", made.Status, made.Code())
	}
	return user, made.ID()
}
