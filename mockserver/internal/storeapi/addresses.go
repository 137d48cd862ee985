package storeapi

import (
	"slices"

	"shopcheck/mockserver/internal/rest"
	"shopcheck/mockserver/internal/shop"
)

// Addresses (contract, "Store API: Cart"): shipping addresses have no e-mail, destinations neither names nor phone.

var (
	shippingAddress = rest.Lazily(func() *rest.Record[shop.Address] {
		return address(personFields(), placeFields(), phoneField())
	})
	billingAddress = rest.Lazily(func() *rest.Record[shop.Address] {
		return address(personFields(), placeFields(), phoneField(), emailField())
	}) // as live shops list its parameters

	shownShipping = rest.Lazily(func() *rest.Record[shop.Address] {
		return rest.Shown(shippingAddress.All())
	})
	shownBilling = rest.Lazily(func() *rest.Record[shop.Address] {
		return rest.Shown(personFields(), placeFields(), emailField(), phoneField())
	})
	destination = rest.Lazily(func() *rest.Record[shop.Address] {
		return rest.Shown(placeFields())
	})
)

func personFields() []rest.Field[shop.Address] {
	return fields(
		rest.Text("first_name", func(a *shop.Address) *string { return &a.FirstName }),
		rest.Text("last_name", func(a *shop.Address) *string { return &a.LastName }),
		rest.Text("company", func(a *shop.Address) *string { return &a.Company }),
	)
}

func placeFields() []rest.Field[shop.Address] {
	return fields(
		rest.Text("address_1", func(a *shop.Address) *string { return &a.Address1 }),
		rest.Text("address_2", func(a *shop.Address) *string { return &a.Address2 }),
		rest.Text("city", func(a *shop.Address) *string { return &a.City }),
		rest.Text("state", func(a *shop.Address) *string { return &a.State }),
		rest.Text("postcode", func(a *shop.Address) *string { return &a.Postcode }),
		rest.Text("country", func(a *shop.Address) *string { return &a.Country }),
	)
}

func emailField() []rest.Field[shop.Address] {
	return fields(rest.Text("email", func(a *shop.Address) *string { return &a.Email }))
}

func phoneField() []rest.Field[shop.Address] {
	return fields(rest.Text("phone", func(a *shop.Address) *string { return &a.Phone }))
}

func address(groups ...[]rest.Field[shop.Address]) *rest.Record[shop.Address] {
	return &rest.Record[shop.Address]{Fields: slices.Concat(groups...)}
}

// How many characters a text that the shop keeps for a visitor may have.
const (
	maxAddressField = 254 // the longest e-mail address
	maxText         = 1000
	maxNote         = 10_000
)

// addressParam declares an address that a client sends. What it must hold depends on the country and is checked by the shop.
func addressParam(name string, record *rest.Record[shop.Address]) rest.Param {
	fields := slices.Clone(record.Changes())
	for i := range fields {
		fields[i].Max = rest.Bound(maxAddressField)
	}
	return rest.Param{Name: name, Type: rest.Object, Fields: fields}
}

// changeOf reads a change of an address, nil when none was sent.
func changeOf(sent rest.Args, record *rest.Record[shop.Address]) shop.AddressChange {
	if sent == nil {
		return nil
	}
	return func(address *shop.Address) error { return record.Decode(nil, address, sent) }
}

// addressChanges reads the changes of both addresses.
func addressChanges(args rest.Args) (billing, shipping shop.AddressChange) {
	return changeOf(args.Object("billing_address"), billingAddress), changeOf(args.Object("shipping_address"), shippingAddress)
}

// addressOf reads a whole address, nil when none was sent.
func addressOf(sent rest.Args, record *rest.Record[shop.Address]) (*shop.Address, error) {
	if sent == nil {
		return nil, nil
	}
	address := new(shop.Address)
	return address, record.Decode(nil, address, sent)
}
