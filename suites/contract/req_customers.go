package contract

// Statements about customers in the management API.

import "shopcheck/reports"

const sectionCustomersEndpoint = "Endpoints / Customers"

func customerRequirements() []Requirement {
	out := Customer().Requirements()
	out = append(out, CustomerDownload().Requirements()...)
	out = append(out, customerFieldRules()...)
	out = append(out, CustomerList().Requirements()...)
	return append(out, customerOperations()...)
}

func customerFieldRules() []Requirement {
	g := &group{section: sectionCustomer, feature: FeatureCustomers}
	g.writable("customers", CustomerWritable())
	g.readOnly("customers", CustomerReadOnly())
	g.must("customers.id-unique", "A customer's id is unique.")
	g.must("customers.email-unique", "An e-mail address belongs to one customer.")
	g.must("customers.email-valid", "What is no valid e-mail address is refused.")
	g.must("customers.username-generated", "A username is generated from the e-mail address when none is given.")
	g.must("customers.username-fixed", "A username cannot be changed after creation.")
	g.must("customers.password-accepted", "A create body may set a password.")
	g.should("customers.password-set", "A customer signs in with the password that was given last, and with no other.")
	g.must("customers.password-hidden", "A password is in no answer.")
	g.must("customers.password-optional", "A customer can be created without a password.")
	g.must("customers.paying", "is_paying_customer is false at first, and true once the customer has purchased.")
	return g.list
}

func customerOperations() []Requirement {
	g := &group{section: sectionCustomersEndpoint, feature: FeatureCustomers}
	g.must("customers.list", "GET on the collection lists customers.")
	g.must("customers.create", "POST on the collection creates a customer and answers 201 with its record.")
	g.must("customers.create.email-required", "A create body needs an e-mail address: without one the answer is 400.")
	g.must("customers.retrieve", "GET on a customer's address answers its record.")
	g.must("customers.update", "PUT changes the given fields of a customer and answers the record.")
	g.must("customers.update.partial", "PUT leaves fields that are not given as they were.")
	g.must("customers.update.nested", "PUT may carry only the changed keys of billing and shipping; the others stay.")
	g.must("customers.update.missing", "PUT on a customer that does not exist is answered with 404.")
	g.must("customers.delete.force", "DELETE with force=true removes a customer permanently.")
	g.must("customers.delete.force-required", "DELETE without force=true is refused, and the customer stays.")
	g.must("customers.delete.missing", "DELETE on a customer that does not exist is answered with 404.")
	g.must("customers.delete.reassign", "DELETE takes reassign, the id of another user.")
	g.observed("customers.delete.answer", "The status and body of the answer to a delete.")
	g.observed("customers.delete.orders", "What becomes of the orders of a customer who is deleted with reassign.")
	g.untestable(reports.Must, "customers.delete.reassign-required", "reassign is required when the customer has posts.",
		"the documented endpoints make no posts")
	g.batches("customers")
	g.must("customers.downloads.list", "GET on a customer's downloads lists what the customer may download: product, order and file.")
	g.must("customers.downloads.empty", "Who has bought nothing to download has an empty list of downloads.")
	g.should("customers.downloads.pages", "Lists of downloads are paged by page and per_page.")
	g.should("customers.downloads.paging", "Lists of downloads carry the paging headers.")
	g.observed("customers.downloads.missing-customer", "How the downloads of a customer who does not exist are answered.")
	return g.list
}
