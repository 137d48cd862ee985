package management_test

import (
	"strings"
	"testing"

	"shopcheck/mockserver/internal/shop"
)

const documentedCustomer = `id date_created date_created_gmt date_modified date_modified_gmt email first_name last_name role username ` +
	`billing shipping is_paying_customer avatar_url meta_data _links`

func TestCustomerRecordHasTheDocumentedFieldsInOrder(t *testing.T) {
	t.Parallel()
	s := newTestShop(t, nil)
	made := s.Post("/shop/v3/customers",
		`{"email":"ann@shop.example","first_name":"Ann","last_name":"Lee","password":"secret","role":"administrator",
		"billing":{"city":"Rome","email":"bills@shop.example"},"shipping":{"city":"Oslo","phone":"1"},"meta_data":[{"key":"k",
		"value":[1]}]}`).
		Want(201).HasFields("", documentedCustomer).
		HasFields("billing", "first_name last_name company address_1 address_2 city postcode country state email phone").
		HasFields("shipping", "first_name last_name company address_1 address_2 city postcode country state").Has(
		"role", "customer", "username", "ann", "billing.city", "Rome", "billing.email", "bills@shop.example",
		"is_paying_customer", false, "meta_data.0.value.0", 1, "date_modified", "2026-03-01T12:00:00",
	)
	if strings.Contains(made.Raw, "secret") {
		t.Errorf("the password shows: %s", made.Raw)
	}
}

func TestPasswordsOfCustomers(t *testing.T) {
	t.Parallel()
	s := newTestShop(t, nil)
	own := s.Post("/shop/v3/customers", `{"email":"ann@shop.example","password":"secret"}`).Want(201).Has("meta_data", []any{})
	if user, _ := s.Read().FindCustomer(own.Get("id").Int()); !user.HasPassword("secret") {
		t.Error("the password was not kept")
	}
	for _, body := range []string{`{"email":"bea@shop.example"}`, `{"email":"eve@shop.example","password":""}`} {
		made := s.Post("/shop/v3/customers", body).Want(201).
			Has("meta_data.#.key", []string{"default_password_nag"}) // the mark of a password that the shop made
		if user, _ := s.Read().FindCustomer(made.Get("id").Int()); user.PasswordHash == "" {
			t.Errorf("no password was made for %s", body)
		}
	}
	s.Call("PUT", "/shop/v3/customers/"+own.Get("id").String(), `{"password":""}`).Want(200)
	if user, _ := s.Read().FindCustomer(own.Get("id").Int()); !user.HasPassword("secret") {
		t.Error("an empty password took the place of the one before")
	}
}

func TestUserNames(t *testing.T) {
	t.Parallel()
	s := newTestShop(t, nil)
	for i, c := range [][2]string{
		{"", "ann"}, {`,"username":""`, "ann-2"}, {`,"username":"A.nn_L-ee 1@x"`, "A.nn_L-ee 1@x"},
	} {
		s.Post("/shop/v3/customers", `{"email":"ann@shop`+string(rune('a'+i))+`.example"`+c[0]+`}`).Want(201).Has("username", c[1])
	}
	for email, want := range map[string]string{"john.doe@shop.example": "john.doe", "J+o_h-n@shop.example": "jo_h-n",
		"+@shop.example": "customer"} {
		s.Post("/shop/v3/customers", `{"email":"`+email+`"}`).Want(201).Has("username", want)
	}
	for _, name := range []string{"  ", "<b>", "a/b", "ä", "a\\u0000b"} {
		refuse(t, s, refusal{400, "registration-error-invalid-username", "POST", "/shop/v3/customers",
			`{"username":"` + name + `","email":"bea@shop.example"}`})
	}
}

func TestOrdersMakeAPayingCustomerAndMoveWhenOneIsDeleted(t *testing.T) {
	t.Parallel()
	s := newTestShop(t, nil)
	for _, name := range []string{"ann", "bea"} {
		s.Post("/shop/v3/customers", `{"email":"`+name+`@shop.example"}`).Want(201)
	}
	s.product(`{"name":"Mug","regular_price":"10"}`)
	ann := "/shop/v3/customers/1"
	order := func(more string) string {
		return s.Create("/shop/v3/orders", `{"customer_id":1,"line_items":[{"product_id":1}]`+more+`}`)
	}
	unpaid := order("")
	s.shows("after an order that is not paid", ann, "is_paying_customer", "false")
	paid := order(`,"set_paid":true`)
	s.shows("after one that is paid", ann, "is_paying_customer", "true")
	s.Refuses(400, "rest_invalid_param", "DELETE", ann+"?force=true&reassign=1", "")
	s.Call("DELETE", ann+"?force=true&reassign=2", "").Want(200)
	s.shows("given to another customer", unpaid, "customer_id", "2")
	s.shows("given to another customer", paid, "customer_id", "2")
	s.Call("DELETE", "/shop/v3/customers/2?force=true", "").Want(200)
	s.shows("given to nobody", paid, "customer_id", "0")
}

// TestTheAdministratorStays tries to delete and to demote the administrator in every way that the API has.
func TestTheAdministratorStays(t *testing.T) {
	t.Parallel()
	s := newTestShop(t, func(tx *shop.Tx) error {
		for _, c := range []shop.Customer{
			{Email: "boss@shop.example", Role: shop.RoleAdministrator},
			{Email: "ann@shop.example"},
		} {
			if err := c.Create(tx); err != nil {
				return err
			}
		}
		return nil
	})
	for _, version := range []string{"v1", "v2", "v3"} {
		path := "/shop/" + version + "/customers"
		s.Refuses(400, "shop_rest_cannot_delete", "DELETE", path+"/1?force=true", "")
		s.Refuses(400, "shop_rest_cannot_delete", "DELETE", path+"/1?force=true&reassign=2", "")
		for _, body := range []string{`{"delete":[1]}`, `{"delete":["1"]}`} {
			s.Post(path+"/batch", body).Want(200).Has("delete.0.error.code", "shop_rest_cannot_delete")
		}
		s.Call("PUT", path+"/1", `{"role":"customer"}`).Want(200)
		s.Post(path+"/batch", `{"update":[{"id":1,"role":"customer"}]}`).Want(200)
		s.shows("after attempts to demote it", "/shop/v3/customers/1", "role", `"administrator"`)
	}
}

func TestCustomerRefusals(t *testing.T) {
	t.Parallel()
	s := newTestShop(t, nil)
	const customers = "/shop/v3/customers"
	path := s.Create(customers, `{"email":"ann@shop.example","username":"ann"}`)
	s.Post(customers, `{"email":"bea@shop.example"}`).Want(201)
	refuse(t, s,
		refusal{400, "registration-error-email-exists", "POST", customers, `{"email":"ANN@shop.example"}`},
		refusal{400, "registration-error-username-exists", "POST", customers, `{"email":"x@shop.example","username":"Ann"}`},
		refusal{400, "registration-error-email-exists", "PUT", path, `{"email":"bea@shop.example"}`},
		refusal{400, "shop_rest_customer_invalid_argument", "PUT", path, `{"username":"other"}`},
		refusal{400, "rest_missing_callback_param", "POST", customers, `{"first_name":"x"}`},
		refusal{400, "rest_missing_callback_param", "POST", customers, `{"email":null}`},
		refusal{400, "rest_invalid_param", "PUT", path, `{"email":"nope"}`},
		refusal{400, "rest_invalid_param", "PUT", path, `{"email":""}`},
		refusal{404, "shop_rest_customer_invalid_id", "GET", customers + "/999", ""},
		refusal{404, "shop_rest_customer_invalid_id", "PUT", customers + "/999", `{"first_name":"x"}`},
		refusal{404, "shop_rest_customer_invalid_id", "DELETE", customers + "/999?force=true", ""},
		refusal{404, "shop_rest_customer_invalid_id", "GET", customers + "/999/downloads", ""},
		refusal{501, "shop_rest_trash_not_supported", "DELETE", path, ""},
		refusal{400, "rest_invalid_param", "DELETE", path + "?force=true&reassign=77", ""},
	)
	invalid(t, s, customers, map[string]string{
		`{"email":"nope"}`: "email", `{"email":""}`: "email", `{"email":7}`: "email",
		`{"email":"c@shop.example","billing":{"email":"nope"}}`: "billing", `{"email":"c@shop.example","billing":"x"}`: "billing",
	})
	invalidQueries(t, s, customers, "role=nope", "orderby=nope", "order=x", "email=nope", "per_page=101")
}

func TestCustomerUpdateTouchesOnlyWhatWasSent(t *testing.T) {
	t.Parallel()
	s := newTestShop(t, nil)
	path := s.Create("/shop/v3/customers", `{"email":"ann@shop.example","first_name":"Ann","billing":{"city":"Rome","country":"IT"}}`)
	got := s.Call("PUT", path, `{"billing":{"city":"Bari"},"shipping":{"city":"Oslo"},"username":"ann"}`).Want(200)
	if got.Get("billing.city").String() != "Bari" || got.Get("billing.country").String() != "IT" ||
		got.Get("shipping.city").String() != "Oslo" || got.Get("first_name").String() != "Ann" || got.Get("date_modified").String() == "" {
		t.Errorf("update: %s", got.Raw)
	}
}

func TestCustomerListParameters(t *testing.T) {
	t.Parallel()
	s := newTestShop(t, func(tx *shop.Tx) error {
		for _, c := range []shop.Customer{
			{Email: "zoe@shop.example", FirstName: "Zoe", LastName: "Adams", Created: tx.Now.AddDate(0, 0, -3)},
			{Email: "boss@shop.example", Username: "boss", Role: "administrator", Created: tx.Now.AddDate(0, 0, -9)},
			{Email: "ann@shop.example", FirstName: "Ann", LastName: "Lee", Created: tx.Now.AddDate(0, 0, -1)},
		} {
			if err := c.Create(tx); err != nil {
				return err
			}
		}
		return nil
	})
	lists(t, s, "/shop/v3/customers", "username", map[string]string{
		"":                                      "ann boss zoe",
		"order=desc":                            "zoe boss ann",
		"orderby=id":                            "zoe boss ann",
		"orderby=registered_date":               "boss zoe ann",
		"include=3,1":                           "ann zoe",
		"include=3,1&orderby=include":           "ann zoe",
		"exclude=2":                             "ann zoe",
		"role=customer":                         "ann zoe",
		"role=administrator":                    "boss",
		"role=editor":                           "",
		"email=ANN@shop.example":                "ann",
		"email=no@shop.example":                 "",
		"search=adams":                          "zoe",
		"search=zoe+adams":                      "zoe",
		"search=zoe+lee":                        "",
		"search=shop.example&per_page=1&page=2": "boss",
	})
}

func TestCustomerBatchAndDelete(t *testing.T) {
	t.Parallel()
	s := newTestShop(t, nil)
	got := s.Post("/shop/v3/customers/batch", `{"create":[{"email":"a@shop.example"},{"email":"a@shop.example"}]}`).Want(200).
		Has("create.0.username", "a", "create.1.error.code", "registration-error-email-exists")
	id := got.Get("create.0.id").String()
	s.Call("DELETE", "/shop/v3/customers/"+id+"?force=true", "").Want(200).Has("email", "a@shop.example")
	s.Refuses(404, "shop_rest_customer_invalid_id", "GET", "/shop/v3/customers/"+id, "")
}
