package auth

// Users of the shop who sign in with their name and password.

import (
	"strings"

	"shopcheck/mockserver/internal/rest"
	"shopcheck/mockserver/internal/shop"
)

// maxPassword is how long a password may be, in bytes.
const maxPassword = 4096

// login returns the user who has a name, or an e-mail address, and a password. It takes as long when there is no such user.
func login(view shop.View, name, password string) (*shop.Customer, bool) {
	folded := strings.ToLower(name)
	user, exists := shop.Customers.Username.Find(&view.Customers, folded)
	if !exists {
		user, exists = shop.Customers.Email.Find(&view.Customers, folded)
	}
	if !exists {
		user = &shop.Customer{}
	}
	same := len(password) <= maxPassword && user.HasPassword(password)
	return user, exists && same
}

func byPassword(r *rest.Request) (*Principal, error) {
	name, password, sent := r.HTTP.BasicAuth()
	if !sent {
		return nil, nil
	}
	user, ok := login(r.View, name, password)
	if !ok {
		return nil, unknown(r, "There is no such API key, and no user with this name and password.")
	}
	return asUser(user), nil
}

// Customer returns the user whom a request of the Store API is signed in as, by a bearer token or by name and password; 0 for a guest.
// API keys are for the management API and name nobody here. Errors: 401 for credentials that are not good.
func (of SignInOf) Customer(r *rest.Request) (int64, error) {
	if r.HTTP.Header.Get("Authorization") == "" {
		return 0, nil
	}
	s := of(r.HTTP)
	if name, _, _ := r.HTTP.BasicAuth(); isKey(r.View, name) {
		return 0, nil
	}
	for _, way := range []way{s.safely(byPassword), s.byBearer} {
		if principal, err := way(r); err != nil {
			return 0, err
		} else if principal != nil {
			return principal.UserID, nil
		}
	}
	return 0, nil
}

// asUser is the principal of a user who signed in: nothing but the role limits it.
func asUser(user *shop.Customer) *Principal {
	return &Principal{UserID: user.ID, Role: user.Role, Permission: shop.ReadWrite}
}
