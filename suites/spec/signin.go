package spec

// Ways to sign in to the management API other than by an API key.

import (
	"context"
	"net/http"
	"strings"

	"shopcheck/suites/client"
	. "shopcheck/suites/expect"
	"shopcheck/suites/profile"
)

// Signing is how requests are signed by OAuth 1.0a. Without a pair to sign with the spec could not run.
func (s *Stage) Signing() client.OAuth {
	o := client.SigningBy(s.Profile().Credentials)
	if !o.Consumer.Given() {
		s.lab.CouldNotRun("the profile has neither credentials.oauth nor credentials.read_write to sign with")
	}
	return o
}

// Login is the user who may read and change products. Without one in the profile the spec could not run; neither
// where the password would cross a network that others can read.
func (s *Stage) Login() profile.Login {
	login := s.Profile().Credentials.Login
	if !login.Given() {
		s.lab.CouldNotRun("the profile has no credentials.login (username and password)")
	}
	s.keepsSecret()
	return login
}

// TokenLogin is the user who gets bearer tokens.
func (s *Stage) TokenLogin() profile.Login {
	login := s.Profile().Credentials.TokenLogin()
	if !login.Given() {
		s.lab.CouldNotRun("the profile has neither credentials.jwt nor credentials.login (username and password)")
	}
	s.keepsSecret()
	return login
}

func (s *Stage) keepsSecret() {
	if p := s.Profile(); !p.Loopback() && !strings.HasPrefix(p.Target, "https:") {
		s.lab.CouldNotRun("a password is not sent to %s, for it is reached without TLS", p.Target)
	}
}

// AskToken asks for a bearer token. What is empty is left out of the form.
func (s *Stage) AskToken(ctx context.Context, login profile.Login) *client.Answer {
	return s.lab.Do(ctx, client.Request{Method: http.MethodPost, Path: client.TokenPath, Body: login.Form()})
}

// Token is a bearer token of the profile's user.
func (s *Stage) Token(ctx context.Context) string {
	answer := s.AskToken(ctx, s.TokenLogin())
	s.lab.Expect("jwt.token", answer, BeSuccess())
	s.lab.Expect("login-token.field.token", answer, HaveJSON("token", BeNonEmpty()))
	return answer.Get("token").String()
}

// GivenUser makes a customer who can sign in.
func (s *Stage) GivenUser(ctx context.Context) profile.Login {
	user := profile.Login{Username: s.Word(), Password: s.Unique("Secret")}
	made := s.Customers.Create(ctx, s.CustomerBody(Fields{"username": user.Username, "password": user.Password}))
	if !made.OK() {
		s.lab.CouldNotRun("the target makes no customer: POST /shop/v3/customers is answered with %d %s", made.Status, made.Code())
	}
	return user
}
