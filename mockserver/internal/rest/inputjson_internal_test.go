package rest

import (
	"fmt"
	"strings"
	"testing"
)

// TestAReaderKnowsFewNames reads bodies of many names, and long ones, with one reader: each is read as it was sent, and what the reader
// remembers for the next body is bounded.
func TestAReaderKnowsFewNames(t *testing.T) {
	reader := new(jsonReader)
	for round := range 5 {
		want := []string{"name", strings.Repeat("long", 1<<16), "n\u00e4me", "\u00fcber\u00fcber\u00fcber\u00fcber\u00fcber\u00fcber"}
		for n := range maxNames - 8 {
			want = append(want, fmt.Sprintf("name_%d", n*round))
		}
		var body strings.Builder
		for n, name := range want {
			fmt.Fprintf(&body, `%c"%s":%d`, "{,"[min(n, 1)], name, n)
		}
		read, err := reader.read([]byte(body.String() + "}"))
		if err != nil {
			t.Fatal(err)
		}
		for n, name := range want {
			last := n
			for later := range want[n:] { // of two members of one name the last counts
				if want[n+later] == name {
					last = n + later
				}
			}
			if got, sent := read.(Args).Get(name); !sent || got != float64(last) {
				t.Errorf("round %d: %.20s is %v, want %d", round, name, got, last)
			}
		}
		reader.giveBack()
		if len(reader.names) >= maxNames {
			t.Errorf("round %d: a reader that knows %d names learns no more", round, len(reader.names))
		}
		for _, name := range reader.names {
			if len(name) >= longName {
				t.Errorf("round %d: %d bytes of one name are kept", round, len(name))
			}
		}
	}
}
