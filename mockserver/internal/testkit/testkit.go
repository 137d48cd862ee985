// Package testkit gives the tests of the mock what they begin with: a shop, the clock that it goes by, and a client that calls it.
// Only tests import it.
package testkit

import (
	"sync"
	"testing"
	"time"

	"shopcheck/fixtures"
	"shopcheck/mockserver/internal/shop"
	"shopcheck/mockserver/internal/shopmock"
)

// Clock stands until a test moves it. It is safe for concurrent use.
type Clock struct {
	mu   sync.Mutex
	now  time.Time
	read int
}

// NewClock returns a clock that stands at noon (UTC) on the first of March 2026.
func NewClock() *Clock { return &Clock{now: time.Date(2026, time.March, 1, 12, 0, 0, 0, time.UTC)} }

// Now is the time that the clock shows.
func (c *Clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.read++
	return c.now
}

// Readings counts how often somebody looked at the clock.
func (c *Clock) Readings() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.read
}

// Move puts the clock forward, or back by a negative duration.
func (c *Clock) Move(by time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.now.Add(by)
}

// Set puts the clock to a time.
func (c *Clock) Set(now time.Time) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = now
}

// Options say which shop a test opens. The zero value is the demo shop, called without a socket.
type Options struct {
	Server shopmock.Options // but for the clock, which is the kit's

	Config *shop.Config         // settings of the shop that Fill fills; nil: California()
	Fill   func(*shop.Tx) error // what the shop holds instead of a seed, besides the seed's API keys; nil: the seed

	Socket bool // the shop listens on a socket, and delivers webhooks; otherwise it does neither
}

// Shop is a running shop, called with the API key that may read and write.
type Shop struct {
	*Client
	*shop.Shop
	Server *shopmock.Server
	Clock  *Clock
}

// Open runs a shop for one test, and closes it with the test.
func Open(t testing.TB, options Options) *Shop {
	t.Helper()
	clock := NewClock()
	options.Server.Clock = clock.Now
	if options.Fill != nil {
		options.Server.Seed = fixtures.EmptySeed
	}
	server, err := listen(options)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := server.Close(); err != nil {
			t.Error(err)
		}
	})
	s := &Shop{newClient(t, server, options.Socket), server.Shop(), server, clock}
	if options.Fill != nil {
		s.fill(options)
	}
	return s
}

func listen(options Options) (*shopmock.Server, error) {
	if options.Socket {
		return shopmock.Listen("127.0.0.1:0", options.Server)
	}
	server, err := shopmock.New(options.Server)
	if err == nil {
		server.Webhooks().Close() // nothing writes to the shop but the test
	}
	return server, err
}

// fill replaces what the seed holds, all but its keys: they belong to nobody then.
func (s *Shop) fill(options Options) {
	s.T.Helper()
	if options.Config == nil {
		options.Config = California()
	}
	seeded := s.Read()
	filled, err := shop.Build(shop.NewState(options.Config), s.Clock.Now(), 1, func(tx *shop.Tx) error {
		for key := range seeded.Keys.All() {
			own := *key
			own.UserID = 0
			if err := own.Add(tx); err != nil {
				return err
			}
		}
		return options.Fill(tx)
	})
	if err != nil {
		s.T.Fatal(err)
	}
	s.Restore(filled)
}

// California are the settings of a shop there.
func California() *shop.Config {
	return &shop.Config{
		Title: "Test shop", Currency: "USD", CurrencySymbol: "$", CurrencyPosition: shop.SymbolLeft,
		ThousandSeparator: ",", DecimalSeparator: ".", Decimals: 2,
		Country: "US", State: "CA", TaxBasedOn: shop.TaxByShipping, ShippingTaxClass: "inherit",
		CouponsEnabled: true, GuestCheckout: true, AccountCreation: true, ManageStock: true,
		HoldStockMinutes: 60, LowStockThreshold: 2, ReviewsEnabled: true, WeightUnit: "kg", DimensionUnit: "cm",
	}
}

// In is the same shop for a subtest: what fails, fails there.
func (s *Shop) In(t testing.TB) *Shop { return &Shop{s.Client.In(t), s.Shop, s.Server, s.Clock} }

// Write changes the shop behind its APIs.
func (s *Shop) Write(change func(*shop.Tx) error) {
	s.T.Helper()
	if _, err := s.Shop.Write(change); err != nil {
		s.T.Fatal(err)
	}
}
