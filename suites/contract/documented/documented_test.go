package documented

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"testing"
)

var update = flag.Bool("update", false, "write documented.json anew from the contract's text")

// theContract stands beside the module where the contract is at hand.
const theContract = "../../../../shared/contract/storefront-api.md"

func TestTheFixtureIsWhatTheContractSays(t *testing.T) {
	contract, err := os.ReadFile(theContract)
	if err != nil {
		t.Skipf("the contract's text is not beside the module, so that the fixture cannot be compared with it: %v", err)
	}
	d, problems := parse(string(contract))
	for _, problem := range problems {
		t.Errorf("the contract is written otherwise than the parser reads it: %s", problem)
	}
	want, err := encode(d)
	if err != nil {
		t.Fatal(err)
	}
	if *update {
		if err := os.WriteFile("documented.json", want, 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if !bytes.Equal(text, want) {
		t.Error("documented.json is not what the contract says; go test ./suites/contract/documented -update writes it anew")
	}
}

func encode(d *Document) ([]byte, error) {
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", " ")
	err := encoder.Encode(d)
	return out.Bytes(), err
}
