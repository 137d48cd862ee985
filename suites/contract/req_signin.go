package contract

// Statements about signing in to the management API without an API key of one's own: OAuth 1.0a, login names, tokens.

import (
	"slices"
	"sync"

	"shopcheck/reports"
)

func signInRequirements() []Requirement {
	return slices.Concat(oauthRequirements(), loginRequirements(), tokenRequirements())
}

func oauthRequirements() []Requirement {
	g := &group{section: sectionAuthManagement, feature: FeatureOAuth1}
	g.must("oauth1.signed", "A request signed by OAuth 1.0a with HMAC-SHA256 is let in.")
	g.must("oauth1.writes", "A signed request may write.")
	g.must("oauth1.parameters-signed", "The signature covers the query's parameters, whatever characters they hold.")
	g.must("oauth1.wrong-secret", "A request signed with a wrong secret is answered with 401.")
	g.must("oauth1.wrong-signature", "A request whose signature is that of another request is answered with 401.")
	g.must("oauth1.signature-needed", "A consumer key without a signature lets nobody in.")
	g.must("oauth1.unknown-consumer", "A request signed with an unknown consumer key is answered with 401.")
	g.must("oauth1.unknown-token", "A request with an access token that nobody was given is answered with 401.")
	g.must("oauth1.revoked", "A request signed with a revoked key is answered with 401.")
	g.must("oauth1.permission", "A request signed with a key of Read permission that writes is answered with 403.")
	g.observed("oauth1.hmac-sha1", "Whether HMAC-SHA1 is accepted.")
	g.observed("oauth1.places", "Whether the parameters are accepted in the Authorization header and in the query.")
	g.observed("oauth1.stale-timestamp", "Whether an old oauth_timestamp is refused.")
	g.observed("oauth1.replayed-nonce", "Whether an oauth_nonce is accepted twice.")
	g.observed("oauth1.missing-parameters", "Whether a request without oauth_timestamp or oauth_nonce is refused.")
	g.untestable(reports.Must, "oauth1.flow", "An application gets its access token by a request token that a user authorizes.",
		"the contract does not show the addresses of these steps, and a person takes one of them")
	return g.list
}

func loginRequirements() []Requirement {
	g := &group{section: sectionAuthManagement, feature: FeatureLoginBasic}
	g.must("login.basic", "A user's login name and password authenticate by HTTP Basic.")
	g.must("login.writes", "A user with sufficient capability may write.")
	g.must("login.wrong-password", "A wrong password is answered with 401.")
	g.must("login.unknown-user", "A login name that nobody has is answered with 401.")
	g.with(FeatureCustomers, func() {
		g.must("auth.capability", "A user without sufficient capability, such as a customer, is answered with 403.")
	})
	g.untestable(reports.Should, "login.https", "Login names and passwords are for development over HTTPS only.",
		"a property of the deployment's use, not of its answers")
	return g.list
}

func tokenRequirements() []Requirement {
	g := &group{section: sectionAuthManagement, feature: FeatureJWT}
	g.list = LoginToken().Requirements()
	g.must("jwt.token", "POST /jwt-auth/v1/token with the form fields username and password answers a token.")
	g.must("jwt.wrong-password", "A wrong password gets no token.")
	g.must("jwt.credentials-required", "Without username or without password there is no token.")
	g.must("jwt.bearer", "Authorization: Bearer with the token authenticates.")
	g.must("jwt.writes", "The token of a user with sufficient capability lets write.")
	g.must("jwt.invalid-token", "A token that the service has not given out is answered with 401.")
	g.must("jwt.altered-token", "A token that was altered is answered with 401.")
	g.must("jwt.unsigned-token", "A token that says that it needs no signature is answered with 401.")
	g.should("jwt.form", "The token has the form of a JWT.")
	g.observed("jwt.refusal", "Status and code of the answer to a wrong password.")
	return g.list
}

// LoginToken is what a user gets for a login name and a password.
func LoginToken() *Shape { return loginTokenShape() }

var loginTokenShape = sync.OnceValue(func() *Shape {
	return &Shape{ID: "login-token", Title: "token answer", Section: sectionAuthManagement, Feature: FeatureJWT, Fields: fields(
		strs("token"),
		formatted(Email, "user_email"),
		strs("user_nicename", "user_display_name"),
	)}
})
