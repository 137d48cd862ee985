package defects

// API keys: taken where they must not be, refused where they must not be.

import (
	"net/http"
	"slices"

	"shopcheck/suites/profile"
)

// keyring changes with which key a request comes.
type keyring struct{ profile.CredentialSet }

func keyDefects(keys profile.CredentialSet) []Defect {
	k := keyring{keys}
	management := below("/shop/v3/")
	creates := at("POST /shop/v3/products", "POST /shop/v3/products/batch")
	updates, deletes := at("PUT /shop/v3/products/{id}"), at("DELETE /shop/v3/products/{id}")
	wrong := func(r *http.Request) bool { return keyOf(r).Key == keys.ReadWrite.Key && keyOf(r) != keys.ReadWrite }
	nobody := func(r *http.Request) bool { return keyOf(r) == profile.Credentials{} }

	out := []Defect{
		defect("auth.none", "open", "The management API needs no credentials.",
			k.lent(management.and(nobody))).also("general.authenticated"),
		defect("general.authenticated", "one-open", "Variations can be listed without credentials.",
			k.lent(at("GET /shop/v3/products/{id}/variations").and(nobody))),
		defect("auth.basic", "refused", "Keys by Basic authentication are refused.",
			refused(management.and(byBasic), http.StatusUnauthorized)).overTLS(),
		defect("auth.query", "refused", "Keys in the query are refused.", refused(management.and(byQuery), http.StatusUnauthorized)),
		defect("auth.wrong-secret", "taken", "Any secret goes by Basic authentication.", k.lent(byBasic.and(wrong))),
		defect("auth.wrong-secret-query", "taken", "Any secret goes in the query.", k.lent(byQuery.and(wrong))),
		defect("auth.unknown-key", "taken", "Any key goes.", k.lent(management.and(k.unknown))),
		defect("auth.revoked", "taken", "A revoked key still works.", k.lent(bearerOf(keys.Revoked))),
		defect("auth.wrong-secret", "forbidden", "A wrong secret is answered with 403.",
			withStatus(byBasic, is(http.StatusUnauthorized), http.StatusForbidden)),
		defect("auth.wrong-secret-query", "forbidden", "A wrong secret in the query is answered with 403.",
			withStatus(byQuery, is(http.StatusUnauthorized), http.StatusForbidden)),
		defect("auth.unknown-key", "forbidden", "An unknown key is answered with 403.",
			withStatus(k.unknown, is(http.StatusUnauthorized), http.StatusForbidden)),
		defect("auth.revoked", "forbidden", "A revoked key is answered with 403.",
			withStatus(bearerOf(keys.Revoked), is(http.StatusUnauthorized), http.StatusForbidden)),
		defect("auth.read-reads", "refused", "A read key may not read.", refused(bearerOf(keys.Read).and(reads), http.StatusForbidden)),
		defect("auth.read-cannot-create", "creates", "A read key may create.", k.lent(creates.and(bearerOf(keys.Read)))),
		defect("auth.read-cannot-update", "updates", "A read key may update.", k.lent(updates.and(bearerOf(keys.Read)))),
		defect("auth.read-cannot-delete", "deletes", "A read key may delete.", k.lent(deletes.and(bearerOf(keys.Read)))),
		defect("auth.read-cannot-create", "unauthorized", "A read key that creates is answered with 401.",
			withStatus(creates.and(bearerOf(keys.Read)), anError, http.StatusUnauthorized)),
		defect("auth.read-cannot-update", "unauthorized", "A read key that updates is answered with 401.",
			withStatus(updates.and(bearerOf(keys.Read)), anError, http.StatusUnauthorized)),
		defect("auth.read-cannot-delete", "unauthorized", "A read key that deletes is answered with 401.",
			withStatus(deletes.and(bearerOf(keys.Read)), anError, http.StatusUnauthorized)),
		defect("auth.write-writes", "refused", "A write key may not write.",
			refused(bearerOf(keys.Write).and(writes), http.StatusForbidden)),
		defect("auth.write-cannot-read", "reads", "A write key may read.", k.lent(bearerOf(keys.Write).and(reads))),
		defect("auth.write-cannot-read", "unauthorized", "A write key that reads is answered with 401.",
			withStatus(bearerOf(keys.Write).and(reads), anError, http.StatusUnauthorized)),
		defect("auth.read-write", "read-only", "A read_write key may not create.",
			refused(at("POST /shop/v3/products").and(bearerOf(keys.ReadWrite)), http.StatusForbidden)),
		defect("auth.refused-changes-nothing", "done-anyway", "What is refused is done all the same.",
			k.doneAnyway(management.and(writes))),
	}
	return slices.Concat(out, k.permissionDefects(), k.oauthDefects(), k.loginDefects(), k.tokenDefects())
}

var byBasic match = func(r *http.Request) bool { _, _, given := r.BasicAuth(); return given }

var byQuery match = func(r *http.Request) bool { return r.URL.Query().Has("consumer_key") }

func keyOf(r *http.Request) profile.Credentials {
	if key, secret, given := r.BasicAuth(); given {
		return profile.Credentials{Key: key, Secret: secret}
	}
	query := r.URL.Query()
	return profile.Credentials{Key: query.Get("consumer_key"), Secret: query.Get("consumer_secret")}
}

// bearerOf matches requests that come with an API key.
func bearerOf(c profile.Credentials) match {
	return func(r *http.Request) bool { return keyOf(r) == c }
}

func (k keyring) unknown(r *http.Request) bool { return keyOf(r).Key != "" && !k.knows(keyOf(r).Key) }

func (k keyring) knows(key string) bool {
	switch key {
	case k.ReadWrite.Key, k.Read.Key, k.Write.Key, k.Revoked.Key:
		return true
	}
	return false
}

// lent lets requests come with the read_write key, whatever they came with.
func (k keyring) lent(when match) bend { return asked(when, k.lend) }

func (k keyring) lend(r *http.Request) {
	query := r.URL.Query()
	query.Del("consumer_key")
	query.Del("consumer_secret")
	r.URL.RawQuery = query.Encode()
	r.SetBasicAuth(k.ReadWrite.Key, k.ReadWrite.Secret)
}

// doneAnyway does what is refused with a good key, and answers the refusal.
func (k keyring) doneAnyway(when match) bend {
	return instead(when, func(inner http.Handler, r *http.Request) *answer {
		again := copyOf(r)
		a := record(inner, r)
		if a.Status == http.StatusUnauthorized || a.Status == http.StatusForbidden {
			k.lend(again)
			record(inner, again)
		}
		return a
	})
}
