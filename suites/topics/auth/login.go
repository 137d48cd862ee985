package auth

// Users who sign in with their login name and password: by Basic authentication, or for a bearer token.

import (
	"encoding/base64"
	"strings"

	. "github.com/onsi/ginkgo/v2"

	"shopcheck/suites/client"
	"shopcheck/suites/contract"
	"shopcheck/suites/profile"
	. "shopcheck/suites/spec"
	"shopcheck/suites/topics/collection"
)

func (t topic) login() {
	It("lets in by Basic authentication", Req("login.basic"), func(ctx SpecContext) {
		Expect(t.Products.As(client.ByPassword(t.Login())).List(ctx, one)).To(HaveStatus(200))
	})

	It("lets write", Req("login.writes"), func(ctx SpecContext) {
		t.letsWrite(ctx, client.ByPassword(t.Login()))
	})

	It("is refused with a wrong password", Req("login.wrong-password"), func(ctx SpecContext) {
		login := t.Login()
		login.Password = t.Unique("wrong")

		Expect(t.Products.As(client.ByPassword(login)).List(ctx, one)).To(HaveStatus(401))
	})

	It("is refused when nobody has the name", Req("login.unknown-user"), func(ctx SpecContext) {
		login := t.Login()
		login.Username = t.Word()

		Expect(t.Products.As(client.ByPassword(login)).List(ctx, one)).To(HaveStatus(401))
	})

	It("is looked at whatever the request is about", Req("login.basic", "login.wrong-password"), func(ctx SpecContext) {
		wrong := t.Login()
		wrong.Password = t.Unique("wrong")

		t.everywhere(ctx, client.ByPassword(t.Login()), "login.basic", client.ByPassword(wrong), "login.wrong-password")
	})
}

func (t topic) capabilities() {
	It("are not a customer's", Req("auth.capability"), func(ctx SpecContext) {
		if !t.Offers(contract.FeatureLoginBasic) && !t.Offers(contract.FeatureJWT) {
			t.NotApplicable("users sign in neither by Basic authentication nor for a token: keys belong to users whom nobody outside can " +
				"choose")
		}
		customer, _ := t.GivenUser(ctx)
		product := t.GivenProduct(ctx)

		for _, auth := range t.signedIn(ctx, customer) {
			products := t.Products.As(auth)

			Expect(products.Create(ctx, t.ProductBody())).To(HaveStatus(403))
			Expect(products.Update(ctx, product.ID, Fields{"description": "x"})).To(HaveStatus(403))
			Expect(products.ForceDelete(ctx, product.ID)).To(HaveStatus(403))
		}
	})
}

// signedIn is a user in each way in which the target lets users sign in.
func (t topic) signedIn(ctx SpecContext, user profile.Login) []client.Auth {
	var ways []client.Auth
	if t.Offers(contract.FeatureLoginBasic) {
		ways = append(ways, client.ByPassword(user))
	}
	if t.Offers(contract.FeatureJWT) {
		if token := t.AskToken(ctx, user).Get("token").String(); token != "" {
			ways = append(ways, client.ByToken(token))
		}
	}
	if len(ways) == 0 {
		t.NotApplicable("the target gives customers no token")
	}
	return ways
}

func (t topic) tokens() {
	It("is given for a login name and a password", Req("jwt.token"), ReqShape(contract.LoginToken()), func(ctx SpecContext) {
		answer := t.AskToken(ctx, t.TokenLogin())

		Expect(answer).To(BeSuccess())
		Expect(answer).To(HaveJSON("token", BeNonEmpty()))
	})

	It("is not given for a wrong password", Req("jwt.wrong-password", "jwt.refusal"), func(ctx SpecContext) {
		login := t.TokenLogin()
		login.Password = t.Unique("wrong")

		answer := t.AskToken(ctx, login)

		Expect(answer).To(BeRefused())
		Expect(answer).To(HaveNoField("token"))
		t.Observe("jwt.wrong-password.status", answer.Status)
		t.Observe("jwt.wrong-password.code", answer.Code())
	})

	It("is not given for half of it", Req("jwt.credentials-required"), func(ctx SpecContext) {
		login := t.TokenLogin()

		for _, half := range []profile.Login{{Username: login.Username}, {Password: login.Password}} {
			Expect(t.AskToken(ctx, half)).To(BeRefused())
		}
	})

	It("lets in as a bearer token", Req("jwt.bearer"), func(ctx SpecContext) {
		Expect(t.Products.As(client.ByToken(t.Token(ctx))).List(ctx, one)).To(HaveStatus(200))
	})

	It("lets write", Req("jwt.writes"), func(ctx SpecContext) {
		t.letsWrite(ctx, client.ByToken(t.Token(ctx)))
	})

	It("is refused when it was made up", Req("jwt.invalid-token"), func(ctx SpecContext) {
		Expect(t.Products.As(client.ByToken(madeUp("HS256")+"."+encoded(t.Word()))).List(ctx, one)).To(HaveStatus(401))
		Expect(t.Products.As(client.ByToken(t.Unique("token"))).List(ctx, one)).To(HaveStatus(401))
	})

	It("is looked at whatever the request is about", Req("jwt.bearer", "jwt.invalid-token"), func(ctx SpecContext) {
		t.everywhere(ctx, client.ByToken(t.Token(ctx)), "jwt.bearer", client.ByToken(t.Unique("token")), "jwt.invalid-token")
	})

	It("is refused when it was altered", Req("jwt.altered-token"), func(ctx SpecContext) {
		token := t.Token(ctx)
		middle := len(token) / 2
		altered := token[:middle] + string(other(token[middle])) + token[middle+1:]

		Expect(t.Products.As(client.ByToken(altered)).List(ctx, one)).To(HaveStatus(401))
	})

	It("is refused without a signature", Req("jwt.unsigned-token"), func(ctx SpecContext) {
		claims := strings.Split(t.Token(ctx), ".")
		if len(claims) != 3 {
			t.NotApplicable("the token is no JWT")
		}
		unsigned, _, _ := strings.Cut(madeUp("none"), ".")

		Expect(t.Products.As(client.ByToken(unsigned+"."+claims[1]+".")).List(ctx, one)).To(HaveStatus(401))
	})

	It("has the form of a JWT", Req("jwt.form"), func(ctx SpecContext) {
		Expect(t.AskToken(ctx, t.TokenLogin())).To(HaveJSON("token", MatchRegexp(`^[\w-]+\.[\w-]+\.[\w-]+$`)))
	})
}

// letsWrite expects that somebody may make and remove products.
func (t topic) letsWrite(ctx SpecContext, auth client.Auth) {
	products := t.Products.As(auth)

	made := products.Create(ctx, t.ProductBody())

	Expect(made).To(HaveStatus(201))
	Expect(products.ForceDelete(ctx, made.ID())).To(BeSuccess())
}

// everywhere expects that all collections let in who has good credentials, and are neither read nor changed by who has bad ones.
// letsIn and keepsOut are the requirements.
func (t topic) everywhere(ctx SpecContext, good client.Auth, letsIn string, bad client.Auth, keepsOut string) {
	for _, records := range collection.All(t.Env) {
		if !t.Offers(records.Creating) {
			continue
		}
		stranger, id := records.Resource.As(bad), t.GivenOwner(ctx, records.Resource.Path())
		t.For(letsIn).Expect(records.Resource.As(good).List(ctx, one)).To(HaveStatus(200))
		t.For(letsIn).Expect(records.Resource.As(good).Create(ctx, records.Body(ctx))).To(HaveStatus(201))
		for _, answer := range []*client.Answer{stranger.List(ctx, one), stranger.Get(ctx, id), stranger.Create(ctx, records.Body(ctx)),
			stranger.Update(ctx, id, Fields{"meta_data": []Fields{}}), stranger.ForceDelete(ctx, id)} {
			t.For(keepsOut).Expect(answer).To(HaveStatus(401))
		}
	}
}

// madeUp is header and claims of a token that no shop has given out.
func madeUp(algorithm string) string {
	return encoded(`{"typ":"JWT","alg":"`+algorithm+`"}`) + "." + encoded(`{"iss":"shopcheck","exp":4102444800,"data":{"user":{"id":"1"}}}`)
}

func encoded(text string) string { return base64.RawURLEncoding.EncodeToString([]byte(text)) }

// other is another character of the same alphabet.
func other(c byte) byte {
	if c == 'A' {
		return 'B'
	}
	return 'A'
}
