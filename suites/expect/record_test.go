package expect

import (
	"testing"

	"shopcheck/suites/contract"
)

func TestHaveRecord(t *testing.T) {
	a := answered(200, `{"error":{"code":"c","message":1,"data":{"status":404}}}`)
	matcher := HaveRecord("error", contract.ErrorEnvelope())
	if matched, _ := matcher.Match(a); matched {
		t.Fatal("a number is taken for a message")
	}
	if f := Decode(matcher.FailureMessage(a))[0]; f.Path != "error.message" || f.Exchange != a.Exchange {
		t.Errorf("%+v", f)
	}
	if matched, _ := HaveRecord("nothing", contract.ErrorEnvelope()).Match(a); matched {
		t.Error("nothing is taken for a record")
	}
}

func TestHaveTextLooksIntoEveryField(t *testing.T) {
	a := answered(200, `[{"note":"a\u0062c","deep":{"list":["xyz"]},"n":42}]`)
	for words, want := range map[string]bool{"abc": true, "yz": true, "42": false, "deep": false, "none": false} {
		got, err := HaveText(words).Match(a)
		if err != nil || got != want {
			t.Errorf("%q: %v %v, want %v", words, got, err, want)
		}
	}
}
