package storeapi

import (
	"shopcheck/mockserver/internal/rest"
	"shopcheck/mockserver/internal/shop"
)

// Addresses (contract, "Store API: Cart"): shipping addresses have no e-mail, destinations neither names nor phone.

type shippingAddress struct {
	FirstName string `json:"first_name"`
	LastName  string `json:"last_name"`
	Company   string `json:"company"`
	Address1  string `json:"address_1"`
	Address2  string `json:"address_2"`
	City      string `json:"city"`
	State     string `json:"state"`
	Postcode  string `json:"postcode"`
	Country   string `json:"country"`
	Phone     string `json:"phone"`
}

type billingAddress struct {
	FirstName string `json:"first_name"`
	LastName  string `json:"last_name"`
	Company   string `json:"company"`
	Address1  string `json:"address_1"`
	Address2  string `json:"address_2"`
	City      string `json:"city"`
	State     string `json:"state"`
	Postcode  string `json:"postcode"`
	Country   string `json:"country"`
	Email     string `json:"email"`
	Phone     string `json:"phone"`
}

type destination struct {
	Address1 string `json:"address_1"`
	Address2 string `json:"address_2"`
	City     string `json:"city"`
	State    string `json:"state"`
	Postcode string `json:"postcode"`
	Country  string `json:"country"`
}

func shippingOf(a shop.Address) shippingAddress {
	return shippingAddress{a.FirstName, a.LastName, a.Company, a.Address1, a.Address2, a.City, a.State, a.Postcode, a.Country, a.Phone}
}

func billingOf(a shop.Address) billingAddress {
	return billingAddress{a.FirstName, a.LastName, a.Company, a.Address1, a.Address2, a.City, a.State, a.Postcode, a.Country, a.Email, a.Phone}
}

func destinationOf(a shop.Address) destination {
	return destination{a.Address1, a.Address2, a.City, a.State, a.Postcode, a.Country}
}

// addressParam declares an address that a client sends. What it must hold depends on the country and is checked by the shop.
func addressParam(name string, required bool, fields ...string) rest.Param {
	param := rest.Param{Name: name, Type: rest.Object, Required: required}
	for _, field := range append([]string{
		"first_name", "last_name", "company", "address_1", "address_2", "city", "state", "postcode", "country", "phone",
	}, fields...) {
		param.Fields = append(param.Fields, rest.Param{Name: field, Type: rest.String})
	}
	return param
}

// patchOf reads a change of an address, nil when none was sent.
func patchOf(sent rest.Args) *shop.AddressPatch {
	if sent == nil {
		return nil
	}
	field := func(name string) *string {
		if !sent.Has(name) {
			return nil
		}
		value := sent.String(name)
		return &value
	}
	return &shop.AddressPatch{
		FirstName: field("first_name"), LastName: field("last_name"), Company: field("company"),
		Address1: field("address_1"), Address2: field("address_2"), City: field("city"), State: field("state"),
		Postcode: field("postcode"), Country: field("country"), Email: field("email"), Phone: field("phone"),
	}
}

// addressOf reads a whole address, nil when none was sent.
func addressOf(sent rest.Args) *shop.Address {
	if sent == nil {
		return nil
	}
	return &shop.Address{
		FirstName: sent.String("first_name"), LastName: sent.String("last_name"), Company: sent.String("company"),
		Address1: sent.String("address_1"), Address2: sent.String("address_2"), City: sent.String("city"),
		State: sent.String("state"), Postcode: sent.String("postcode"), Country: sent.String("country"),
		Email: sent.String("email"), Phone: sent.String("phone"),
	}
}
