package reports

import (
	"bytes"
	"testing"
)

func pageOf(t *testing.T, r *Report) []byte {
	t.Helper()
	var out bytes.Buffer
	if err := WriteHTML(&out, r); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}
