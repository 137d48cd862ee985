package shop

import (
	"errors"
	"math/rand/v2"
	"reflect"
	"strconv"
	"testing"
	"time"
)

// TestKeptPlacesAreThoseOfNow changes tax rates, zones, methods and settings at random, and finds after each change, in its
// transaction and after it, that what is kept for a place is what would be found now. A part of the transactions is taken back.
func TestKeptPlacesAreThoseOfNow(t *testing.T) {
	t.Parallel()
	shop := New(NewState(testConfig()), Options{Clock: func() time.Time { return testNow }})
	chance := rand.New(rand.NewPCG(3, 4))
	states := []string{"CA", "NY", ""}
	compare := func(v View) {
		t.Helper()
		bare := v
		bare.places = nil
		if kept, now := v.allGateways(), bare.allGateways(); !reflect.DeepEqual(kept, now) {
			t.Fatalf("payment methods are kept as %v, but are %v", kept, now)
		}
		for _, state := range states {
			place := Address{Country: "US", State: state, Postcode: "94103"}
			if kept, now := v.ratesOf("", placeOf(place)), bare.ratesOf("", placeOf(place)); !reflect.DeepEqual(kept, now) {
				t.Fatalf("rates for %q are kept as %v, but are %v", state, kept, now)
			}
			if kept, now := v.methodsTo(place), bare.methodsTo(place); !reflect.DeepEqual(kept, now) {
				t.Fatalf("methods to %q are kept as %v, but are %v", state, kept, now)
			}
		}
	}
	anyState := func() string { return states[chance.IntN(len(states))] }
	changes := []func(tx *Tx, id int64) error{
		func(tx *Tx, id int64) error {
			rate := &TaxRate{ID: id, Country: "US", State: anyState(), Rate: strconv.Itoa(chance.IntN(20)), Priority: id}
			return tx.TaxRates.Put(tx.rows, rate)
		},
		func(tx *Tx, id int64) error { tx.TaxRates.Delete(tx.rows, id); return nil },
		func(tx *Tx, id int64) error {
			return tx.Zones.Put(tx.rows, &Zone{ID: id, Order: id, Locations: []Location{{"US:" + anyState(), "state"}}})
		},
		func(tx *Tx, id int64) error { tx.Zones.Delete(tx.rows, id); return nil },
		func(tx *Tx, id int64) error {
			return tx.Methods.Put(tx.rows, &ShippingMethod{ID: id, ZoneID: id % 3, MethodID: "flat_rate", Enabled: chance.IntN(3) > 0})
		},
		func(tx *Tx, id int64) error {
			return tx.Gateways.Put(tx.rows, &Gateway{ID: id, Method: strconv.FormatInt(id, 10), Order: chance.Int64N(9)})
		},
		func(tx *Tx, id int64) error { tx.Gateways.Delete(tx.rows, id); return nil },
		func(tx *Tx, _ int64) error {
			config := *tx.Config
			if config.ShipTo = nil; chance.IntN(4) == 0 {
				config.ShipTo = []string{"DE"}
			}
			tx.Config = &config
			return nil
		},
	}
	takenBack := errors.New("taken back")
	for range 400 {
		after, err := shop.Write(func(tx *Tx) error {
			for range 1 + chance.IntN(3) {
				if err := changes[chance.IntN(len(changes))](tx, 1+chance.Int64N(4)); err != nil {
					return err
				}
				compare(tx.View)
			}
			if chance.IntN(3) == 0 {
				return takenBack
			}
			return nil
		})
		if err != nil && !errors.Is(err, takenBack) {
			t.Fatal(err)
		}
		compare(after)
	}
	if shop.places.rates.cache.Len() < 100 || shop.places.methods.cache.Len() < 100 {
		t.Errorf("%d rates and %d methods are kept: too few were asked for", shop.places.rates.cache.Len(), shop.places.methods.cache.Len())
	}
}
