package auth

import (
	"net/http"
	"net/http/httptest"
	"testing"
	"time"
)

func TestTheRealmOfACartToken(t *testing.T) {
	for _, realm := range []string{"", "box"} {
		round := NewSessions(SessionOptions{Key: []byte("k"), Realm: realm}).NewRound(time.Unix(1_800_000_000, 0))
		visitor, err := round.Enter(http.Header{})
		if err != nil {
			t.Fatal(err)
		}
		request := httptest.NewRequest(http.MethodGet, "/", nil)
		request.Header.Set("Cart-Token", round.Token(visitor))
		if got := RealmOf(request); got != realm {
			t.Errorf("a token of the realm %q is of %q", realm, got)
		}
		objects := testing.AllocsPerRun(100, func() { RealmOf(request) })
		if realm == "" && objects > 0 {
			t.Errorf("to find that a token is of no realm makes %.0f objects, want none", objects)
		}
	}
}
