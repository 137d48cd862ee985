package orders

// Notes on an order. What a note's record holds is not documented: a note is recognised by its words.

import (
	"slices"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	"github.com/tidwall/gjson"

	"shopcheck/suites/client"
	. "shopcheck/suites/spec"
)

func (t topic) notes() {
	for who, toCustomer := range map[string]bool{"for the customer": true, "for the staff": false} {
		It("are created "+who, Req("orders.notes.create", "orders.notes.list"), func(ctx SpecContext) {
			order, word := t.GivenOrder(ctx), "Žofie 北京 "+t.Word()
			Expect(t.notesOf(ctx, order.ID)).NotTo(HaveText(word))

			answer := t.Orders.Sub(order.ID, "notes").Create(ctx, Fields{"note": word, "customer_note": toCustomer})

			Expect(answer).To(HaveStatus(201))
			Expect(t.notesOf(ctx, order.ID)).To(HaveText(word))
		})
	}

	It("are listed", Req("orders.notes.list"), func(ctx SpecContext) {
		order := t.noted(ctx)

		answer := t.Orders.Sub(order.id, "notes").Once().List(ctx, nil)

		Expect(answer).To(HaveStatus(200))
		Expect(answer.JSON().IsArray()).To(BeTrue(), "whether the list of notes is an array")
		all := t.notesOf(ctx, order.id)
		for _, word := range order.words {
			Expect(all).To(HaveText(word))
		}
	})

	It("belong to one order", Req("orders.notes.of-order"), func(ctx SpecContext) {
		order, other := t.GivenOrder(ctx), t.GivenOrder(ctx)
		word := t.GivenNote(ctx, order.ID)

		Expect(t.notesOf(ctx, other.ID)).NotTo(HaveText(word))
	})

	It("are listed with paging headers", Req("orders.notes.paging"), func(ctx SpecContext) {
		answer := t.Orders.Sub(t.noted(ctx).id, "notes").Once().List(ctx, nil)

		for _, header := range []string{"X-Shop-Total", "X-Shop-TotalPages"} {
			Expect(answer).To(HaveHeader(header, MatchRegexp(`^[1-9][0-9]*$`)))
		}
	})

	It("are paged", Req("orders.notes.pages"), func(ctx SpecContext) {
		notes := t.Orders.Sub(t.noted(ctx).id, "notes").Once()

		Expect(notes.List(ctx, nil)).To(HaveJSON("#", 10))
		first, second := notes.List(ctx, Query{"per_page": "3"}), notes.List(ctx, Query{"per_page": "8", "page": "2"})
		Expect(first).To(HaveJSON("#", 3))
		Expect(second).To(HaveJSON("#", BePositive())) // a shop may write notes itself
		Expect(first.JSON().Raw).NotTo(Equal(second.JSON().Raw), "the first notes, compared with the last")
	})

	It("have a record of some form", Req("orders.notes.record"), func(ctx SpecContext) {
		answer := t.Orders.Sub(t.GivenOrder(ctx).ID, "notes").Create(ctx, Fields{"note": t.Word(), "customer_note": true})

		t.Observe("order-note.fields", membersOf(answer))
	})

	It("have addresses of their own or not", Req("orders.notes.item"), func(ctx SpecContext) {
		notes := t.Orders.Sub(t.GivenOrder(ctx).ID, "notes")
		id := notes.Create(ctx, Fields{"note": t.Word()}).ID()
		if id == 0 {
			t.Observe("order-note.id", "none")
			return
		}

		t.Observe("order-note.retrieve.status", notes.Get(ctx, id).Status)
		t.Observe("order-note.delete.status", notes.ForceDelete(ctx, id).Status)
	})

	It("of an order that does not exist are refused somehow", Req("orders.notes.missing-order"), func(ctx SpecContext) {
		answer := t.Orders.Sub(UnknownID, "notes").List(ctx, nil)

		t.Observe("order-notes.missing-order.status", answer.Status)
		t.Observe("order-notes.missing-order.code", answer.Code())
	})
}

// noted is an order with more notes than are on a page. Specs only look at it.
type noted struct {
	id    int64
	words []string // one of each note
}

// Moved implements Movable.
func (n noted) Moved(int) noted { return n }

func (t topic) noted(ctx SpecContext) noted {
	return Share(t.Env, "order with notes", func() noted {
		order := noted{id: t.GivenOrder(ctx).ID}
		for range 11 {
			order.words = append(order.words, t.GivenNote(ctx, order.id))
		}
		return order
	})
}

// notesOf lists the notes of an order, all of them.
func (t topic) notesOf(ctx SpecContext, order int64) *client.Answer {
	return t.Orders.Sub(order, "notes").List(ctx, Query{"per_page": "100"})
}

// membersOf names the members of an answered record, sorted; those that are links are left out.
func membersOf(record *client.Answer) string {
	var names []string
	record.JSON().ForEach(func(name, _ gjson.Result) bool {
		if !strings.HasPrefix(name.Str, "_") {
			names = append(names, name.Str)
		}
		return true
	})
	slices.Sort(names)
	return strings.Join(names, " ")
}
