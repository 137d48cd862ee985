package auth

// API keys: the ways to send one, and keys that are not good.

import (
	"strings"

	. "github.com/onsi/ginkgo/v2"

	"shopcheck/suites/client"
	"shopcheck/suites/profile"
	. "shopcheck/suites/spec"
)

func (t topic) keys() {
	It("is taken by Basic authentication", Req("auth.basic"), func(ctx SpecContext) {
		if !t.Profile().Secure() {
			t.NotApplicable("Basic authentication is for HTTPS, and the target is %s", t.Profile().Target)
		}
		key := t.Key(ReadWrite)
		key.Way = client.BasicWay

		answer := t.Products.As(key).List(ctx, one)

		if !t.Profile().HTTPS() && answer.Status == 401 {
			t.NotApplicable("the target is reached by plain HTTP, where keys may be taken in the query only")
		}
		Expect(answer).To(HaveStatus(200))
	})

	It("is taken by Basic authentication over plain HTTP or not", Req("auth.basic-over-http"), func(ctx SpecContext) {
		if t.Profile().HTTPS() {
			t.NotApplicable("the target is reached by HTTPS")
		}
		if !t.Profile().Loopback() {
			t.NotApplicable("the key is not sent over a network that others can read")
		}
		key := t.Key(ReadWrite)
		key.Way = client.BasicWay

		t.Observe("basic-over-http.status", t.Products.As(key).List(ctx, one).Status)
	})

	It("is taken from the query", Req("auth.query"), func(ctx SpecContext) {
		key := t.Key(ReadWrite)
		key.Way = client.QueryWay

		Expect(t.Products.As(key).List(ctx, one)).To(HaveStatus(200))
	})

	It("is needed", Req("auth.none"), func(ctx SpecContext) {
		Expect(t.Products.As(client.Auth{}).List(ctx, one)).To(HaveStatus(401, 403))
	})

	It("is needed for every request", Req("general.authenticated", "auth.none"), func(ctx SpecContext) {
		product := t.GivenProduct(ctx)
		nobody := t.Products.As(client.Auth{})

		for _, answer := range []*client.Answer{
			nobody.List(ctx, nil),
			nobody.Create(ctx, t.ProductBody()),
			nobody.Get(ctx, product.ID),
			nobody.Update(ctx, product.ID, Fields{"description": "x"}),
			nobody.Batch(ctx, Fields{"create": []Fields{t.ProductBody()}}),
			nobody.Sub(product.ID, "variations").List(ctx, nil),
			nobody.Delete(ctx, product.ID),
			t.Orders.As(client.Auth{}).List(ctx, nil),
			t.Orders.As(client.Auth{}).Get(ctx, 1),
		} {
			Expect(answer).To(HaveStatus(401, 403))
		}
	})

	It("is refused with a wrong secret", Req("auth.wrong-secret"), func(ctx SpecContext) {
		if !t.Profile().Secure() {
			t.NotApplicable("Basic authentication is for HTTPS, and the target is %s", t.Profile().Target)
		}
		for _, key := range t.wrongSecrets(client.BasicWay) {
			Expect(t.Products.As(key).List(ctx, one)).To(HaveStatus(401))
		}
	})

	It("is refused with a wrong secret in the query", Req("auth.wrong-secret-query"), func(ctx SpecContext) {
		for _, key := range t.wrongSecrets(client.QueryWay) {
			Expect(t.Products.As(key).List(ctx, one)).To(HaveStatus(401))
		}
	})

	It("is refused when nobody has it", Req("auth.unknown-key"), func(ctx SpecContext) {
		unknown := client.Auth{Credentials: profile.Credentials{Key: t.Unique("ck"), Secret: t.Unique("cs")}, Way: client.AnyWay}

		Expect(t.Products.As(unknown).List(ctx, one)).To(HaveStatus(401))
	})

	It("is refused when it was revoked", Req("auth.revoked"), func(ctx SpecContext) {
		Expect(t.Products.As(t.Key(Revoked)).List(ctx, one)).To(HaveStatus(401))
	})

	It("that is refused gets an answer of some form", Req("auth.error-bodies"), func(ctx SpecContext) {
		t.Observe("no-credentials.status", t.Products.As(client.Auth{}).List(ctx, one).Status)
		t.Observe("no-credentials.code", t.Products.As(client.Auth{}).List(ctx, one).Code())
		t.Observe("wrong-secret.code", t.Products.As(t.wrongSecret(client.AnyWay)).List(ctx, one).Code())
	})
}

// one keeps lists short whose records do not matter.
var one = Query{"per_page": "1"}

// wrongSecret is the key of the run with a secret that is not its own.
func (t topic) wrongSecret(way client.AuthWay) client.Auth {
	key := t.Key(ReadWrite)
	key.Secret = t.Unique("cs")
	key.Way = way
	return key
}

// wrongSecrets are keys of the run with secrets that are not theirs: a made-up one, one that is too long, one in other letters, the key
// itself, and another key's.
func (t topic) wrongSecrets(way client.AuthWay) []client.Auth {
	own := t.Key(ReadWrite)
	secrets := []string{t.Unique("cs"), own.Secret + "0", own.Key}
	if upper := strings.ToUpper(own.Secret); upper != own.Secret {
		secrets = append(secrets, upper)
	}
	if other := t.Profile().Credentials.Read; other.Secret != "" && other.Key != own.Key {
		secrets = append(secrets, other.Secret)
	}
	var keys []client.Auth
	for _, secret := range secrets {
		key := own
		key.Secret, key.Way = secret, way
		keys = append(keys, key)
	}
	return keys
}
