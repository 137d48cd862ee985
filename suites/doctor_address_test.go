package suites

import (
	"testing"

	"github.com/tidwall/gjson"

	"shopcheck/suites/profile"
)

func TestWhichZonesHoldAnAddress(t *testing.T) {
	home := profile.Address{Country: "US", State: "CA", Postcode: "941 03"}
	for locations, want := range map[string]string{
		`[]`:                                                                   "in",
		`[{"code":"US","type":"country"}]`:                                     "in",
		`[{"code":"US:CA","type":"state"}]`:                                    "in",
		`[{"code":"US:NY","type":"state"}]`:                                    "out",
		`[{"code":"FR","type":"country"}]`:                                     "out",
		`[{"code":"941*","type":"postcode"}]`:                                  "in",
		`[{"code":"94103","type":"postcode"}]`:                                 "in",
		`[{"code":"900*","type":"postcode"}]`:                                  "out",
		`[{"code":"9...95","type":"postcode"}]`:                                "out",
		`[{"code":"94000...94199","type":"postcode"}]`:                         "in",
		`[{"code":"94000...x","type":"postcode"}]`:                             "out",
		`[{"code":"FR","type":"country"},{"code":"941*","type":"postcode"}]`:   "out",
		`[{"code":"FR","type":"country"},{"code":"US","type":"country"}]`:      "in",
		`[{"code":"NA","type":"continent"}]`:                                   "unknown",
		`[{"code":"NA","type":"continent"},{"code":"US","type":"country"}]`:    "in",
		`[{"code":"NA","type":"continent"},{"code":"900*","type":"postcode"}]`: "out",
	} {
		within, certain := covers(gjson.Parse(locations).Array(), home)
		got := map[bool]string{true: "in", false: "out"}[within]
		if !certain {
			got = "unknown"
		}
		if got != want {
			t.Errorf("%s: %s, want %s", locations, got, want)
		}
	}
}
