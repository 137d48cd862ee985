package auth

// The matrix of permissions: each documented operation on each resource, with a key that may and one that may not.

import (
	"strconv"
	"strings"

	. "github.com/onsi/ginkgo/v2"

	"shopcheck/suites/client"
	"shopcheck/suites/contract"
	. "shopcheck/suites/spec"
)

func (t topic) matrix() {
	for _, operation := range contract.Operations() {
		may, mayNot := Read, Write
		if operation.Writes {
			may, mayNot = mayNot, may
		}
		It(operation.Name+" of "+operation.Resource+" needs "+string(may), Req(operation.RequirementID()), func(ctx SpecContext) {
			t.Key(may)
			request := t.request(ctx, operation)

			Expect(t.with(ctx, request, mayNot)).To(HaveStatus(403))
			request.Auth = t.Key(mayNot)
			request.Auth.Way = client.QueryWay
			Expect(t.Do(ctx, request)).To(HaveStatus(403))
			Expect(t.with(ctx, request, may)).To(BeSuccess())
			if operation.Name != "update" { // which can be done twice
				request = t.request(ctx, operation)
			}
			Expect(t.with(ctx, request, ReadWrite)).To(BeSuccess())
		})
		t.strangers(operation)
	}
}

// strangers declares that the operation lets nobody in without a good key, and a good one by the query too.
func (t topic) strangers(operation contract.Operation) {
	It(operation.Name+" of "+operation.Resource+" keeps strangers out",
		Req("general.authenticated", "auth.wrong-secret", "auth.wrong-secret-query",
			"auth.unknown-key", "auth.query"), Needs(operation.Feature), func(ctx SpecContext) {
			good, request := t.Key(ReadWrite), t.request(ctx, operation)
			unknown, inQuery := good, good
			unknown.Credentials.Key, inQuery.Way = "ck_"+t.Word(), client.QueryWay
			try := func(auth client.Auth) *client.Answer {
				request.Auth = auth
				return t.Do(ctx, request)
			}

			Expect(try(client.Auth{})).To(BeRefused())
			t.For("auth.wrong-secret").Expect(try(t.wrongSecret(client.AnyWay))).To(HaveStatus(401))
			t.For("auth.wrong-secret-query").Expect(try(t.wrongSecret(client.QueryWay))).To(HaveStatus(401))
			t.For("auth.unknown-key").Expect(try(unknown)).To(HaveStatus(401))
			t.For("auth.query").Expect(try(inQuery)).To(BeSuccess())
		})

	It(operation.Name+" of "+operation.Resource+" keeps revoked keys out", Req("auth.revoked"), Needs(operation.Feature),
		func(ctx SpecContext) {
			t.Key(Revoked)

			Expect(t.with(ctx, t.request(ctx, operation), Revoked)).To(HaveStatus(401))
		})
}

func (t topic) with(ctx SpecContext, request client.Request, role Role) *client.Answer {
	request.Auth = t.Key(role)
	return t.Do(ctx, request)
}

// request is a call of the operation that is valid in all but who makes it; what it changes is a record of its own.
func (t topic) request(ctx SpecContext, o contract.Operation) client.Request {
	method, path, _ := strings.Cut(o.Endpoint, " ")
	request := client.Request{Method: method, Path: path}
	if strings.Contains(path, "{id}") {
		owner := t.SharedOwner
		if o.Writes {
			owner = t.GivenOwner
		}
		request.Path = strings.Replace(path, "{id}", strconv.FormatInt(owner(ctx, path), 10), 1)
	}
	switch {
	case o.Name == "batch":
		request.Body = Fields{"create": []Fields{t.body(o)}}
	case o.Name == "create":
		request.Body = t.body(o)
	case o.Name == "update":
		request.Body = Fields{"meta_data": []Fields{}}
	case o.Name == "delete":
		request.Query = map[string][]string{"force": {"true"}}
	}
	return request
}

// body is what a record of the operation's resource is made of.
func (t topic) body(o contract.Operation) Fields {
	switch o.Resource {
	case "products":
		return t.ProductBody()
	case "variations":
		return Fields{"regular_price": "9.99"}
	case "customers":
		return t.CustomerBody(nil)
	case "notes":
		return Fields{"note": t.Word()}
	case "orders":
		return Fields{"billing": t.Billing()}
	}
	return Fields{}
}
