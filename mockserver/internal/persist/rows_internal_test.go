package persist

import (
	"bytes"
	"testing"

	"shopcheck/mockserver/internal/shop"
)

// TestExtrasAreFieldsOfTheirProduct writes and reads rows as they were kept before extras had a place of their own.
func TestExtrasAreFieldsOfTheirProduct(t *testing.T) {
	t.Parallel()
	for text, note := range map[string]string{
		`{"ID":7,"Name":"Mug","PurchaseNote":"Thanks"}`: "Thanks",
		`{"ID":7,"Name":"Mug"}`:                         "",
	} {
		var read shop.Product
		if err := decode(sealed([]byte(text), 0), &read); err != nil {
			t.Fatal(err)
		}
		if read.Name != "Mug" || read.Extra().PurchaseNote != note || (read.Extras == nil) != (note == "") {
			t.Errorf("%s is read as %+v with %+v", text, read, read.Extras)
		}
		written, err := encode(&read)
		if err != nil || !bytes.HasPrefix(written, []byte(text)) {
			t.Errorf("%s is written as %s, error %v", text, written, err)
		}
	}
}
