package spec

// Proof: what a run changes or deletes is its own. A target may answer a create with any id, that of somebody else's record too. So
// every request that changes a record passes here, and is not sent before the record was read and carries the run's mark.

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/onsi/ginkgo/v2"
	"github.com/tidwall/gjson"

	"shopcheck/reports"
	"shopcheck/suites/client"
	"shopcheck/suites/contract"
	"shopcheck/suites/expect"
)

// guard ends the spec unless all records that the request changes are the run's.
func (r *Run) guard(ctx context.Context, req client.Request) {
	if !req.Writes() {
		return
	}
	paths := changed(req)
	r.lookAtAll(ctx, req.Auth, paths)
	for _, path := range paths {
		r.keepShared(req, path)
		r.prove(ctx, req, path)
	}
	for _, path := range r.Made.claimed(referred(req)) {
		r.prove(ctx, req, path)
	}
}

// changed lists the records of the management API that a request changes or deletes, or makes something below.
func changed(req client.Request) []string {
	path := resourcePath(req)
	below, managed := strings.CutPrefix(path, client.Management+"/")
	if !managed {
		return nil
	}
	var out []string
	at := client.Management
	for segment := range strings.SplitSeq(below, "/") {
		at += "/" + segment
		if isNumber(segment) {
			out = append(out, at)
		}
	}
	if collection, inBatch := strings.CutSuffix(path, "/batch"); inBatch {
		body := req.JSON()
		for _, id := range slices.Concat(body.Get("update.#.id").Array(), body.Get("delete").Array()) {
			out = append(out, recordPath(collection, id.Int()))
		}
	}
	if heir := req.Query.Get("reassign"); isNumber(heir) {
		out = append(out, client.Management+"/customers/"+heir)
	}
	return out
}

// reference is a record that another one names.
type reference struct {
	collection string
	id         int64
}

// referred lists the records that those which a request makes or changes take from or add to.
func referred(req client.Request) []reference {
	path, body := resourcePath(req), req.JSON()
	var out []reference
	for _, record := range slices.Concat([]gjson.Result{body}, body.Get("create").Array(), body.Get("update").Array()) {
		switch {
		case strings.HasPrefix(path, client.Management+"/orders"):
			out = append(out, referredByOrder(record, collectionPath().MatchString(path))...)
		case strings.HasPrefix(path, client.Management+"/products"):
			out = append(out, referredByProduct(record)...)
		}
	}
	return out
}

// referredByOrder lists an order's customer and the products whose stock it takes. Those of a new order that is pending are left to be
// looked at in its answer, like those of a cart: it takes nothing yet.
func referredByOrder(order gjson.Result, isNew bool) (out []reference) {
	if customer := order.Get("customer_id").Int(); customer > 0 {
		out = append(out, reference{"customers", customer})
	}
	status := order.Get("status").String()
	if isNew && (status == "" || status == "pending") && !order.Get("set_paid").Bool() {
		return out
	}
	for _, field := range []string{"line_items.#.product_id", "line_items.#.variation_id"} {
		out = append(out, references("products", order.Get(field))...)
	}
	return out
}

// referredByProduct lists what a product is filed under. A shop may give an attribute the options that the product names.
func referredByProduct(product gjson.Result) (out []reference) {
	for _, terms := range []string{"attributes", "categories", "tags"} {
		out = append(out, references("products/"+terms, product.Get(terms+".#.id"))...)
	}
	return out
}

func references(collection string, ids gjson.Result) (out []reference) {
	for _, id := range ids.Array() {
		out = append(out, reference{collection, id.Int()})
	}
	return out
}

func isNumber(text string) bool {
	_, err := strconv.ParseInt(text, 10, 64)
	return err == nil
}

// prove ends the spec unless a record is the run's. It asks the target where no answer has shown it yet. A spec may also try what is
// not there: an id that no shop has come to, or what the run has deleted.
func (r *Run) prove(ctx context.Context, req client.Request, path string) {
	s := r.Made.standing(path)
	switch {
	case strings.HasSuffix(path, "/0"), strings.Contains(path+"/", fmt.Sprintf("/%d/", UnknownID)), s.deleted:
		return
	case s.twice:
		r.refuse(req, path, "two creates were answered with this id")
	case s.proven:
		return
	}
	a := r.read(ctx, req.Auth, path)
	switch {
	case r.Context.Err() != nil:
		r.CouldNotRun("%s", r.WhyEnded())
	case !a.OK():
		r.Made.NoteForeign()
		r.CouldNotRun("%s %s was not sent, for nothing shows that this run has made %s: %s", req.Method, req.Path, path, a)
	case !r.shows(a, path):
		r.refuse(req, path, "it carries no mark of this run")
	}
	r.Made.NoteProven(path)
}

// lookAtAll lists the records of a batch that are not proven yet, so that not each of them is read: what the list shows with the run's
// mark is proven.
func (r *Run) lookAtAll(ctx context.Context, auth client.Auth, paths []string) {
	var collection string
	var ids []int64
	for _, path := range paths {
		if s := r.Made.standing(path); s.claimed && !s.proven && !s.deleted {
			var id int64
			collection, id = splitPath(path)
			ids = append(ids, id)
		}
	}
	if _, known := placeOf(collection); !known || len(ids) < 2 || len(ids) > sweptPage {
		return
	}
	req := client.Request{Method: http.MethodGet, Path: collection, Auth: r.proofKey(auth),
		Query: Query{"include": joined(ids), "per_page": strconv.Itoa(sweptPage)}.values()}
	ctx, cancel := r.lifeOf(ctx, req)
	defer cancel()
	r.Made.Witness(req, r.Client.Do(ctx, req))
}

// proofKey is what records are read with that must be proven: the key that may, else that of the spec.
func (r *Run) proofKey(auth client.Auth) client.Auth {
	if key := r.Profile.Credentials.ReadWrite; key.Given() {
		return client.Auth{Credentials: key, Way: client.AnyWay}
	}
	return auth
}

// read asks for what proves a record: the record itself, or the list of the record that it belongs to.
func (r *Run) read(ctx context.Context, auth client.Auth, path string) *client.Answer {
	req := client.Request{Method: http.MethodGet, Path: path, Auth: r.proofKey(auth)}
	if _, belongs := parentOf(path); belongs {
		req.Path, _ = splitPath(path)
		req.Query = Query{"per_page": strconv.Itoa(sweptPage)}.values()
	}
	ctx, cancel := r.lifeOf(ctx, req)
	defer cancel()
	return r.Client.Do(ctx, req)
}

// shows reports whether an answer to read proves the record: it carries the run's mark, or it belongs to a record that is proven.
func (r *Run) shows(a *client.Answer, path string) bool {
	collection, id := splitPath(path)
	if parent, belongs := parentOf(path); belongs {
		return r.Made.standing(parent).proven && slices.Contains(IDs(a), id)
	}
	p, known := placeOf(collection)
	return known && a.ID() == id && p.markOf(a.JSON(), r.Made.mark) != ""
}

// refuse ends the spec: a record is not the run's, so the request about it is not sent.
func (r *Run) refuse(req client.Request, path, why string) {
	r.Made.NoteForeign()
	f := r.notOurs(path, why)
	f.Message += fmt.Sprintf("; %s %s was not sent", req.Method, req.Path)
	if r.file([]reports.Finding{f}, r.requirement(), false) != reports.Must { // the deviation is of what the spec does not bind
		r.CouldNotRun("%s: %s", f.Message, f.Got)
	}
	ginkgo.Fail("a record of somebody else's")
}

// notOurs is the finding about an id that a create should not have been answered with.
func (r *Run) notOurs(path, why string) reports.Finding {
	return reports.Finding{Requirement: idRequirement(path),
		Message: "the target answers with the id of a record that this run has not made",
		Want:    "the id of a new record, which carries the run's mark (" + r.Nonce + " in a name, SKU, e-mail address, code or note)",
		Got:     path + ": " + why, Exchange: expect.NoExchange}
}

// requirement is what the running spec is about.
func (r *Run) requirement() (id string) {
	r.update(func(record *Record) { id = record.defaultRequirement() })
	return id
}

// idRequirement is the requirement on the ids of a kind of records, "" where the contract has none.
func idRequirement(path string) string {
	kinds := map[string]string{"/products": "product.field.id", "/orders": "order.field.id", "/customers": "customer.field.id"}
	collection, _ := splitPath(path)
	id := kinds[strings.TrimPrefix(collection, client.Management)]
	if _, known := contract.All().Get(id); !known {
		return ""
	}
	return id
}

// watch files what an answer says was made, and inspects whose it is.
func (r *Run) watch(ctx context.Context, req client.Request, a *client.Answer) {
	for _, path := range r.Made.Watch(req, a) {
		r.file([]reports.Finding{r.notOurs(path, "two creates were answered with this id")}, r.requirement(), true)
	}
	r.Made.Witness(req, a)
	if a.OK() && (req.Writes() || strings.HasPrefix(req.Path, client.Store)) {
		for _, path := range r.Made.Suspects(a) {
			r.prove(ctx, req, path)
		}
	}
}
