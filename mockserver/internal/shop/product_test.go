package shop

import (
	"reflect"
	"testing"
	"time"
)

// TestProductsAreShort weighs a row: a large shop is mostly products, and rows of up to 632 bytes take 640.
func TestProductsAreShort(t *testing.T) {
	t.Parallel()
	const room = 640 - 8 // with what the runtime puts before an object of more than 512 bytes
	if size := reflect.TypeFor[Product]().Size(); size > room {
		t.Errorf("a product has %d bytes, more than %d", size, room)
	}
}

// TestExtrasAreNotShared changes what two rows have in common.
func TestExtrasAreNotShared(t *testing.T) {
	t.Parallel()
	first := &Product{}
	first.SetExtras(Extras{PurchaseNote: "Thanks", UpsellIDs: []int64{1}})
	second := *first
	second.ChangeExtras(func(e *Extras) { e.PurchaseNote = "Bye" })
	if first.Extra().PurchaseNote != "Thanks" || second.Extra().PurchaseNote != "Bye" || len(second.Extra().UpsellIDs) != 1 {
		t.Errorf("the rows have %+v and %+v", first.Extra(), second.Extra())
	}
	second.SetExtras(Extras{})
	if second.Extras != nil || second.Extra().PurchaseNote != "" {
		t.Errorf("extras that are all empty are kept: %+v", second.Extras)
	}
	(&Product{}).ChangeExtras(func(e *Extras) { e.Password = "secret" })
	if noExtras.Password != "" {
		t.Error("who has none shares what another one was given")
	}
}

// TestOnlyDatedProductsKnowWhenTheyWerePriced prices products with and without dates of a sale.
func TestOnlyDatedProductsKnowWhenTheyWerePriced(t *testing.T) {
	t.Parallel()
	now := time.Now()
	dated, plain := &Product{Extras: &Extras{SaleTo: &now}}, &Product{}
	dated.notePricing(now)
	plain.notePricing(now)
	if !dated.Extra().SalePricedAt.Equal(now) || plain.Extras != nil {
		t.Errorf("priced at %v, and %+v", dated.Extra().SalePricedAt, plain.Extras)
	}
}
