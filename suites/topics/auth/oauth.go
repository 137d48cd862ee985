package auth

// Requests signed by OAuth 1.0a.

import (
	"time"

	. "github.com/onsi/ginkgo/v2"

	"shopcheck/suites/client"
	"shopcheck/suites/profile"
	. "shopcheck/suites/spec"
)

func (t topic) signed() {
	It("lets in", Req("oauth1.signed"), func(ctx SpecContext) {
		Expect(t.Products.As(t.signature(ctx)).List(ctx, one)).To(HaveStatus(200))
	})

	It("lets write", Req("oauth1.writes"), func(ctx SpecContext) {
		products := t.Products.As(t.signature(ctx))

		made := products.Create(ctx, t.ProductBody())

		Expect(made).To(HaveStatus(201))
		Expect(products.Update(ctx, made.ID(), Fields{"description": "x"})).To(HaveStatus(200))
		Expect(products.ForceDelete(ctx, made.ID())).To(BeSuccess())
	})

	It("covers the query, whatever is in it", Req("oauth1.parameters-signed"), func(ctx SpecContext) {
		products := t.Products.As(t.signature(ctx))

		for _, text := range []string{"two words", "a&b=c+d", "100%", "Käse/~*'()", "ends with ="} {
			Expect(products.List(ctx, Query{"search": text, "per_page": "1"})).To(HaveStatus(200))
		}
	})

	It("is refused when the secret is wrong", Req("oauth1.wrong-secret"), func(ctx SpecContext) {
		auth := t.signature(ctx)
		auth.OAuth.Consumer.Secret = t.Unique("cs")

		Expect(t.Products.As(auth).List(ctx, one)).To(HaveStatus(401))
	})

	It("is looked at whatever the request is about", Req("oauth1.signed", "oauth1.wrong-secret"), func(ctx SpecContext) {
		wrong := t.signature(ctx)
		wrong.OAuth.Consumer.Secret = t.Unique("cs")

		t.everywhere(ctx, t.signature(ctx), "oauth1.signed", wrong, "oauth1.wrong-secret")
	})

	It("is refused when it is that of another request", Req("oauth1.wrong-signature"), func(ctx SpecContext) {
		var signature string
		auth := t.signature(ctx)
		auth.OAuth.Spoil = func(parameters map[string]string) { signature = parameters["oauth_signature"] }
		t.Products.As(auth).List(ctx, one)
		auth.OAuth.Spoil = func(parameters map[string]string) { parameters["oauth_signature"] = signature }

		Expect(t.Products.As(auth).List(ctx, Query{"per_page": "2"})).To(HaveStatus(401))
		Expect(t.Products.As(auth).Create(ctx, t.ProductBody())).To(HaveStatus(401))
	})

	It("is needed beside the key", Req("oauth1.signature-needed"), func(ctx SpecContext) {
		auth := t.signature(ctx)
		auth.OAuth.Spoil = func(parameters map[string]string) { delete(parameters, "oauth_signature") }

		Expect(t.Products.As(auth).List(ctx, one)).To(BeRefused())
	})

	It("is refused when nobody has the key", Req("oauth1.unknown-consumer"), func(ctx SpecContext) {
		auth := t.signature(ctx)
		auth.OAuth.Consumer = profile.Credentials{Key: t.Unique("ck"), Secret: t.Unique("cs")}

		Expect(t.Products.As(auth).List(ctx, one)).To(HaveStatus(401))
	})

	It("is refused when nobody was given the token", Req("oauth1.unknown-token"), func(ctx SpecContext) {
		auth := t.signature(ctx)
		auth.OAuth.Token = profile.Credentials{Key: t.Unique("token"), Secret: t.Unique("secret")}

		Expect(t.Products.As(auth).List(ctx, one)).To(HaveStatus(401))
	})

	It("is refused when the key was revoked", Req("oauth1.revoked"), func(ctx SpecContext) {
		auth := t.signedWith(ctx, Revoked)

		Expect(t.Products.As(auth).List(ctx, one)).To(HaveStatus(401))
	})

	It("lets nobody write who may only read", Req("oauth1.permission"), func(ctx SpecContext) {
		reader := t.Products.As(t.signedWith(ctx, Read))

		Expect(reader.List(ctx, one)).To(HaveStatus(200))
		Expect(reader.Create(ctx, t.ProductBody())).To(HaveStatus(403))
	})
}

// signingHabits observes what the contract says nothing of.
func (t topic) signingHabits() {
	It("goes by HMAC-SHA1 too or not", Req("oauth1.hmac-sha1"), func(ctx SpecContext) {
		auth := t.signature(ctx)
		auth.OAuth.SHA1 = true

		t.Observe("oauth1.hmac-sha1.status", t.Products.As(auth).List(ctx, one).Status)
	})

	It("travels in the header, in the query, or in either", Req("oauth1.places"), func(ctx SpecContext) {
		t.Observe("oauth1.header.status", t.Products.As(t.signatureIn(false)).List(ctx, one).Status)
		t.Observe("oauth1.query.status", t.Products.As(t.signatureIn(true)).List(ctx, one).Status)
	})

	It("grows old or not", Req("oauth1.stale-timestamp"), func(ctx SpecContext) {
		for _, clock := range []struct {
			shows string
			away  time.Duration
		}{{"an-hour-ago", -time.Hour}, {"in-an-hour", time.Hour}} {
			auth := t.signature(ctx)
			auth.OAuth.Timestamp = time.Now().Add(clock.away)

			t.Observe("oauth1.signed-"+clock.shows+".status", t.Products.As(auth).List(ctx, one).Status)
		}
	})

	It("is good once, or again and again", Req("oauth1.replayed-nonce"), func(ctx SpecContext) {
		auth := t.signature(ctx)
		auth.OAuth.Timestamp, auth.OAuth.Nonce = time.Now(), t.Word()
		t.Products.As(auth).List(ctx, one)

		t.Observe("oauth1.replayed-nonce.status", t.Products.As(auth).List(ctx, one).Status)
	})

	It("needs its time and its nonce, or not", Req("oauth1.missing-parameters"), func(ctx SpecContext) {
		for _, name := range []string{"oauth_timestamp", "oauth_nonce"} {
			auth := t.signature(ctx)
			auth.OAuth.Spoil = func(parameters map[string]string) { delete(parameters, name) }

			t.Observe("oauth1.without-"+name+".status", t.Products.As(auth).List(ctx, one).Status)
		}
	})
}

// signatureIn signs with what the profile has.
func (t topic) signatureIn(query bool) client.Auth {
	o := t.Signing()
	o.InQuery = query
	return client.ByOAuth(o)
}

// signature signs in the place where the target looks for it: the contract does not say where that is.
func (t topic) signature(ctx SpecContext) client.Auth {
	if inHeader := t.signatureIn(false); t.Products.As(inHeader).List(ctx, one).OK() {
		return t.signatureIn(false)
	}
	return t.signatureIn(true)
}

// signedWith signs with an API key alone.
func (t topic) signedWith(ctx SpecContext, role Role) client.Auth {
	key := t.Key(role).Credentials
	if t.Profile().Credentials.OAuth.Key != "" {
		t.NotApplicable("the profile's credentials.oauth are those of an application: its API keys need not sign")
	}
	auth := t.signature(ctx)
	auth.OAuth.Consumer = key
	return auth
}
