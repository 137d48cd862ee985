package seed

// Copies of live shops.

import (
	"time"

	"shopcheck/fixtures"
	"shopcheck/mockserver/internal/management"
	"shopcheck/mockserver/internal/shop"
)

// copying returns how the shop of a copy is built. All days have the same: its dates are those of the shop that it was taken from.
func copying(document []byte, now time.Time) func(time.Time) (shop.State, []string, error) {
	return func(time.Time) (shop.State, []string, error) { return copied(document, now) }
}

// copied is the shop of a copy. The notes say what was left out.
func copied(document []byte, now time.Time) (state shop.State, notes []string, err error) {
	data, err := fixtures.Empty()
	if err != nil {
		return state, nil, err
	}
	config, err := configOf(data.Settings)
	if err != nil {
		return state, nil, err
	}
	state, err = shop.Build(shop.NewState(config), now, chance, func(tx *shop.Tx) error {
		l := &loader{Tx: tx, data: data, names: newNames(), day: now}
		if err := l.loadGateways(); err != nil {
			return err
		}
		if notes, err = management.Restore(tx, document); err != nil {
			return err
		}
		return l.complete()
	})
	return state, notes, err
}

// complete adds what a shop cannot be without, where the copy did not bring it: tax classes, the rest of the world, and who runs it.
func (l *loader) complete() error {
	if l.TaxClasses.Len() == 0 {
		if err := l.loadTaxes(); err != nil {
			return err
		}
	}
	if _, known := l.Zones.Get(0); !known {
		if err := l.loadZones(); err != nil {
			return err
		}
	}
	if err := l.loadCustomers(); err != nil {
		return err
	}
	return l.loadKeys()
}
