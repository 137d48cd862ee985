package defects

// Other ways to sign in than by API key: let in who must not be, refused who must not be. And the matrix of permissions.

import (
	"net/http"
	"strings"

	"shopcheck/suites/client"
	"shopcheck/suites/contract"
	"shopcheck/suites/profile"
)

func reads(r *http.Request) bool  { return r.Method == http.MethodGet }
func writes(r *http.Request) bool { return r.Method != http.MethodGet }

func (k keyring) permissionDefects() []Defect {
	var out []Defect
	for _, o := range contract.Operations() {
		may, mayNot := k.Read, k.Write
		if o.Writes {
			may, mayNot = mayNot, may
		}
		called := at(o.Endpoint)
		out = append(out,
			defect(o.RequirementID(), "open", "Any key is let in to "+o.Endpoint+".", k.lent(called.and(bearerOf(mayNot)))),
			defect(o.RequirementID(), "closed", "The key that may is not let in to "+o.Endpoint+".",
				refused(called.and(bearerOf(may)), http.StatusForbidden)),
			defect(o.RequirementID(), "unauthorized", "The key that may not is answered with 401 by "+o.Endpoint+".",
				withStatus(called.and(bearerOf(mayNot)), is(http.StatusForbidden), http.StatusUnauthorized)))
	}
	return out
}

func (k keyring) oauthDefects() []Defect {
	signed := match(func(r *http.Request) bool { return oauthParameter(r, "oauth_consumer_key") != "" })
	by := func(c profile.Credentials) match {
		return func(r *http.Request) bool { return oauthParameter(r, "oauth_consumer_key") == c.Key }
	}
	unknown := signed.and(func(r *http.Request) bool { return !k.knows(oauthParameter(r, "oauth_consumer_key")) })
	tokened := match(func(r *http.Request) bool { return oauthParameter(r, "oauth_token") != "" })
	unsigned := signed.and(func(r *http.Request) bool { return oauthParameter(r, "oauth_signature") == "" })
	searching := signed.and(func(r *http.Request) bool { return r.URL.Query().Has("search") })
	forbidden := withStatus(signed, is(http.StatusUnauthorized), http.StatusForbidden)

	return []Defect{
		defect("oauth1.signed", "refused", "Signed requests are refused.", refused(signed.and(reads), http.StatusUnauthorized)),
		defect("oauth1.writes", "refused", "Signed requests may not write.", refused(signed.and(writes), http.StatusForbidden)),
		defect("oauth1.parameters-signed", "refused", "Signed requests with parameters are refused.",
			refused(searching, http.StatusUnauthorized)),
		defect("oauth1.parameters-signed", "other-encoding", "Spaces in signed parameters are encoded another way.",
			refused(searching.and(func(r *http.Request) bool { return strings.Contains(r.URL.Query().Get("search"), " ") }),
				http.StatusUnauthorized)),
		defect("oauth1.wrong-secret", "taken", "Signatures are not looked at.", k.lent(signed)),
		defect("oauth1.wrong-secret", "forbidden", "A signature by a wrong secret is answered with 403.", forbidden),
		defect("oauth1.wrong-signature", "taken", "Signatures are not looked at.", k.lent(signed)),
		defect("oauth1.wrong-signature", "forbidden", "A wrong signature is answered with 403.", forbidden),
		defect("oauth1.signature-needed", "optional", "The consumer key is enough.", k.lent(unsigned)),
		defect("oauth1.unknown-consumer", "taken", "Any consumer key goes.", k.lent(unknown)),
		defect("oauth1.unknown-consumer", "forbidden", "An unknown consumer key is answered with 403.", forbidden),
		defect("oauth1.unknown-token", "taken", "Any access token goes.", k.lent(tokened)),
		defect("oauth1.unknown-token", "forbidden", "An unknown access token is answered with 403.", forbidden),
		defect("oauth1.revoked", "taken", "A revoked key may sign.", k.lent(by(k.Revoked))),
		defect("oauth1.revoked", "forbidden", "A signature by a revoked key is answered with 403.", forbidden),
		defect("oauth1.permission", "writes", "A read key that signs may write.", k.lent(by(k.Read).and(writes))),
		defect("oauth1.permission", "refused", "A read key that signs may not read.", refused(by(k.Read).and(reads), http.StatusForbidden)),
	}
}

// oauthParameter reads a parameter of a signed request, in the form in which it was sent.
func oauthParameter(r *http.Request, name string) string {
	if _, list, isHeader := strings.Cut(r.Header.Get("Authorization"), "OAuth "); isHeader {
		_, value, _ := strings.Cut(list, name+`="`)
		value, _, _ = strings.Cut(value, `"`)
		return value
	}
	return r.URL.Query().Get(name)
}

func (k keyring) loginDefects() []Defect {
	isUser := func(r *http.Request) bool { return keyOf(r).Key == k.Login.Username }
	wrong := match(func(r *http.Request) bool { return isUser(r) && keyOf(r) != client.ByPassword(k.Login).Credentials })
	stranger := match(func(r *http.Request) bool { return byBasic(r) && !isUser(r) && !k.knows(keyOf(r).Key) })
	user := match(isUser)

	return []Defect{
		defect("login.basic", "refused", "Users may not sign in.", refused(user.and(reads), http.StatusUnauthorized)),
		defect("login.writes", "refused", "Users may not write.", refused(user.and(writes), http.StatusForbidden)),
		defect("login.wrong-password", "taken", "Any password goes.", k.lent(wrong)),
		defect("login.wrong-password", "forbidden", "A wrong password is answered with 403.",
			withStatus(wrong, is(http.StatusUnauthorized), http.StatusForbidden)),
		defect("login.unknown-user", "taken", "Any login name goes.", k.lent(stranger)),
		defect("login.unknown-user", "forbidden", "An unknown login name is answered with 403.",
			withStatus(stranger, is(http.StatusUnauthorized), http.StatusForbidden)),
		defect("auth.capability", "writes", "Customers may write.", k.lent(stranger)),
		defect("auth.capability", "writes-by-token", "Customers may write with a bearer token.", k.lent(byBearer)),
		defect("auth.capability", "unauthorized", "A customer who writes is answered with 401.",
			withStatus(stranger, is(http.StatusForbidden), http.StatusUnauthorized)),
	}
}

var byBearer match = func(r *http.Request) bool { return strings.HasPrefix(r.Header.Get("Authorization"), "Bearer ") }

func (k keyring) tokenDefects() []Defect {
	asks := at("POST " + client.TokenPath)
	unsigned := byBearer.and(func(r *http.Request) bool { return strings.HasSuffix(r.Header.Get("Authorization"), ".") })
	forbidden := withStatus(byBearer, is(http.StatusUnauthorized), http.StatusForbidden)
	toAnybody := answered(asks, func(_ *http.Request, a *answer) {
		if a.Status >= 400 {
			*a = *newAnswer(http.StatusOK, map[string]any{"token": "a.b.c", "user_email": "a@example.test", "user_nicename": "a",
				"user_display_name": "A"})
		}
	})

	return []Defect{
		defect("jwt.token", "refused", "Nobody gets a token.", refused(asks, http.StatusForbidden)),
		defect("jwt.token", "no-forms", "Tokens are given for JSON only.",
			asked(asks, func(r *http.Request) { r.Header.Set("Content-Type", "application/json") })),
		defect("jwt.wrong-password", "taken", "Any password gets a token.", toAnybody),
		defect("jwt.credentials-required", "optional", "A token is given to anybody.", toAnybody),
		defect("jwt.bearer", "refused", "Bearer tokens are refused.", refused(byBearer.and(reads), http.StatusUnauthorized)),
		defect("jwt.writes", "refused", "Bearer tokens do not let write.", refused(byBearer.and(writes), http.StatusForbidden)),
		defect("jwt.invalid-token", "taken", "Any bearer token goes.", k.lent(byBearer)),
		defect("jwt.invalid-token", "forbidden", "A made-up token is answered with 403.", forbidden),
		defect("jwt.altered-token", "taken", "Tokens are not verified.", k.lent(byBearer)),
		defect("jwt.altered-token", "forbidden", "An altered token is answered with 403.", forbidden),
		defect("jwt.unsigned-token", "taken", "Tokens without a signature are taken.", k.lent(unsigned)),
		defect("jwt.unsigned-token", "forbidden", "A token without a signature is answered with 403.", forbidden),
		defect("jwt.form", "opaque", "A token is an opaque word.", shows(asks, "token", "opaque")),
	}
}
