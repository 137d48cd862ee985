package spec

// Given products.

import (
	"context"

	"shopcheck/reports"
	"shopcheck/suites/client"
	"shopcheck/suites/contract"
)

// Product is a product that a spec was given.
type Product struct {
	ID     int64
	Name   string
	SKU    string
	Answer *client.Answer // the record, as it was created or found
}

// ProductOption shapes a given product.
type ProductOption func(Fields)

// With sets any fields of the create body.
func With(fields Fields) ProductOption {
	return func(body Fields) {
		for name, value := range fields {
			body[name] = value
		}
	}
}

// Price sets the regular price.
func Price(amount string) ProductOption { return With(Fields{"regular_price": amount}) }

// OnSale sets a regular and a lower sale price.
func OnSale(regular, sale string) ProductOption {
	return With(Fields{"regular_price": regular, "sale_price": sale})
}

// InStock manages the stock and sets it.
func InStock(quantity int) ProductOption {
	return With(Fields{"manage_stock": true, "stock_quantity": quantity})
}

// OutOfStock makes a product that nobody can buy now.
func OutOfStock() ProductOption { return With(Fields{"stock_status": "outofstock"}) }

// Virtual makes a product that is not shipped.
func Virtual() ProductOption { return With(Fields{"virtual": true}) }

// defaultPrice is that of given products whose price does not matter: two decimals, neither of them zero.
const defaultPrice = "12.34"

// ProductBody is the create body of a given product: its own name and SKU, simple, with a price.
func (e *Env) ProductBody(options ...ProductOption) Fields {
	name := e.Unique("shopcheck")
	body := Fields{"name": name, "sku": name, "type": "simple", "regular_price": defaultPrice}
	for _, option := range options {
		option(body)
	}
	return body
}

// GivenProduct makes a product through the management API.
func (e *Env) GivenProduct(ctx context.Context, options ...ProductOption) Product {
	kind := Fields{}
	for _, option := range options {
		option(kind)
	}
	return e.givenProduct(ctx, kind, func() Fields { return e.ProductBody(options...) })
}

// GivenNamed makes a product of which nothing is given but its name.
func (e *Env) GivenNamed(ctx context.Context) Product {
	return e.givenProduct(ctx, "named", func() Fields { return Fields{"name": e.Word()} })
}

func (e *Env) givenProduct(ctx context.Context, kind any, body func() Fields) Product {
	made := e.given(ctx, e.Products, "products.create", kind, body)
	e.run.Expect("product.field.id", made.Answer, HaveJSON("id", BePositive()))
	return productOf(made)
}

func productOf(made madeRecord) Product {
	name, _ := made.Body["name"].(string)
	sku, _ := made.Body["sku"].(string)
	return Product{ID: made.ID(), Name: name, SKU: sku, Answer: made.Answer}
}

// GivenProducts makes n products that differ in name and SKU only, oldest first.
func (e *Env) GivenProducts(ctx context.Context, n int, options ...ProductOption) []Product {
	var products []Product
	for _, made := range e.givenSome(ctx, e.Products, "products.create", func() []Fields {
		bodies := make([]Fields, n)
		for i := range bodies {
			bodies[i] = e.ProductBody(options...)
		}
		return bodies
	}) {
		products = append(products, productOf(made))
	}
	return products
}

// AnyProduct is a product to buy, and shared: made where the management API is at hand, else found in the store.
func (e *Env) AnyProduct(ctx context.Context) Product {
	if e.makesProducts() {
		return e.SharedProduct(ctx)
	}
	return e.findProducts(ctx, 1)[0]
}

// TwoProducts are different products to buy, from where AnyProduct has them.
func (e *Env) TwoProducts(ctx context.Context) (Product, Product) {
	if e.makesProducts() {
		return e.SharedProducts(ctx)
	}
	found := e.findProducts(ctx, 2)
	return found[0], found[1]
}

func (e *Env) makesProducts() bool {
	p := e.Profile()
	return e.run.Offers(contract.FeatureManagement) && p.Credentials.ReadWrite.Given() && p.MayWrite()
}

// findProducts finds n products in the store that anybody may buy, and that no run has made: these may go at any time.
func (e *Env) findProducts(ctx context.Context, n int) []Product {
	list := e.StoreGet(ctx, "/products", Query{"per_page": "100"})
	ofRuns := mark("")
	var found []Product
	for _, record := range list.JSON().Array() {
		sold := record.Get("type").String() == "simple" && record.Get("is_purchasable").String() != "false" &&
			record.Get("is_in_stock").String() != "false"
		if sold && marked(record, []string{"sku", "name"}, ofRuns) == "" {
			found = append(found, Product{ID: record.Get("id").Int(), Name: record.Get("name").String(), SKU: record.Get("sku").String(),
				Answer: list})
		}
		if len(found) == n {
			return found
		}
	}
	e.run.CouldNotRun("the store shows fewer than %s that are simple and in stock, and the profile has no credentials.read_write to make "+
		"any", reports.Plural(n, "product", "products"))
	return nil
}

// Term is a category, tag or attribute that a spec was given.
type Term struct {
	ID   int64
	Name string
}

// GivenTerm makes a record with a name in a collection of terms below products: categories, tags, attributes. The
// contract does not show these collections: where one can't be made, an existing one is taken, and without any the
// spec could not run.
func (e *Env) GivenTerm(ctx context.Context, collection string) Term {
	terms := e.Collection("products/" + collection)
	made := terms.Create(ctx, Fields{"name": e.Unique("sc")})
	if made.OK() && made.ID() > 0 {
		return Term{ID: made.ID(), Name: made.Get("name").String()}
	}
	found := terms.List(ctx, Query{"per_page": "1"}).Get("0")
	if id := found.Get("id").Int(); id > 0 {
		return Term{ID: id, Name: found.Get("name").String()}
	}
	e.run.CouldNotRun("the target has no record under products/%s and lets none be made", collection)
	return Term{}
}

// Variable is a variable product with its variations, each priced on its own.
type Variable struct {
	Product
	Attribute  Term // the global attribute; id 0 where the product has one of its own
	Options    []string
	Variations []int64  // in the order of Options
	Prices     []string // theirs
}

// GivenVariable makes a variable product with one global attribute of two options and a variation for each.
func (e *Env) GivenVariable(ctx context.Context) Variable {
	attribute := e.GivenTerm(ctx, "attributes")
	return e.variable(ctx, attribute, Fields{"id": attribute.ID})
}

// GivenVariableOwn makes a variable product with an attribute of its own, of the given name.
func (e *Env) GivenVariableOwn(ctx context.Context, name string) Variable {
	return e.variable(ctx, Term{Name: name}, Fields{"name": name})
}

// GivenUnvaried makes a variable product that has no variation yet, with an attribute of its own.
func (e *Env) GivenUnvaried(ctx context.Context) Product {
	return e.variableParent(ctx, Term{Name: "Finish"}, Fields{"name": "Finish"}).Product
}

// GivenVariableOpen makes a variable product with an attribute of its own and one variation, which leaves it to the buyer
// to choose an option.
func (e *Env) GivenVariableOpen(ctx context.Context, name string) Variable {
	v := e.variableParent(ctx, Term{Name: name}, Fields{"name": name})
	e.vary(ctx, &v, "11.00", []Fields{})
	return v
}

// GivenVariableTwice makes a variable product with two attributes of its own, Finish and Colour, and a variation for each pair of their
// options but one: none is large and red.
func (e *Env) GivenVariableTwice(ctx context.Context) Variable {
	colours := []string{"Red", "Blue"}
	v := e.variableParent(ctx, Term{Name: "Finish"}, Fields{"name": "Finish"},
		Fields{"name": "Colour", "variation": true, "visible": true, "options": colours})
	for i, pair := range [][]string{{"Small", "Red"}, {"Small", "Blue"}, {"Large", "Blue"}} {
		e.vary(ctx, &v, []string{"11.00", "22.00", "33.00"}[i],
			[]Fields{{"name": "Finish", "option": pair[0]}, {"name": "Colour", "option": pair[1]}})
	}
	return v
}

func (e *Env) variable(ctx context.Context, attribute Term, reference Fields) Variable {
	v := e.variableParent(ctx, attribute, reference)
	for i, option := range v.Options {
		choice := Fields{"option": option}
		With(reference)(choice)
		e.vary(ctx, &v, []string{"11.00", "22.00"}[i], []Fields{choice})
	}
	return v
}

func (e *Env) variableParent(ctx context.Context, attribute Term, reference Fields, more ...Fields) Variable {
	v := Variable{Attribute: attribute, Options: []string{"Small", "Large"}}
	on := Fields{"variation": true, "visible": true, "options": v.Options}
	With(reference)(on)
	kind := Fields{"type": "variable", "attributes": append([]Fields{on}, more...)}
	v.Product = e.givenProduct(ctx, kind, func() Fields {
		body := e.ProductBody(With(kind))
		delete(body, "regular_price")
		return body
	})
	return v
}

func (e *Env) vary(ctx context.Context, v *Variable, price string, attributes []Fields) {
	made := e.Products.Sub(v.ID, "variations").Create(ctx, Fields{"regular_price": price, "attributes": attributes})
	e.run.Expect("variations.create", made, BeSuccess())
	v.Variations, v.Prices = append(v.Variations, made.ID()), append(v.Prices, price)
}
