package shopmock

// Which sandbox a request is for.

import (
	"context"
	"net/http"
	"strings"

	"shopcheck/mockserver/internal/auth"
	"shopcheck/mockserver/internal/rest"
	"shopcheck/mockserver/internal/shop"
)

// choosing hands requests that name a sandbox to it.
func (s *Server) choosing(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !s.sandboxes.any.Load() && !strings.HasPrefix(r.URL.Path, sandboxRoot) && r.Header[SandboxHeader] == nil {
			next.ServeHTTP(w, r)
			return
		}
		chosen, inside, named, err := s.sandboxes.choose(r)
		switch {
		case err != nil:
			rest.WriteError(w, auth.Alone())
		case chosen != nil:
			chosen.use(s.clock.Base())
			chosen.handler.ServeHTTP(w, inside)
		case named:
			rest.WriteError(w, errNoSandbox())
		default:
			next.ServeHTTP(w, r)
		}
	})
}

// choose finds the sandbox of a request: by its path, a header, the host, or the credentials alone. inside is the request as the sandbox
// sees it. named reports whether the request asks for a sandbox in so many words. err says that there may be one, and nobody can be asked.
func (b *sandboxes) choose(r *http.Request) (chosen *Server, inside *http.Request, named bool, err error) {
	find := func(kind, id string) (found *Server) {
		var behind error
		found, behind, err = b.find(kind, id, func(one *Server) error { return one.upToDate(r) })
		if found != nil && behind == nil && b.common != nil {
			inside = inside.WithContext(context.WithValue(inside.Context(), upToDateKey{}, found))
		}
		return found
	}
	inside = r
	if tail, found := strings.CutPrefix(r.URL.Path, sandboxRoot); found {
		name, path, _ := strings.Cut(tail, "/")
		inside = below(r, sandboxRoot+name, "/"+path)
		chosen = find(nameKind, name)
		return chosen, inside, true, err
	}
	if name := r.Header[SandboxHeader]; len(name) > 0 && name[0] != "" {
		chosen = find(nameKind, name[0])
		return chosen, inside, true, err
	}
	if name, found := strings.CutSuffix(hostName(r.Host), ".localhost"); found {
		if chosen = find(nameKind, name); chosen != nil || err != nil {
			return chosen, inside, true, err
		}
	}
	if key := b.foreignKey(r); key != "" {
		if chosen = find(keyKind, key); chosen != nil || err != nil {
			return chosen, inside, false, err
		}
	}
	if realm := auth.RealmOf(r); realm != "" {
		chosen = find(nameKind, realm)
	}
	return chosen, inside, false, err
}

// foreignKey is the key that a request brings, "" if there is none, or it is one of the server's own shop, as far as that is known here.
func (b *sandboxes) foreignKey(r *http.Request) string {
	keys, sent := b.parent.shop.Keys(), r.Header["Authorization"]
	if last := b.own.Load(); last != nil && len(sent) == 1 && *last == (ownKey{sent[0], keys.Version()}) {
		return ""
	}
	key := auth.KeyName(r)
	if key == "" {
		return ""
	}
	if _, own := shop.Keys.Key.Find(keys, key); !own {
		return key
	}
	if _, _, basic := r.BasicAuth(); basic && len(sent) == 1 { // else the key came by another way
		b.own.Store(&ownKey{sent[0], keys.Version()})
	}
	return ""
}

// ownKey is an Authorization with a key that is one of the server's own shop as long as its keys have a version.
type ownKey struct {
	authorization string
	keys          uint64
}

func hostName(host string) string {
	name, _, _ := strings.Cut(strings.ToLower(host), ":")
	return name
}

// below is a request without the beginning of its path.
func below(r *http.Request, prefix, path string) *http.Request {
	changed, address := *r, *r.URL
	address.Path, address.RawPath = path, strings.TrimPrefix(address.RawPath, prefix)
	changed.URL = &address
	return &changed
}
