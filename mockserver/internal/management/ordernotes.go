package management

import (
	"slices"
	"strings"
	"time"

	"shopcheck/mockserver/internal/rest"
	"shopcheck/mockserver/internal/shop"
)

type note = shop.Note

// Notes on an order (contract, "Order note"): they are written and deleted, never changed, and have no trash.
var orderNotes = &rest.Resource[note]{
	Path: "/orders/{order_id:[0-9]+}/notes",
	Name: func(n *note) string { return rest.IDText(n.ID) },
	Record: rest.Lazily(func() *rest.Record[note] {
		return &rest.Record[note]{Fields: slices.Concat(
			[]rest.Field[note]{
				rest.Int("id", func(n *note) *int64 { return &n.ID }, rest.ReadOnly),
				rest.Text("author", func(n *note) *string { return &n.Author }, rest.ReadOnly),
			},
			rest.Moment("date_created", func(n *note) *time.Time { return &n.Created }, nil),
			[]rest.Field[note]{
				rest.Text("note", func(n *note) *string { return &n.Text }, rest.Required),
				rest.Flag("customer_note", func(n *note) *bool { return &n.ToCustomer }, rest.Default(false),
					rest.About("Whether the customer sees it.")),
				writeOnly[note](rest.Param{Name: "added_by_user", Type: rest.Boolean, Default: false,
					Description: "Whether the caller is the author, not the shop."}),
			},
		)}
	}),
	Filters: func() []rest.Param {
		return []rest.Param{{Name: "type", Type: rest.String, Enum: []string{"any", "customer", "internal"}, Default: "any"}}
	},
	Select: selectNotes,
	Find: rest.ByID(func(v shop.View, r *rest.Request, id int64) (*note, error) {
		if _, err := v.FindOrder(r.ID("order_id")); err != nil {
			return nil, err
		}
		return v.FindNote(r.ID("order_id"), id)
	}),
	New: func(tx *shop.Tx, r *rest.Request) (*note, error) {
		return &note{OrderID: r.ID("order_id"), Author: noteAuthor(tx.View, r)}, nil
	},
	Create: func(tx *shop.Tx, n *note, _ rest.Args) error {
		kept, err := tx.AddNote(n.OrderID, n.Author, n.Text, n.ToCustomer)
		if err == nil {
			*n = *kept
		}
		return err
	},
	Delete: func(tx *shop.Tx, n *note, _ rest.Args) error {
		_, err := tx.DeleteNote(n.OrderID, n.ID)
		return err
	},
	Links: func(n *note) []rest.Link {
		return []rest.Link{{Relation: "up", Path: "/orders/" + rest.IDText(n.OrderID)}}
	},
}

func selectNotes(v shop.View, r *rest.Request) ([]*note, int, error) {
	if _, err := v.FindOrder(r.ID("order_id")); err != nil {
		return nil, 0, err
	}
	notes := v.NotesOf(r.ID("order_id"))
	if kind := r.Args.String("type"); kind != "any" {
		notes = slices.DeleteFunc(notes, func(n *note) bool { return n.ToCustomer != (kind == "customer") })
	}
	return rest.Slice(rest.PageOf(r), notes), len(notes), nil
}

// noteAuthor is the caller's name if the note says so, else the shop's.
func noteAuthor(v shop.View, r *rest.Request) string {
	if r.Args.Bool("added_by_user") {
		if user, known := v.Customers.Get(r.UserID); known {
			return strings.TrimSpace(user.DisplayName)
		}
	}
	return shop.NoteBySystem
}
