package persist_test

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"shopcheck/mockserver/internal/decimal"
	"shopcheck/mockserver/internal/persist"
	"shopcheck/mockserver/internal/shop"
)

type pair struct{ key, value []byte }

// pairs is a storage that is written once.
type pairs []pair

func (p *pairs) Load(each func(key, value []byte) error) error {
	slices.SortFunc(*p, func(a, b pair) int { return bytes.Compare(a.key, b.key) })
	for _, one := range *p {
		if err := each(one.key, one.value); err != nil {
			return err
		}
	}
	return nil
}

func (p *pairs) Save(_ bool, put func(func(key, value []byte) error) error) error {
	return put(func(key, value []byte) error { *p = append(*p, pair{key, value}); return nil })
}

// products makes a storage with a number of products.
func products(tb testing.TB, n int) *pairs {
	tb.Helper()
	empty := shop.NewState(&shop.Config{Currency: "USD", Decimals: 2})
	state, err := shop.Build(empty, time.Unix(1e9, 0), 1, func(tx *shop.Tx) error {
		for i := range n {
			p := tx.NewProduct()
			p.Name, p.SKU, p.RegularPrice = fmt.Sprint("Product ", i), fmt.Sprint("S-", i), "12.50"
			p.Description = strings.Repeat("text ", 40)
			if err := p.Create(tx); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		tb.Fatal(err)
	}
	kept := &pairs{}
	journal, _, err := persist.Open(kept, nil, nil)
	if err == nil {
		err = journal.Replace(&state, 7)
	}
	if err != nil {
		tb.Fatal(err)
	}
	return kept
}

// sealed puts the checksum behind a value, as persist does.
func sealed(text string) []byte {
	return binary.BigEndian.AppendUint32([]byte(text), crc32.Checksum([]byte(text), crc32.MakeTable(crc32.Castagnoli)))
}

func TestWhatCannotBeReadIsRefused(t *testing.T) {
	if testing.Short() {
		t.Skip("many damaged rows, one after the other")
	}
	t.Parallel()
	for want, change := range map[string]func(p *pairs){
		"format 4, and this program knows formats 1 to 3": func(p *pairs) { (*p)[0].value = sealed(`{"Format":4,"Novelty":true}`) },
		"its head is missing":                             func(p *pairs) { *p = (*p)[1:] },
		"its checksum is wrong":                           func(p *pairs) { (*p)[3].value[5] ^= 1 },
		"4999 rows of products, and there were 5000":      func(p *pairs) { *p = slices.Delete(*p, 4, 5) },
		"is none of a row":                                func(p *pairs) { *p = append(*p, pair{[]byte("x"), nil}) },
		"there is no table": func(p *pairs) {
			*p = append(*p, pair{append([]byte("zoo\x00"), make([]byte, 8)...), nil})
		},
		"says that it is row":      func(p *pairs) { (*p)[5].value = (*p)[6].value },
		"belongs to row":           func(p *pairs) { (*p)[6].value = sealed(`{"ID":6,"SKU":"S-0","Slug":"other"}`) },
		"row 9 of products cannot": func(p *pairs) { (*p)[9].value = sealed(`{"ID":"nine"}`) },
	} {
		kept := products(t, 5000)
		if err := kept.Load(func(_, _ []byte) error { return nil }); err != nil {
			t.Fatal(err)
		}
		change(kept)
		if _, found, err := persist.Open(kept, nil, nil); err == nil || found != nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", want, err)
		}
	}
}

// passing names the fields that need not be written.
var passing = map[string]bool{
	"shop.Cart.visited":  true, // it is empty in the cart that is put
	"shop.Coupon.behind": true, // it tells of memory: without it the next use copies those before
}

// A field that is not exported would be lost.
func TestRowsAreWrittenWhole(t *testing.T) {
	t.Parallel()
	state := shop.NewState(nil)
	for _, table := range state.Tables() {
		checkExported(t, reflect.TypeOf(table.NewRow()), map[reflect.Type]bool{})
	}
}

func checkExported(t *testing.T, of reflect.Type, seen map[reflect.Type]bool) {
	t.Helper()
	switch {
	case seen[of] || !strings.Contains(of.PkgPath(), "mockserver/") && of.Kind() == reflect.Struct || of == reflect.TypeFor[shop.Memo](),
		of == reflect.TypeFor[decimal.Decimal](): // which writes itself
	case of.Kind() == reflect.Pointer, of.Kind() == reflect.Slice, of.Kind() == reflect.Map:
		checkExported(t, of.Elem(), seen)
	case of.Kind() == reflect.Struct:
		seen[of] = true
		for i := range of.NumField() {
			field := of.Field(i)
			if !field.IsExported() && !passing[of.String()+"."+field.Name] {
				t.Errorf("%s.%s is not written", of, field.Name)
			}
			checkExported(t, field.Type, seen)
		}
	}
}
