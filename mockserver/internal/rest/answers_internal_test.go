package rest

import (
	"bytes"
	"net/http"
	"net/http/httptest"
	"testing"

	"shopcheck/mockserver/internal/shop"
)

// TestAListIsKeptAsItIsWritten answers lists for the first time: what is written is what is kept, unless it is long or will be another
// one next time.
func TestAListIsKeptAsItIsWritten(t *testing.T) {
	t.Parallel()
	state := shop.NewState(&shop.Config{})
	for name, c := range map[string]struct {
		bytes          int
		fleeting, kept bool
	}{
		"short":    {10, false, true},
		"long":     {maxKeptList + 1, false, false},
		"fleeting": {10, true, false},
	} {
		made := bytes.Repeat([]byte{'1'}, c.bytes)
		r := &Request{Call: &Call{}, HTTP: httptest.NewRequest(http.MethodGet, "/list", nil), Header: http.Header{}, fleeting: c.fleeting}
		r.Answers, r.View = NewAnswers(), shop.View{State: &state}
		answer := r.keeping(Answer{Body: Raw(made)})
		constant, isConstant := answer.Body.(*Constant)
		kept, known := r.keptAnswer()
		if known != c.kept || isConstant != c.kept || known && kept.Body != constant {
			t.Errorf("%s: written as %T, kept: %v, as %T", name, answer.Body, known, kept.Body)
		}
		if !bytes.Equal(AppendAny(nil, answer.Body), made) {
			t.Errorf("%s: other bytes are written", name)
		}
	}
}
