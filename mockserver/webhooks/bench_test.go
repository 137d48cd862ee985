package webhooks_test

import (
	"fmt"
	"net/http"
	"testing"
	"time"

	"shopcheck/mockserver/webhooks"
)

// BenchmarkCallsBesideReceivers times calls of the management API that fire an event, and calls that fire none, for which no
// receiver matters, without webhooks and with ten whose receivers hang. The two should differ by no more than 5 %.
func BenchmarkCallsBesideReceivers(b *testing.B) {
	for _, receivers := range []int{0, 10} {
		s := start(b, webhooks.Settings{Timeout: time.Minute})
		hanging := make(chan struct{})
		for range receivers {
			s.hook("product.updated", receive(b, func(http.ResponseWriter, *http.Request) { <-hanging }).url)
		}
		id := s.product("Pot")
		for name, call := range map[string]func(int){
			"read":  func(int) { s.call("GET", fmt.Sprintf("/products/%d", id), "") },
			"write": func(i int) { s.rename(id, fmt.Sprint("Pot ", i)) },
		} {
			b.Run(fmt.Sprintf("%s/hanging=%d", name, receivers), func(b *testing.B) {
				for i := range b.N {
					call(i)
				}
			})
		}
		b.Cleanup(func() { close(hanging) })
	}
}
