package auth_test

// What makes a visitor known again: nonces, cart tokens, cookies.

import (
	"errors"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/golang-jwt/jwt/v5"

	"shopcheck/mockserver/internal/auth"
	"shopcheck/mockserver/internal/rest"
	"shopcheck/mockserver/internal/testkit"
)

// timedSessions are sessions with the clock that the requests of a test go by.
type timedSessions struct {
	*auth.Sessions
	*testkit.Clock
}

func sessions(mode auth.NonceMode) (*timedSessions, *testkit.Clock) {
	c := testkit.NewClock()
	return &timedSessions{auth.NewSessions(auth.SessionOptions{Key: []byte("seed 1"), Nonce: mode}), c}, c
}

// round begins a round now.
func (c *timedSessions) round() *auth.Round { return c.NewRound(c.Now()) }

func (c *timedSessions) Token(v *auth.Visitor) string { return c.round().Token(v) }

func (c *timedSessions) Cookie(v *auth.Visitor) *http.Cookie { return c.round().Cookie(v) }

func enter(c *timedSessions, header ...string) *auth.Visitor {
	return entered(c.round(), headers(header...))
}

// entered is the visitor of a round of sessions that always know their nonces.
func entered(round *auth.Round, header http.Header) *auth.Visitor {
	visitor, err := round.Enter(header)
	if err != nil {
		panic(err)
	}
	return visitor
}

func headers(pairs ...string) http.Header {
	header := http.Header{}
	for i := 0; i < len(pairs); i += 2 {
		header.Set(pairs[i], pairs[i+1])
	}
	return header
}

// refusal returns the code of the error that Authorise answers, "" for none.
func refusal(v *auth.Visitor) string {
	var refused *rest.Error
	if errors.As(v.Authorise(), &refused) {
		return refused.Code
	}
	return ""
}

func wantRefusal(t *testing.T, v *auth.Visitor, code string) {
	t.Helper()
	if got := refusal(v); got != code {
		t.Errorf("refused with %q, want %q", got, code)
	}
}

func TestANonceIsNeeded(t *testing.T) {
	t.Parallel()
	s, _ := sessions(auth.RotateNonce)
	first := enter(s)
	if !first.New || first.Nonce == "" || first.Session == "" {
		t.Fatalf("a stranger gets a new session and a nonce, got %+v", first)
	}
	wantRefusal(t, first, "shop_rest_missing_nonce")
	wantRefusal(t, enter(s, "Nonce", "deadbeef00"), "shop_rest_invalid_nonce")
	wantRefusal(t, enter(s, "Nonce", strings.Repeat("A", 47)), "shop_rest_invalid_nonce")

	second := enter(s, "Nonce", first.Nonce)
	wantRefusal(t, second, "")
	if second.Session != first.Session || second.New {
		t.Errorf("the nonce names session %s, got %s", first.Session, second.Session)
	}
}

func TestNoncesRotate(t *testing.T) {
	t.Parallel()
	s, _ := sessions(auth.RotateNonce)
	first := enter(s)
	second := enter(s, "Nonce", first.Nonce)
	if second.Nonce == first.Nonce {
		t.Fatal("the nonce did not change")
	}
	stale := enter(s, "Nonce", first.Nonce)
	wantRefusal(t, stale, "shop_rest_invalid_nonce")
	if stale.Session == first.Session {
		t.Error("a stale nonce must not open the session")
	}
	wantRefusal(t, enter(s, "Nonce", second.Nonce), "")
}

func TestANonceIsUsedOnceOnly(t *testing.T) {
	t.Parallel()
	s, _ := sessions(auth.RotateNonce)
	nonce := enter(s).Nonce
	var accepted sync.Map
	var group sync.WaitGroup
	for i := range 16 {
		group.Go(func() {
			if refusal(enter(s, "Nonce", nonce)) == "" {
				accepted.Store(i, true)
			}
		})
	}
	group.Wait()
	count := 0
	accepted.Range(func(any, any) bool { count++; return true })
	if count != 1 {
		t.Errorf("%d of 16 requests with one nonce were accepted, want 1", count)
	}
}

func TestStableNonces(t *testing.T) {
	t.Parallel()
	s, c := sessions(auth.StableNonce)
	first := enter(s)
	for range 3 {
		again := enter(s, "Nonce", first.Nonce)
		wantRefusal(t, again, "")
		if again.Nonce != first.Nonce {
			t.Fatal("a stable nonce changed")
		}
	}
	c.Move(12 * time.Hour)
	later := enter(s, "Nonce", first.Nonce)
	wantRefusal(t, later, "")
	if later.Nonce == first.Nonce {
		t.Error("half a life later, a younger nonce is given out")
	}
}

func TestAShareOfTheGoodNoncesIsRefusedOnPurpose(t *testing.T) {
	t.Parallel()
	for _, mode := range []auth.NonceMode{auth.RotateNonce, auth.StableNonce} {
		for _, share := range []float64{0, 0.05, auth.MaxReject} {
			c := testkit.NewClock()
			s := &timedSessions{auth.NewSessions(auth.SessionOptions{Key: []byte("seed 1"), Nonce: mode, Reject: share}), c}
			nonce, token := enter(s).Nonce, s.Token(enter(s))
			const calls = 10_000
			refused, before := 0, ""
			for range calls {
				visitor := enter(s, "Nonce", nonce)
				code := refusal(visitor)
				switch {
				case code == "shop_rest_invalid_nonce" && before == "":
					refused++
				case code != "":
					t.Fatalf("%s, %v: %q after %q: no two nonces in a row are refused", mode, share, code, before)
				}
				nonce, before = visitor.Nonce, code
				wantRefusal(t, enter(s, "Cart-Token", token), "")
			}
			if got := float64(refused) / calls; got < share*0.85 || got > share*1.15 {
				t.Errorf("%s: %v of the nonces were refused, want %v", mode, got, share)
			}
		}
	}
}

func TestANonceLivesTwelveToTwentyFourHours(t *testing.T) {
	t.Parallel()
	for _, mode := range []auth.NonceMode{auth.RotateNonce, auth.StableNonce} {
		for _, offset := range []time.Duration{0, time.Second, 5 * time.Hour, 12*time.Hour - time.Second} {
			s, c := sessions(mode)
			c.Move(offset)
			nonce := enter(s).Nonce
			c.Move(12 * time.Hour)
			renewed := enter(s, "Nonce", nonce)
			wantRefusal(t, renewed, "")
			c.Move(24 * time.Hour)
			wantRefusal(t, enter(s, "Nonce", renewed.Nonce), "shop_rest_invalid_nonce")
			c.Move(-72 * time.Hour)
			wantRefusal(t, enter(s, "Nonce", renewed.Nonce), "shop_rest_invalid_nonce")
		}
	}
}

func TestANonceOfAnotherKey(t *testing.T) {
	t.Parallel()
	s, c := sessions(auth.RotateNonce)
	other := &timedSessions{auth.NewSessions(auth.SessionOptions{Key: []byte("seed 2")}), c}
	foreign := enter(other)
	wantRefusal(t, enter(s, "Nonce", foreign.Nonce), "shop_rest_invalid_nonce")
	wantRefusal(t, enter(s, "Cart-Token", other.Token(foreign)), "shop_rest_missing_nonce")
}

func TestEqualKeysGiveEqualBytes(t *testing.T) {
	t.Parallel()
	a, _ := sessions(auth.RotateNonce)
	b, _ := sessions(auth.RotateNonce)
	for range 3 {
		x, y := enter(a), enter(b)
		if *x != *y || a.Token(x) != b.Token(y) {
			t.Fatalf("got %+v and %+v", x, y)
		}
	}
}

func TestACartTokenMakesNoncesUnnecessary(t *testing.T) {
	t.Parallel()
	s, _ := sessions(auth.RotateNonce)
	first := enter(s)
	token := s.Token(first)
	for _, header := range [][]string{{"Cart-Token", token}, {"Cart-Token", token, "Nonce", "deadbeef00"}} {
		v := enter(s, header...)
		wantRefusal(t, v, "")
		if v.Session != first.Session || v.New {
			t.Errorf("with %v the session is %s, want %s", header, v.Session, first.Session)
		}
	}
	wantRefusal(t, enter(s, "Nonce", first.Nonce), "shop_rest_invalid_nonce")
}

func TestTheCartTokenIsAJWT(t *testing.T) {
	t.Parallel()
	s, _ := sessions(auth.RotateNonce)
	v := enter(s)
	parsed, _, err := jwt.NewParser().ParseUnverified(s.Token(v), jwt.MapClaims{})
	if err != nil {
		t.Fatal(err)
	}
	said := parsed.Claims.(jwt.MapClaims)
	if parsed.Header["alg"] != "HS256" || said["user_id"] != v.Session || said["iss"] != "store-api" {
		t.Errorf("got header %v, claims %v", parsed.Header, said)
	}
	if life := said["exp"].(float64) - said["iat"].(float64); life != 2*24*3600 {
		t.Errorf("it lives for %v seconds, want two days", life)
	}
}

func TestCartTokensThatCountAsNone(t *testing.T) {
	t.Parallel()
	s, c := sessions(auth.RotateNonce)
	v := enter(s)
	good := s.Token(v)
	parts := strings.Split(good, ".")
	unsigned, err := jwt.NewWithClaims(jwt.SigningMethodNone, jwt.MapClaims{
		"user_id": v.Session, "iss": "store-api", "exp": c.Now().Add(time.Hour).Unix(),
	}).SignedString(jwt.UnsafeAllowNoneSignatureType)
	if err != nil {
		t.Fatal(err)
	}
	for name, token := range map[string]string{
		"nonsense":        "a.b.c",
		"unsigned":        unsigned,
		"no signature":    parts[0] + "." + parts[1] + ".",
		"other signature": parts[0] + "." + parts[1] + "." + strings.Repeat("A", len(parts[2])),
		"other header":    "eyJhbGciOiJIUzM4NCIsInR5cCI6IkpXVCJ9." + parts[1] + "." + parts[2],
		"too long":        good + strings.Repeat("A", 2000),
	} {
		got := enter(s, "Cart-Token", token)
		if !got.New || refusal(got) != "shop_rest_missing_nonce" {
			t.Errorf("%s: got %+v, refused with %q", name, got, refusal(got))
		}
	}
	c.Move(48*time.Hour + time.Second)
	if got := enter(s, "Cart-Token", good); !got.New {
		t.Error("an expired token still names its session")
	}
}

func TestACookieKeepsTheSessionButNeedsANonce(t *testing.T) {
	t.Parallel()
	s, _ := sessions(auth.RotateNonce)
	first := enter(s)
	cookie := s.Cookie(first)
	if !cookie.HttpOnly || cookie.Name != auth.SessionCookie || cookie.MaxAge != 48*3600 {
		t.Errorf("got cookie %v", cookie)
	}
	sent := cookie.Name + "=" + cookie.Value
	second := enter(s, "Cookie", sent)
	if second.Session != first.Session || second.New {
		t.Errorf("got session %s, want %s", second.Session, first.Session)
	}
	wantRefusal(t, second, "shop_rest_missing_nonce")
	wantRefusal(t, enter(s, "Cookie", sent, "Nonce", second.Nonce), "")
	wantRefusal(t, enter(s, "Cookie", sent, "Nonce", second.Nonce), "shop_rest_invalid_nonce")
	wantRefusal(t, enter(s, "Cookie", sent, "Nonce", enter(s).Nonce), "shop_rest_invalid_nonce")
	if forged := enter(s, "Cookie", auth.SessionCookie+"="+first.Session); !forged.New {
		t.Error("a cookie that is not signed names a session")
	}
}

func TestTheTokenWinsOverTheCookie(t *testing.T) {
	t.Parallel()
	s, _ := sessions(auth.RotateNonce)
	a, b := enter(s), enter(s)
	v := enter(s, "Cart-Token", s.Token(a), "Cookie", auth.SessionCookie+"="+s.Cookie(b).Value)
	if v.Session != a.Session {
		t.Errorf("got session %s, want the token's %s", v.Session, a.Session)
	}
}

func TestInARoundANonceStaysGood(t *testing.T) {
	t.Parallel()
	s, _ := sessions(auth.RotateNonce)
	first := enter(s)
	round := s.round()
	var last *auth.Visitor
	for range 3 {
		last = entered(round, headers("Nonce", first.Nonce))
		wantRefusal(t, last, "")
	}
	cookie := auth.SessionCookie + "=" + s.Cookie(first).Value
	wantRefusal(t, entered(round, headers("Nonce", first.Nonce, "Cookie", cookie)), "")
	wantRefusal(t, enter(s, "Nonce", first.Nonce), "shop_rest_invalid_nonce")
	wantRefusal(t, enter(s, "Nonce", last.Nonce), "")
}

func TestInARoundStrangersShareOneSession(t *testing.T) {
	t.Parallel()
	s, _ := sessions(auth.RotateNonce)
	round := s.round()
	if a, b := entered(round, nil), entered(round, nil); a.Session != b.Session || a.Nonce != b.Nonce {
		t.Errorf("got %+v and %+v", a, b)
	}
}

func TestForgottenSessionsGetFreshNonces(t *testing.T) {
	t.Parallel()
	c := testkit.NewClock()
	s := &timedSessions{auth.NewSessions(auth.SessionOptions{Key: []byte("k"), Sessions: 2}), c}
	first := enter(s)
	token := s.Token(first)
	kept := enter(s, "Nonce", first.Nonce)
	for range 5 {
		enter(s, "Nonce", enter(s).Nonce)
	}
	wantRefusal(t, enter(s, "Nonce", kept.Nonce), "shop_rest_invalid_nonce")
	fresh := enter(s, "Cart-Token", token)
	if fresh.Session != first.Session {
		t.Errorf("the token lost its session")
	}
	wantRefusal(t, enter(s, "Nonce", fresh.Nonce), "")
}

func FuzzEnter(f *testing.F) {
	s, _ := sessions(auth.RotateNonce)
	v := enter(s)
	f.Add(v.Nonce, s.Token(v), auth.SessionCookie+"="+s.Cookie(v).Value)
	f.Add("", "a.b.c", "shop_session=")
	f.Fuzz(func(t *testing.T, nonce, token, cookie string) {
		got := enter(s, "Nonce", nonce, "Cart-Token", token, "Cookie", cookie)
		if got.Session == "" || got.Nonce == "" {
			t.Errorf("got %+v", got)
		}
	})
}
