package contract

// What the permission of an API key limits: each documented operation on each resource reads or writes.

import "fmt"

// Operation is one documented operation on a resource of the management API.
type Operation struct {
	Resource string // products
	Name     string // list, retrieve, create, update, delete, batch
	Endpoint string // "PUT /shop/v3/products/{id}"
	Writes   bool   // it needs Write permission; otherwise Read
	Feature  string
}

// RequirementID is the requirement that a key's permission limits the operation.
func (o Operation) RequirementID() string { return "permission." + o.Resource + "." + o.Name }

func (o Operation) requirement() Requirement {
	may, mayNot := "Read", "Write"
	if o.Writes {
		may, mayNot = mayNot, may
	}
	g := &group{section: sectionAuthManagement, feature: o.Feature}
	g.must(o.RequirementID(), fmt.Sprintf(
		"%s (%s of %s) lets in a key with %s permission and answers one that has %s permission only with 403.",
		o.Endpoint, o.Name, o.Resource, may, mayNot))
	return g.list[0]
}

func permissionRequirements() []Requirement {
	var out []Requirement
	for _, o := range Operations() {
		out = append(out, o.requirement())
	}
	return out
}

// Operations lists the documented operations on the documented resources of the management API.
func Operations() []Operation {
	var out []Operation
	for _, r := range []struct{ name, path, feature string }{
		{"products", "/shop/v3/products", FeatureManagement},
		{"orders", "/shop/v3/orders", FeatureOrderCreate},
		{"customers", "/shop/v3/customers", FeatureCustomers},
	} {
		out = append(out,
			Operation{r.name, "list", "GET " + r.path, false, r.feature},
			Operation{r.name, "retrieve", "GET " + r.path + "/{id}", false, r.feature},
			Operation{r.name, "create", "POST " + r.path, true, r.feature},
			Operation{r.name, "update", "PUT " + r.path + "/{id}", true, r.feature},
			Operation{r.name, "delete", "DELETE " + r.path + "/{id}", true, r.feature},
			Operation{r.name, "batch", "POST " + r.path + "/batch", true, r.feature},
		)
	}
	return append(out,
		Operation{"variations", "list", "GET /shop/v3/products/{id}/variations", false, FeatureManagement},
		Operation{"variations", "create", "POST /shop/v3/products/{id}/variations", true, FeatureManagement},
		Operation{"notes", "list", "GET /shop/v3/orders/{id}/notes", false, FeatureOrderCreate},
		Operation{"notes", "create", "POST /shop/v3/orders/{id}/notes", true, FeatureOrderCreate},
		Operation{"downloads", "list", "GET /shop/v3/customers/{id}/downloads", false, FeatureCustomers},
	)
}
