package shop

// Notes on orders: by the shop itself, by its staff, and to customers.

import (
	"slices"
	"strconv"
	"strings"
)

// NoteBySystem is the author of the notes that the shop writes itself.
const NoteBySystem = "system"

// NotesOf lists the notes of an order, the newest first.
func (v View) NotesOf(orderID int64) []*Note {
	notes := collect(Notes.Order.Rows(&v.Notes, strconv.FormatInt(orderID, 10)))
	slices.Reverse(notes)
	return notes
}

// FindNote finds a note of an order. Fault: NoSuchNote.
func (v View) FindNote(orderID, id int64) (*Note, error) {
	if note, known := v.Notes.Get(id); known && note.OrderID == orderID {
		return note, nil
	}
	return nil, Faultf(NoSuchNote, "Order %d has no note %d.", orderID, id)
}

// AddNote writes a note on an order. Faults: NoSuchOrder, InvalidParam (an empty text).
func (tx *Tx) AddNote(orderID int64, author, text string, toCustomer bool) (*Note, error) {
	if _, err := tx.FindOrder(orderID); err != nil {
		return nil, err
	}
	if strings.TrimSpace(text) == "" {
		return nil, &Fault{
			Kind:    InvalidParam,
			Message: "A note needs a text.",
			Params:  map[string]string{"note": "The text must not be empty."},
		}
	}
	note := &Note{
		ID: next(&tx.LastID.Note), OrderID: orderID, Author: author, Created: tx.Now, Text: text, ToCustomer: toCustomer,
		Memo: new(Memo),
	}
	return note, tx.Notes.Put(tx.rows, note)
}

// systemNote writes a note of the shop's own on an order that may not be kept yet.
func (tx *Tx) systemNote(orderID int64, text string) error {
	return tx.Notes.Put(tx.rows, &Note{
		ID: next(&tx.LastID.Note), OrderID: orderID, Author: NoteBySystem, Created: tx.Now, Text: text, Memo: new(Memo),
	})
}

// DeleteNote removes a note of an order and returns it as it was. Fault: NoSuchNote.
func (tx *Tx) DeleteNote(orderID, id int64) (*Note, error) {
	note, err := tx.FindNote(orderID, id)
	if err != nil {
		return nil, err
	}
	tx.Notes.Delete(tx.rows, id)
	return note, nil
}
