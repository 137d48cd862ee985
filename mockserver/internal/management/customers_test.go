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
		Want(201)
	if keysOf(made.Result) != documentedCustomer ||
		keysOf(made.Get("billing")) != "first_name last_name company address_1 address_2 city postcode country state email phone" ||
		keysOf(made.Get("shipping")) != "first_name last_name company address_1 address_2 city postcode country state" {
		t.Errorf("fields: %s", made.Raw)
	}
	for path, want := range map[string]string{"role": "customer", "username": "ann", "billing.city": "Rome",
		"billing.email": "bills@shop.example", "is_paying_customer": "false", "meta_data.0.value.0": "1",
		"date_modified": "2026-03-01T12:00:00"} {
		if made.Get(path).String() != want {
			t.Errorf("%s is %q, want %q", path, made.Get(path).String(), want)
		}
	}
	id := made.Get("id").Int()
	if strings.Contains(made.Raw, "secret") {
		t.Errorf("the password shows: %s", made.Raw)
	}
	if user, _ := s.Read().FindCustomer(id); !user.HasPassword("secret") {
		t.Error("the password was not kept")
	}
	twin := s.Post("/shop/v3/customers", `{"email":"ann@other.example"}`).Want(201)
	if twin.Get("username").String() != "ann-2" {
		t.Errorf("user name %s, want another one than ann", twin.Get("username"))
	}
	if user, _ := s.Read().FindCustomer(twin.Get("id").Int()); user.PasswordHash == "" {
		t.Error("no password was made")
	}
	if twin.Get("meta_data.#.key").Raw != `["default_password_nag"]` || strings.Contains(made.Raw, "default_password_nag") {
		t.Errorf("who has a password that the shop made is marked, and nobody else: %s, %s", twin.Raw, made.Raw)
	}
}

func TestUserNames(t *testing.T) {
	t.Parallel()
	s := newTestShop(t, nil)
	for i, c := range [][2]string{
		{"", "ann"}, {`,"username":""`, "ann-2"}, {`,"username":"A.nn_L-ee 1@x"`, "A.nn_L-ee 1@x"},
	} {
		made := s.Post("/shop/v3/customers", `{"email":"ann@shop`+string(rune('a'+i))+`.example"`+c[0]+`}`).Want(201)
		if made.Get("username").String() != c[1] {
			t.Errorf("%q makes %q, want %q", c[0], made.Get("username"), c[1])
		}
	}
	for email, want := range map[string]string{"john.doe@shop.example": "john.doe", "J+o_h-n@shop.example": "jo_h-n",
		"+@shop.example": "customer"} {
		if made := s.Post("/shop/v3/customers", `{"email":"`+email+`"}`).Want(201); made.Get("username").String() != want {
			t.Errorf("%s makes %q, want %q", email, made.Get("username"), want)
		}
	}
	for _, name := range []string{"  ", "<b>", "a/b", "ä", "a\\u0000b"} {
		s.Refuses(400, "registration-error-invalid-username", "POST", "/shop/v3/customers",
			`{"email":"bea@shop.example","username":"`+name+`"}`)
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
			done := s.Post(path+"/batch", body).Want(200)
			if done.Get("delete.0.error.code").String() != "shop_rest_cannot_delete" {
				t.Errorf("%s %s: %s", path, body, done.Raw)
			}
		}
		s.Call("PUT", path+"/1", `{"role":"customer"}`).Want(200)
		s.Post(path+"/batch", `{"update":[{"id":1,"role":"customer"}]}`).Want(200)
		s.shows("after attempts to demote it", "/shop/v3/customers/1", "role", `"administrator"`)
	}
}

func TestCustomerRefusals(t *testing.T) {
	t.Parallel()
	s := newTestShop(t, nil)
	path := s.Create("/shop/v3/customers", `{"email":"ann@shop.example","username":"ann"}`)
	s.Post("/shop/v3/customers", `{"email":"bea@shop.example"}`).Want(201)
	refuse(t, s,
		refusal{400, "registration-error-email-exists", "POST", "/shop/v3/customers", `{"email":"ANN@shop.example"}`},
		refusal{400, "registration-error-username-exists", "POST", "/shop/v3/customers", `{"email":"x@shop.example","username":"Ann"}`},
		refusal{400, "registration-error-email-exists", "PUT", path, `{"email":"bea@shop.example"}`},
		refusal{400, "shop_rest_customer_invalid_argument", "PUT", path, `{"username":"other"}`},
		refusal{400, "rest_missing_callback_param", "POST", "/shop/v3/customers", `{"first_name":"x"}`},
		refusal{400, "rest_missing_callback_param", "POST", "/shop/v3/customers", `{"email":null}`},
	)
	for body, param := range map[string]string{
		`{"email":"nope"}`: "email", `{"email":""}`: "email", `{"email":7}`: "email",
		`{"email":"c@shop.example","password":""}`:              "password",
		`{"email":"c@shop.example","billing":{"email":"nope"}}`: "billing", `{"email":"c@shop.example","billing":"x"}`: "billing",
	} {
		got := s.Refuses(400, "rest_invalid_param", "POST", "/shop/v3/customers", body)
		if !got.Get("data.params." + param).Exists() {
			t.Errorf("%s: data.params does not name %s: %s", body, param, got.Raw)
		}
	}
	s.Refuses(400, "rest_invalid_param", "PUT", path, `{"email":"nope"}`)
	s.Refuses(400, "rest_invalid_param", "PUT", path, `{"email":""}`)
	for _, query := range []string{"role=nope", "orderby=nope", "order=x", "email=nope", "per_page=101"} {
		s.Refuses(400, "rest_invalid_param", "GET", "/shop/v3/customers?"+query, "")
	}
	for _, call := range [][2]string{{"GET", ""}, {"PUT", `{"first_name":"x"}`}, {"DELETE", ""}} {
		s.Refuses(404, "shop_rest_customer_invalid_id", call[0], "/shop/v3/customers/999?force=true", call[1])
	}
	refuse(t, s,
		refusal{404, "shop_rest_customer_invalid_id", "GET", "/shop/v3/customers/999/downloads", ""},
		refusal{501, "shop_rest_trash_not_supported", "DELETE", path, ""},
		refusal{400, "rest_invalid_param", "DELETE", path + "?force=true&reassign=77", ""},
	)
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
	for query, want := range map[string]string{
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
	} {
		var names []string
		for _, row := range s.Get("/shop/v3/customers?" + query).Want(200).Array() {
			names = append(names, row.Get("username").String())
		}
		if strings.Join(names, " ") != want {
			t.Errorf("%s: %v, want %s", query, names, want)
		}
	}
}

func TestCustomerBatchAndDelete(t *testing.T) {
	t.Parallel()
	s := newTestShop(t, nil)
	got := s.Post("/shop/v3/customers/batch", `{"create":[{"email":"a@shop.example"},{"email":"a@shop.example"}]}`).Want(200)
	if got.Get("create.0.username").String() != "a" || got.Get("create.1.error.code").String() != "registration-error-email-exists" {
		t.Errorf("batch: %s", got.Raw)
	}
	id := got.Get("create.0.id").String()
	if gone := s.Call("DELETE", "/shop/v3/customers/"+id+"?force=true", "").Want(200); gone.Get("email").String() != "a@shop.example" {
		t.Errorf("delete: %s", gone.Raw)
	}
	s.Refuses(404, "shop_rest_customer_invalid_id", "GET", "/shop/v3/customers/"+id, "")
}
