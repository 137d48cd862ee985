package defects

// Independent defects of who is let in: one operation that forgets its own check, or refuses what it must take.

import (
	"net/http"
	"net/url"
	"slices"
	"strings"

	"shopcheck/reports"
	"shopcheck/suites/profile"
)

// guards: each operation of the management API without its own check of credentials.
func (l *independents) guards() {
	k := l.keys
	basic := func(r *http.Request) bool { return keyOf(r) == k.ReadWrite && byBasic(r) }
	query := func(r *http.Request) bool { return keyOf(r) == k.ReadWrite && byQuery(r) }
	wrong := func(by match) match {
		return func(r *http.Request) bool { return by(r) && k.knows(keyOf(r).Key) && !k.good(keyOf(r)) }
	}
	anonymous := func(r *http.Request) bool {
		return !byBasic(r) && !byQuery(r) && r.Header.Get("Authorization") == "" && !r.URL.Query().Has("oauth_signature")
	}
	for _, endpoint := range l.managed() {
		here, id := at(endpoint), named(endpoint)
		l.add("guard", id+".none", endpoint+" needs no credentials.", k.lent(here.and(anonymous)))
		l.add("guard", id+".unknown-key", endpoint+" takes unknown keys.", k.lent(here.and(k.unknown)))
		l.add("guard", id+".wrong-secret", endpoint+" takes any secret.", k.lent(here.and(wrong(byBasic))))
		l.add("guard", id+".wrong-secret-query", endpoint+" takes any secret in the query.", k.lent(here.and(wrong(byQuery))))
		l.add("guard", id+".revoked", endpoint+" takes revoked keys.", k.lent(here.and(bearerOf(k.Revoked))))
		l.add("guard", id+".basic-refused", endpoint+" takes no keys by Basic.", refused(here.and(basic), http.StatusUnauthorized))
		l.add("guard", id+".query-refused", endpoint+" takes no keys in the query.", refused(here.and(query), http.StatusUnauthorized))
		writes := !strings.HasPrefix(endpoint, "GET ")
		if writes {
			l.add("guard", id+".read-key", endpoint+" lets in a Read key.", k.lent(here.and(bearerOf(k.Read))))
			l.add("guard", id+".read-key-query", endpoint+" lets in a Read key by the query.",
				k.lent(here.and(byQuery).and(bearerOf(k.Read))))
			l.add("guard", id+".write-key-refused", endpoint+" refuses a Write key.",
				refused(here.and(bearerOf(k.Write)), http.StatusForbidden))
		} else {
			l.add("guard", id+".write-key", endpoint+" lets in a Write key.", k.lent(here.and(bearerOf(k.Write))))
			l.add("guard", id+".write-key-query", endpoint+" lets in a Write key by the query.",
				k.lent(here.and(byQuery).and(bearerOf(k.Write))))
			l.add("guard", id+".read-key-refused", endpoint+" refuses a Read key.",
				refused(here.and(bearerOf(k.Read)), http.StatusForbidden))
		}
	}
	forms := map[string]func(collection string) match{
		"v2":         func(collection string) match { return below("/shop/v2/" + collection) },
		"v1":         func(collection string) match { return below("/shop/v1/" + collection) },
		"rest-route": func(collection string) match { return routedBelow("/shop/v3/" + collection) },
	}
	for id, form := range forms {
		for _, c := range collections() {
			here, name := form(c), "versioning."+id+"."+c
			l.add("guard", name+".none", c+" by "+id+" need no credentials.", k.lent(here.and(anonymous)))
			l.add("guard", name+".wrong-secret", c+" by "+id+" take any secret.",
				k.lent(here.and(func(r *http.Request) bool { return wrong(byBasic)(r) || wrong(byQuery)(r) })))
		}
		here, name := form("products"), "versioning."+id
		l.add("guard", name+".wrong-secret-query", "Products by "+id+" take any secret in the query.", k.lent(here.and(wrong(byQuery))))
		l.add("guard", name+".unknown-key", "Products by "+id+" take unknown keys.", k.lent(here.and(k.unknown)))
		l.add("guard", name+".revoked", "Products by "+id+" take revoked keys.", k.lent(here.and(bearerOf(k.Revoked))))
		l.add("guard", name+".query-refused", "Products by "+id+" take no keys in the query.",
			refused(here.and(byQuery), http.StatusUnauthorized))
		for way, by := range map[string]match{"": byBasic, "-query": byQuery} {
			l.add("guard", name+".read-key"+way, "Products by "+id+" are written with a Read key"+way+".",
				k.lent(here.and(by).and(bearerOf(k.Read)).and(writes)))
			l.add("guard", name+".write-key"+way, "Products by "+id+" are read with a Write key"+way+".",
				k.lent(here.and(by).and(bearerOf(k.Write)).and(reads)))
		}
	}
	l.otherCredentials()
	for _, root := range l.doc.Roots {
		if strings.HasPrefix(root, "/shop/v3/") {
			l.add("guard", "auth.root"+strings.ReplaceAll(strings.TrimPrefix(root, "/shop/v3"), "/", "-"), root+" needs no credentials.",
				k.lent(at("GET "+root).and(anonymous)))
		} else {
			level := reports.Should
			if root == "/shop/store/v1/products" {
				level = reports.Must
			}
			l.add("guard", "catalogue.root"+strings.ReplaceAll(strings.TrimPrefix(root, "/shop/store/v1"), "/", "-"),
				root+" needs credentials.",
				refused(at("GET "+root).and(anonymous), http.StatusUnauthorized)).Level = level
		}
	}
}

// otherCredentials: one collection that does not look at who has signed in or signed, or lets only those in who have a key.
func (l *independents) otherCredentials() {
	ways := map[string]match{
		"oauth": func(r *http.Request) bool {
			return strings.Contains(r.Header.Get("Authorization"), "oauth_signature") || r.URL.Query().Has("oauth_signature")
		},
		"bearer": func(r *http.Request) bool { return strings.HasPrefix(r.Header.Get("Authorization"), "Bearer ") },
		"login": func(r *http.Request) bool {
			return byBasic(r) && !l.keys.knows(keyOf(r).Key) && !strings.HasPrefix(keyOf(r).Key, "ck_")
		},
	}
	for way, by := range ways {
		for _, c := range collections() {
			for does, when := range map[string]match{"read": reads, "written": writes} {
				here, id := below("/shop/v3/"+c).and(by).and(when), "auth."+way+"."+c+"."+does
				l.add("guard", id+".any", c+" are "+does+" by any "+way+".", l.keys.forgiven(here))
				l.add("guard", id+".none", c+" are not "+does+" by "+way+".", refused(here, http.StatusUnauthorized))
			}
		}
	}
}

// forgiven does with a good key what is refused for bad credentials.
func (k keyring) forgiven(when match) bend {
	return instead(when, func(shop http.Handler, r *http.Request) *answer {
		again := copyOf(r)
		a := record(shop, r)
		if a.Status != http.StatusUnauthorized {
			return a
		}
		again = withQuery(again, func(q url.Values) {
			for name := range q {
				if strings.HasPrefix(name, "oauth_") {
					q.Del(name)
				}
			}
		})
		k.lend(again)
		return record(shop, again)
	})
}

func (k keyring) good(c profile.Credentials) bool {
	return slices.Contains([]profile.Credentials{k.ReadWrite, k.Read, k.Write}, c)
}

// nonces: each operation of the Store API without its own check of the nonce or the token.
func (l *independents) nonces() {
	for _, endpoint := range l.visited() {
		here, id := at(endpoint), named(endpoint)
		if endpoint == "GET /shop/store/v1/cart" {
			l.nonceAnswers(endpoint, id)
			continue
		}
		byNonce := here.and(hasNonce)
		byToken := here.and(func(r *http.Request) bool { return r.Header.Get("Cart-Token") != "" && r.Header.Get("Nonce") == "" })
		if strings.HasSuffix(endpoint, "/batch") { // each request inside has its own check
			l.add("nonce", id+".invalid", endpoint+" takes any nonce or token inside.", instead(here, func(inner http.Handler,
				r *http.Request) *answer {
				admit(inner, r)
				setFields(r, unsigned(fields(r)))
				return record(inner, r)
			}))
			l.add("nonce", id+".nonce-refused", endpoint+" takes no nonce.", refused(here.and(hasNonce), http.StatusForbidden))
			l.add("nonce", id+".missing", endpoint+" needs neither nonce nor token.", admitted(here.and(isStranger)))
			l.nonceAnswers(endpoint, id)
			continue
		}
		l.add("nonce", id+".missing", endpoint+" needs neither nonce nor token.", admitted(here.and(isStranger)))
		l.add("nonce", id+".invalid", endpoint+" takes any nonce.", readmitted(byNonce))
		l.add("nonce", id+".nonce-refused", endpoint+" takes no nonce.", refused(byNonce, http.StatusForbidden))
		if !strings.HasPrefix(endpoint, "GET ") {
			l.add("nonce", id+".nonce-ignored", endpoint+" does nothing for who has a nonce.", ignored(byNonce))
		}
		if !strings.Contains(endpoint, "/order/") { // of which the contract says that it needs the nonce
			l.add("nonce", id+".made-up-token", endpoint+" takes any cart token.", readmitted(byToken))
			l.add("nonce", id+".token-refused", endpoint+" takes no cart token.", refused(byToken, http.StatusForbidden))
		}
		l.nonceAnswers(endpoint, id)
	}
}

// unsigned is the body of a batch whose requests have no headers of their own.
func unsigned(batch map[string]any) map[string]any {
	places(batch, "requests.#.headers", func(request map[string]any, key string) { delete(request, key) })
	return batch
}

// nonceAnswers: one operation whose answers, or refusals, come without a nonce.
func (l *independents) nonceAnswers(endpoint, id string) {
	level := reports.Must
	if strings.Contains(endpoint, "/batch") || strings.Contains(endpoint, "/order/") {
		level = reports.Should
	}
	l.add("nonce", id+".none-answered", endpoint+" answers no Nonce.", succeeded(at(endpoint),
		func(a *answer) { a.Header.Del("Nonce") })).Level = level
	if strings.Contains(endpoint, "/cart/") || strings.HasSuffix(endpoint, "/checkout") {
		l.add("nonce", id+".none-refused", endpoint+" refuses without a Nonce.", answered(at(endpoint), func(_ *http.Request, a *answer) {
			if !a.ok() {
				a.Header.Del("Nonce")
			}
		})).Level = level
		l.add("nonce", id+".stale-answered", endpoint+" answers a Nonce that is none.", succeeded(at(endpoint), func(a *answer) {
			a.Header.Set("Nonce", "0000000000")
		}))
	}
}

// readmitted lets in what is refused for its nonce or its token, in the visitor's own session or in a new one.
func readmitted(when match) bend {
	return instead(when, func(inner http.Handler, r *http.Request) *answer {
		again := copyOf(r)
		a := record(inner, r)
		if a.Status != http.StatusForbidden && a.Status != http.StatusUnauthorized {
			return a
		}
		dropToken(again)
		admit(inner, again)
		return record(inner, again)
	})
}

// namespaces: one resource that is missing in a legacy namespace, in the Store path without a version, or by rest_route.
func (l *independents) namespaces() {
	missing := func(old, replacement, endpoint string) bend {
		method, path, _ := strings.Cut(endpoint, " ")
		return noRoute(at(method + " " + strings.Replace(path, old, replacement, 1)))
	}
	for _, endpoint := range l.doc.Endpoints {
		switch {
		case strings.Contains(endpoint, "/shop/v3/"):
			belongs := strings.Count(endpoint, "/") > 4 // to a record: notes, variations, downloads
			if reading := strings.HasPrefix(endpoint, "GET "); reading || !belongs && !strings.HasSuffix(endpoint, "/batch") {
				byRoute := at(endpoint).and(func(r *http.Request) bool { return r.URL.Query().Has("rest_route") })
				l.add("namespace", named(endpoint)+".rest-route", endpoint+" is missing by rest_route.", noRoute(byRoute))
			}
			if !strings.HasPrefix(endpoint, "GET ") || belongs {
				continue // the contract shows no more of the legacy namespaces than that they are supported
			}
			for _, namespace := range []string{"shop/v2", "shop/v1"} {
				d := l.add("namespace", named(endpoint)+"."+strings.ReplaceAll(namespace, "/", "-"),
					endpoint+" is missing in "+namespace+".",
					missing("shop/v3", namespace, endpoint))
				d.found = true
			}
		case strings.Contains(endpoint, "/shop/store/v1/"):
			d := l.add("namespace", named(endpoint)+".unversioned", endpoint+" is missing without a version.", missing("shop/store/v1",
				"shop/store", endpoint))
			d.found = true
			if method, path, _ := strings.Cut(endpoint, " "); method != "GET" && !strings.HasSuffix(path, "/batch") {
				l.add("namespace", named(endpoint)+".unversioned-ignored", endpoint+" does nothing without a version.",
					ignored(at(method+" "+strings.Replace(path, "shop/store/v1", "shop/store", 1))))
			}
		}
	}
	l.add("namespace", "versioning.products", "The Store API's products are missing without a version.",
		missing("shop/store/v1", "shop/store", "GET /shop/store/v1/products"))
	for _, namespace := range []string{"/shop/v2", "/shop/v1"} {
		d := l.add("namespace", "versioning.none"+strings.ReplaceAll(namespace, "/", "-"), namespace+" is not served.",
			noRoute(below(namespace+"/")))
		d.found = true
	}
}

// options: one address that answers OPTIONS with nothing, or not at all, while all else works. Features are found by the preflight.
func (l *independents) options() {
	paths := map[string]bool{}
	for _, endpoint := range l.doc.Endpoints {
		_, path, _ := strings.Cut(endpoint, " ")
		if paths[path] || strings.HasPrefix(path, "/jwt-auth") {
			continue
		}
		paths[path] = true
		here := at("OPTIONS " + path)
		broken := []*Independent{
			l.add("options", named("OPTIONS "+path)+".missing", "OPTIONS on "+path+" is answered with 404.", noRoute(here)),
			l.add("options", named("OPTIONS "+path)+".error", "OPTIONS on "+path+" is answered with 500.", refused(here,
				http.StatusInternalServerError)),
			l.add("options", named("OPTIONS "+path)+".empty", "OPTIONS on "+path+" says nothing.", succeeded(here, func(a *answer) {
				a.Body = nil
				for _, name := range []string{"Allow", "Content-Type", "Content-Length"} {
					a.Header.Del(name)
				}
			})),
		}
		for _, d := range broken {
			d.found = true
		}
	}
}
