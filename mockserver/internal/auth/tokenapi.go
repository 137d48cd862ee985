package auth

// The API that gives out bearer tokens (contract, "Authentication", method 4).

import (
	"net/http"

	"shopcheck/mockserver/internal/rest"
	"shopcheck/mockserver/internal/shop"
)

// TokenAPI is jwt-auth/v1: a token for a name and a password, and whether a token is good.
func TokenAPI(signIn SignInOf) *rest.API {
	giveToken := func(r *rest.Request) (rest.Answer, error) { return signIn(r.HTTP).giveToken(r) }
	validateToken := func(r *rest.Request) (rest.Answer, error) { return signIn(r.HTTP).validateToken(r) }
	endpoints := []rest.Endpoint{
		{Methods: []string{http.MethodPost}, Path: "/token", Do: giveToken, Params: []rest.Param{
			{Name: "username", Type: rest.String, Required: true, Description: "Name or e-mail address of a user of the shop."},
			{Name: "password", Type: rest.String, Required: true, Description: "The user's password."},
		}},
		{Methods: []string{http.MethodPost}, Path: "/token/validate", Do: validateToken},
	}
	return &rest.API{Namespace: "jwt-auth/v1", Endpoints: func() []rest.Endpoint { return endpoints }}
}

func (s *SignIn) giveToken(r *rest.Request) (rest.Answer, error) {
	user, ok := login(r.View, r.Args.String("username"), r.Args.String("password"))
	if !ok {
		return rest.Answer{}, rest.Errorf(http.StatusUnauthorized, "[jwt_auth] incorrect_password",
			"There is no user with this name and password.")
	}
	return rest.OK(rest.Pairs{
		{Name: "token", Value: s.bearers().issue(r.View.Now, user.ID, r.Site.Home)},
		{Name: "user_email", Value: user.Email},
		{Name: "user_nicename", Value: shop.Slugify(user.Username)},
		{Name: "user_display_name", Value: user.DisplayName},
	})
}

func (s *SignIn) validateToken(r *rest.Request) (rest.Answer, error) {
	principal, err := s.byBearer(r)
	if principal == nil {
		if err == nil {
			err = unknown(r, "This needs a bearer token in the header Authorization.")
		}
		return rest.Answer{}, err
	}
	return rest.OK(rest.Pairs{
		{Name: "code", Value: "jwt_auth_valid_token"},
		{Name: "data", Value: rest.Pairs{{Name: "status", Value: http.StatusOK}}},
	})
}
