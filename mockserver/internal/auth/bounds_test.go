package auth

// What is remembered of OAuth has bounds, and what falls out of memory is refused.

import (
	"errors"
	"slices"
	"strconv"
	"testing"
	"time"
)

func TestNoncesAreBoundedAndNoneIsTakenTwice(t *testing.T) {
	t.Parallel()
	seen := newReplays(time.Time{}, nil)
	use := func(key, timestamp int64, nonce string) bool {
		fresh, err := seen.use(time.Unix(timestamp, 0), key, timestamp, nonce)
		return fresh && err == nil
	}
	const more = noncesPerKey + 100
	for i := range int64(more) {
		if !use(1, 1000+i, strconv.FormatInt(i, 10)) {
			t.Fatalf("nonce %d is refused", i)
		}
	}
	if kept := seen.byKey[1].nonces.Len(); kept != noncesPerKey {
		t.Errorf("%d nonces are kept, want %d", kept, noncesPerKey)
	}
	for i := range int64(more) {
		if use(1, 1000+i, strconv.FormatInt(i, 10)) {
			t.Fatalf("nonce %d of %d is taken twice", i, more)
		}
	}
	if !use(1, 1000+more, "fresh") || !use(2, 1000, "0") {
		t.Error("a fresh nonce, or one of another key, is refused")
	}
}

// A client whose clock is ahead makes it known before its first request counts, and then once a minute at most.
func TestRequestsOfTheFutureAreMadeKnown(t *testing.T) {
	t.Parallel()
	var until []int64
	full := errors.New("the disk is full")
	var refusal error
	seen := newReplays(time.Unix(1000, 0), func(moment time.Time) error {
		until = append(until, moment.Unix())
		return refusal
	})
	use := func(now, timestamp int64) (bool, error) {
		return seen.use(time.Unix(now, 0), 1, timestamp, strconv.FormatInt(timestamp, 10))
	}
	for _, timestamp := range []int64{1900, 1950, 1960} {
		if fresh, err := use(1100, timestamp); !fresh || err != nil {
			t.Errorf("%d is refused: %v", timestamp, err)
		}
	}
	if fresh, err := use(1990, 1985); !fresh || err != nil || !slices.Equal(until, []int64{1960}) {
		t.Errorf("made known %d, %v", until, err)
	}
	refusal = full
	for range 2 {
		if fresh, err := use(1990, 2100); fresh || !errors.Is(err, full) {
			t.Errorf("%v, %v", fresh, err)
		}
	}
}

func TestRequestTokensAreBoundedAndExpire(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)
	g := newGrants([]byte("seed"), 0, nil)
	first, _ := g.ask(now, 1, outOfBand)
	for range maxRequests {
		g.ask(now, 1, outOfBand)
	}
	kept := g.requests.(*ownRequests).newest.Len()
	if _, alive, _ := g.request(now, first.Token); alive || kept != maxRequests {
		t.Errorf("%d request tokens are kept, the first one too: %t", kept, alive)
	}
	asked, _ := g.ask(now, 1, outOfBand)
	now = now.Add(requestLife + time.Second)
	if _, alive, _ := g.request(now, asked.Token); alive {
		t.Error("a request token lives too long")
	}
	if _, ok, _ := g.approve(now, asked.Token, 1); ok {
		t.Error("a request token that expired is approved")
	}
}

func TestAnApprovedTokenIsRedeemedOnceByItsApplication(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)
	g := newGrants([]byte("seed"), 0, nil)
	asked, _ := g.ask(now, 7, outOfBand)
	if _, ok, _ := g.redeem(now, asked.Token, 7, ""); ok {
		t.Error("a token that nobody approved is redeemed")
	}
	approved, ok, _ := g.approve(now, asked.Token, 42)
	if !ok {
		t.Fatal("the token cannot be approved")
	}
	if _, again, _ := g.approve(now, asked.Token, 43); again {
		t.Error("a token is approved twice")
	}
	if _, ok, _ := g.redeem(now, asked.Token, 8, approved.Verifier); ok {
		t.Error("another application redeems the token")
	}
	if _, ok, _ := g.redeem(now, asked.Token, 7, approved.Verifier+"x"); ok {
		t.Error("a wrong verifier redeems the token")
	}
	made, ok, _ := g.redeem(now, asked.Token, 7, approved.Verifier)
	if !ok {
		t.Fatal("the token cannot be redeemed")
	}
	if _, again, _ := g.redeem(now, asked.Token, 7, approved.Verifier); again {
		t.Error("a token is redeemed twice")
	}
	read, alive := g.access(now, made.text)
	if !alive || read != made || read.user != 42 || read.key != 7 {
		t.Errorf("the access token says %+v, want %+v", read, made)
	}
	for i := range made.text {
		forged := []byte(made.text)
		forged[i] = map[bool]byte{true: 'B', false: 'A'}[forged[i] == 'A']
		if _, alive := g.access(now, string(forged)); alive {
			t.Fatalf("an access token with another character %d is taken", i)
		}
	}
	now = now.Add(accessLife + time.Second)
	if _, alive := g.access(now, made.text); alive {
		t.Error("an access token lives too long")
	}
}
