package seed

// The demo shop as it is compiled in. All of its dates follow from the day that it begins on, so that one day's shop is another one's,
// moved: nobody has to read the seed's files, and to sell what its customers have bought, at each start. demo_gen.go has its rows.

import (
	"strconv"
	"time"

	"shopcheck/mockserver/internal/shop"
)

// preparedDemo returns what Build makes of the demo seed.
func preparedDemo(day time.Time) (demo shop.State, notes []string, err error) {
	demo, err = shop.Build(shop.NewState(nil), day, chance, func(tx *shop.Tx) error { return fillDemo(tx, day) })
	return demo, nil, err
}

// quotedSecond is a moment as meta data has it: a text in JSON.
func quotedSecond(moment time.Time) string {
	return strconv.Quote(strconv.FormatInt(moment.Unix(), 10))
}
