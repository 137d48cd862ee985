package auth_test

// Bearer tokens.

import (
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/golang-jwt/jwt/v5"
	"github.com/tidwall/gjson"

	"shopcheck/mockserver/internal/shop"
	"shopcheck/mockserver/internal/shopmock"
	"shopcheck/mockserver/internal/testkit"
)

func (w *world) token(username, password string) string {
	w.T.Helper()
	a := w.Do(w.request("POST", "/jwt-auth/v1/token", `{"username":`+strconv.Quote(username)+`,"password":`+strconv.Quote(password)+`}`))
	w.wantStatus("a token", a, 200)
	return a.Get("token").String()
}

func TestAPasswordGivesABearerToken(t *testing.T) {
	t.Parallel()
	w := newWorld(t, shopmock.Options{})
	w.user("shop_manager")
	a := w.Do(w.request("POST", "/jwt-auth/v1/token", "username=shop_manager&password=pass+word"))
	w.wantStatus("a form", a, 200)
	parts := w.request("POST", "/jwt-auth/v1/token", "--X\r\nContent-Disposition: form-data; name=username\r\n\r\nshop_manager\r\n"+
		"--X\r\nContent-Disposition: form-data; name=file; filename=x\r\n\r\nleft out\r\n--X\r\nContent-Disposition: form-data; "+
		"name=password\r\n\r\npass word\r\n--X--\r\n")
	parts.Header.Set("Content-Type", "multipart/form-data; boundary=X")
	w.wantStatus("a form of parts", w.Do(parts), 200)
	var fields []string
	a.ForEach(func(name, value gjson.Result) bool {
		fields = append(fields, name.String()+"="+value.String())
		return true
	})
	want := "user_email=shop_manager@example.test user_nicename=shop_manager user_display_name=The shop_manager"
	if len(fields) != 4 || strings.Join(fields[1:], " ") != want || strings.Count(fields[0], ".") != 2 {
		t.Errorf("the answer is %q", fields)
	}
	token := a.Get("token").String()
	w.wantStatus("reading", w.Do(w.bearer(token)), 200)
	w.wantStatus("the scheme in capitals", w.Do(authorized(w, "BEARER "+token)), 200)
	create := w.request("POST", "/shop/v3/coupons", `{"code":"bearer"}`)
	create.Header.Set("Authorization", "Bearer "+token)
	w.wantStatus("writing", w.Do(create), 201)
	validate := w.request("POST", "/jwt-auth/v1/token/validate", "")
	validate.Header.Set("Authorization", "Bearer "+token)
	if got := w.Do(validate); got.Status != 200 || got.Get("code").String() != "jwt_auth_valid_token" {
		t.Errorf("validating: %d %s", got.Status, got.Body)
	}
}

func TestWhoGetsNoBearerToken(t *testing.T) {
	t.Parallel()
	w := newWorld(t, shopmock.Options{})
	ask := func(body string) *testkit.Answer { return w.Do(w.request("POST", "/jwt-auth/v1/token", body)) }
	wrong, unknown := ask("username=admin&password=wrong"), ask("username=nobody&password=wrong")
	w.wantStatus("a wrong password", wrong, 401)
	if wrong.Body != unknown.Body || wrong.Get("code").String() != "[jwt_auth] incorrect_password" {
		t.Errorf("a wrong password and an unknown name:\n%s\n%s", wrong.Body, unknown.Body)
	}
	w.wantStatus("no password", ask("username=admin"), 400)
	w.wantStatus("nothing", ask(""), 400)
	w.wantStatus("an empty password", ask("username=admin&password="), 401)
	w.wantStatus("a huge password", ask("username=admin&password="+strings.Repeat("x", 1<<19)), 401)
	w.wantStatus("a list for a password", ask(`{"username":"admin","password":["password"]}`), 400)
	w.wantStatus("GET", w.Get("/jwt-auth/v1/token?username=admin&password=password"), 404)
	w.wantStatus("validating nothing", w.Do(w.request("POST", "/jwt-auth/v1/token/validate", "")), 401)
}

func TestABearerTokenExpires(t *testing.T) {
	t.Parallel()
	w := newWorld(t, shopmock.Options{})
	token := w.token("admin", "password")
	w.Clock.Move(7*24*time.Hour - time.Minute)
	w.wantStatus("in time", w.Do(w.bearer(token)), 200)
	w.Clock.Move(2 * time.Minute)
	w.wantStatus("too late", w.Do(w.bearer(token)), 401)
	w.Clock.Move(-8 * 24 * time.Hour)
	w.wantStatus("before it was made", w.Do(w.bearer(token)), 401)
}

func TestABearerTokenEndsWithItsUserAndWithAReset(t *testing.T) {
	t.Parallel()
	w := newWorld(t, shopmock.Options{})
	user := w.user("editor")
	token, admin := w.token("editor", "pass word"), w.token("admin", "password")
	w.wantStatus("while there is the user", w.Do(w.bearer(token)), 200)
	w.Write(func(tx *shop.Tx) error {
		row, _ := tx.Customers.Get(user)
		return row.Delete(tx, 0)
	})
	w.wantStatus("when the user is gone", w.Do(w.bearer(token)), 401)
	if err := w.Server.Reset(""); err != nil {
		t.Fatal(err)
	}
	w.wantStatus("after a reset", w.Do(w.bearer(admin)), 401)
}

func TestBearerTokensThatAreRefused(t *testing.T) {
	t.Parallel()
	w := newWorld(t, shopmock.Options{})
	good := w.token("admin", "password")
	parts := strings.Split(good, ".")
	claims := jwt.RegisteredClaims{Subject: "1", ExpiresAt: jwt.NewNumericDate(w.Clock.Now().Add(time.Hour))}
	made := func(method jwt.SigningMethod, key any) string {
		text, err := jwt.NewWithClaims(method, claims).SignedString(key)
		if err != nil {
			t.Fatal(err)
		}
		return text
	}
	visit := w.Get("/shop/store/v1/cart")
	none := made(jwt.SigningMethodNone, jwt.UnsafeAllowNoneSignatureType)
	for what, token := range map[string]string{
		"none":                    none,
		"none, with a signature":  none + parts[2],
		"none, over good claims":  strings.Split(none, ".")[0] + "." + parts[1] + ".",
		"another key":             made(jwt.SigningMethodHS256, []byte("secret")),
		"an empty key":            made(jwt.SigningMethodHS256, []byte{}),
		"another method":          made(jwt.SigningMethodHS512, []byte("secret")),
		"other claims":            parts[0] + "." + strings.Split(none, ".")[1] + "." + parts[2],
		"no signature":            parts[0] + "." + parts[1] + ".",
		"two parts":               parts[0] + "." + parts[1],
		"one character less":      good[:len(good)-1],
		"one character more":      good + "A",
		"half":                    good[:len(good)/2],
		"a cart token":            visit.Header.Get("Cart-Token"),
		"nothing":                 "",
		"dots":                    "..",
		"something":               "token",
		"more than any token has": good + strings.Repeat("A", 8<<10),
	} {
		w.wantStatus(what, w.Do(w.bearer(token)), 401)
	}
	w.wantStatus("the good one", w.Do(w.bearer(good)), 200)
}
