package defects

// Proofs in another dialect: the shop and what is laid over it know the contract's names, and a dialect's stand between them and the
// suites.

import (
	"cmp"
	"net/http"

	"shopcheck/fixtures/dialects"
	"shopcheck/suites"
	"shopcheck/suites/profile"
)

func (t Testbed) dialect() (dialects.Dialect, error) {
	return dialects.Load(cmp.Or(t.Dialect, dialects.Neutral))
}

// options are those of a run against a shop, with what bends its deliveries; nil: nothing does.
func (t Testbed) options(p profile.Profile, shop http.Handler, deliveries bend) (suites.Options, error) {
	d, err := t.dialect()
	if err != nil {
		return suites.Options{}, err
	}
	p.Dialect = cmp.Or(t.Dialect, p.Dialect)
	return suites.Options{Profile: p, Topics: t.Topics, Transport: Transport(speaking(d, shop)),
		Deliveries: renamed(d, deliveries)}, nil
}

// speaking lets a shop be called by a dialect's names, of which it learns nothing: it may speak that dialect by itself.
func speaking(d dialects.Dialect, shop http.Handler) http.Handler {
	if d.IsNeutral() {
		return shop
	}
	return dialects.Handler(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		shop.ServeHTTP(w, r.WithContext(dialects.In(r.Context(), dialects.Neutral)))
	}), d)
}

// renamed gives what a shop delivers by itself the names of a dialect.
func renamed(d dialects.Dialect, deliveries bend) bend {
	if d.IsNeutral() {
		return deliveries
	}
	names := d.FromNeutral()
	return func(receiver http.Handler) http.Handler {
		var out http.Handler = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			names.RenameHeaders(r.Header)
			receiver.ServeHTTP(w, r)
		})
		if deliveries != nil {
			out = deliveries(out)
		}
		return out
	}
}
