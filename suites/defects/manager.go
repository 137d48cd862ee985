package defects

// Who sets up the shop underneath, by the management API, before the suites see it.

import (
	"fmt"
	"net/http"

	"github.com/tidwall/gjson"

	"shopcheck/suites/client"
	"shopcheck/suites/profile"
)

// manager asks a shop of this process with a key that may do everything.
type manager struct {
	shop http.Handler
	key  profile.Credentials
}

// taxShipping lets every tax rate be one of shipping, too.
func (m manager) taxShipping() error {
	rates, err := m.ask(http.MethodGet, "/taxes", nil)
	if err != nil {
		return err
	}
	for _, rate := range gjson.GetBytes(rates.Body, "#.id").Array() {
		if _, err := m.ask(http.MethodPut, "/taxes/"+rate.Raw, map[string]any{"shipping": true}); err != nil {
			return err
		}
	}
	return nil
}

// ask sends one request of the management API; path is below /shop/v3, body may be nil. An answer that is no success is an error.
func (m manager) ask(method, path string, body any) (*answer, error) {
	r, err := http.NewRequest(method, "http://127.0.0.1:1"+client.Management+path, http.NoBody)
	if err != nil {
		return nil, err
	}
	if object, ok := body.(map[string]any); ok {
		setFields(r, object)
		r.Header.Set("Content-Type", "application/json")
	}
	r.SetBasicAuth(m.key.Key, m.key.Secret)
	a := record(m.shop, r)
	if !a.ok() {
		return nil, fmt.Errorf("the shop underneath refuses %s %s: %d %s", method, path, a.Status, a.Body)
	}
	return a, nil
}
