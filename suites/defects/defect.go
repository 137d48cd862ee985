package defects

// A defect, and the list of all of them.

import (
	"slices"

	"shopcheck/suites/profile"
)

// Defect is one deliberate violation.
type Defect struct {
	ID     string   // what it breaks, and how: product.field.sku:dropped
	Breaks []string // the requirements that sharp suites report: all of them
	What   string   // what the shop does, in a sentence
	bend   bend
	// deliveries lies over what the shop sends by itself; nil: that is as it must be.
	deliveries bend
	encrypted  bool // it is one where the target is reached by HTTPS only
}

// All lists every defect. Those about API keys need to know the keys of the shop.
func All(keys profile.CredentialSet) []Defect {
	return slices.Concat(
		fieldDefects(),
		errorDefects(),
		headerDefects(),
		linkDefects(),
		listDefects(),
		writeDefects(),
		generalDefects(),
		keyDefects(keys),
		eventDefects(),
		nonceDefects(),
		productDefects(),
		orderDefects(),
		customerRecordDefects(),
		collectionDefects(),
		cartDefects(),
		couponDefects(),
		checkoutDefects(),
		lookupDefects(),
		catalogueDefects(),
	)
}

// defect is a defect that breaks one requirement.
func defect(requirement, kind, what string, b bend) Defect {
	return Defect{ID: requirement + ":" + kind, Breaks: []string{requirement}, What: what, bend: b}
}

// overTLS lets the target be reached by HTTPS: what it does is a violation nowhere else.
func (d Defect) overTLS() Defect {
	d.encrypted = true
	return d
}

// also adds requirements that the same violation breaks.
func (d Defect) also(requirements ...string) Defect {
	d.Breaks = append(slices.Clone(d.Breaks), requirements...)
	return d
}
