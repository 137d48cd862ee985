package shopmock_test

import (
	"testing"

	"shopcheck/mockserver/internal/shopmock"
)

// A shop is made with what it begins with: what only some requests need is made when the first of them comes.
func TestANewShopMakesFewObjects(t *testing.T) {
	const most = 75
	made := testing.AllocsPerRun(20, func() {
		shop, err := shopmock.New(shopmock.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if err := shop.Close(); err != nil {
			t.Fatal(err)
		}
	})
	if made > most {
		t.Errorf("a new shop makes %.0f objects, want at most %d", made, most)
	}
}
