package auth

// Who calls the management API, and what the caller may do.

import (
	"net/http"

	"shopcheck/mockserver/internal/rest"
	"shopcheck/mockserver/internal/shop"
)

// Principal is who calls the management API, and what the credentials allow.
type Principal struct {
	UserID     int64 // 0: the shop itself, to which keys without an owner belong
	Role       string
	Permission shop.Permission
}

// Identify finds out who calls, by the first of these that the request brings: an API key by HTTP Basic authentication or
// in the query, an OAuth 1.0a signature, a user's name and password by Basic authentication, a bearer token (contract,
// "Authentication"). Errors: 401 without credentials and with any that are not good.
//
// signIn may be nil: then API keys alone are good.
func Identify(r *rest.Request, signIn SignInOf) (*Principal, error) {
	ways := keyWays
	if signIn != nil {
		ways = signIn(r.HTTP).ways
	}
	for _, way := range ways {
		if principal, err := way(r); principal != nil || err != nil {
			return principal, err
		}
	}
	return nil, unknown(r, "This needs credentials: send an API key.")
}

// A way looks for one kind of credentials. It gives nil for both when the request brings none of them.
type way func(*rest.Request) (*Principal, error)

// Covers refuses a call that the principal may not make: 403.
func (p *Principal) Covers(r *rest.Request) error {
	switch {
	case !permits(p.Permission, r.Endpoint.Access):
		return rest.Errorf(http.StatusForbidden, "shop_rest_authentication_error",
			"The permission of this API key does not allow the call.")
	case p.UserID != 0 && !editsPosts(p.Role):
		return rest.Errorf(http.StatusForbidden, cannot[r.HTTP.Method], "The role of this user does not allow the call.")
	}
	return nil
}

func permits(permission shop.Permission, access rest.Access) bool {
	switch access {
	case rest.Read:
		return permission != shop.WriteOnly
	case rest.Write:
		return permission != shop.ReadOnly
	}
	return true
}

// editsPosts tells which roles have the capability edit_posts, which the management API takes.
func editsPosts(role string) bool {
	switch role {
	case "administrator", "shop_manager", "editor", "author", "contributor":
		return true
	}
	return false
}

// actingFor makes the principal of credentials that act for a user; false if the user is gone.
func actingFor(view shop.View, userID int64, permission shop.Permission) (*Principal, bool) {
	if userID == 0 {
		return &Principal{Permission: permission}, true
	}
	user, exists := view.Customers.Get(userID)
	if !exists {
		return nil, false
	}
	return &Principal{UserID: userID, Role: user.Role, Permission: permission}, true
}

// unknown is the answer to a caller whom the shop does not know: 401.
func unknown(r *rest.Request, reason string) *rest.Error {
	return &rest.Error{Status: http.StatusUnauthorized, Code: cannot[r.HTTP.Method], Message: reason}
}

// unproven is the answer to one who claims to be somebody and fails to prove it: 401.
func unproven(format string, args ...any) *rest.Error {
	return rest.Errorf(http.StatusUnauthorized, "shop_rest_authentication_error", format, args...)
}

var cannot = map[string]string{
	http.MethodGet:    "shop_rest_cannot_view",
	http.MethodHead:   "shop_rest_cannot_view",
	http.MethodPost:   "shop_rest_cannot_create",
	http.MethodPut:    "shop_rest_cannot_edit",
	http.MethodPatch:  "shop_rest_cannot_edit",
	http.MethodDelete: "shop_rest_cannot_delete",
}
