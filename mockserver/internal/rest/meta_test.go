package rest

import (
	"math/rand/v2"
	"slices"
	"strconv"
	"testing"
	"time"

	"shopcheck/mockserver/internal/shop"
)

// Entries are found, changed, renamed and removed as a walk over the list would do it, one entry after the other.
func TestMetaDataIsMergedEntryByEntry(t *testing.T) {
	things := shop.New(shop.NewState(&shop.Config{}), shop.Options{Clock: time.Now})
	chance := rand.New(rand.NewPCG(1, 2))
	_, err := things.Write(func(tx *shop.Tx) error {
		d := &Decoding{Tx: tx}
		var list, walked []shop.Meta
		for range 400 {
			sent := make([]Args, chance.IntN(12))
			for i := range sent {
				sent[i] = anyEntry(chance, walked)
			}
			before := tx.LastID.Meta
			walked = walkedMeta(d, walked, sent)
			tx.LastID.Meta = before
			if list = mergeMeta(d, list, sent); !slices.Equal(list, walked) {
				t.Fatalf("%v makes %v, want %v", sent, list, walked)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

func anyEntry(chance *rand.Rand, now []shop.Meta) Args {
	entry := Args{{"value", "v" + strconv.Itoa(chance.IntN(100))}}
	if chance.IntN(3) == 0 {
		entry.Set("value", nil)
	}
	if chance.IntN(4) > 0 {
		entry.Set("key", "k"+strconv.Itoa(chance.IntN(5)))
	}
	if len(now) > 0 && chance.IntN(2) == 0 {
		entry.Set("id", now[chance.IntN(len(now))].ID)
	}
	return entry
}

func walkedMeta(d *Decoding, old []shop.Meta, sent []Args) []shop.Meta {
	merged := slices.Clone(old)
	for _, entry := range sent {
		id, key := entry.Int("id"), entry.String("key")
		at := slices.IndexFunc(merged, func(m shop.Meta) bool { return m.ID == id || id == 0 && m.Key == key })
		switch {
		case entry.Value("value") == nil:
			if at >= 0 {
				merged = slices.Delete(merged, at, at+1)
			}
		case at >= 0:
			merged[at].Value = MetaText(entry.Value("value"))
			if key != "" {
				merged[at].Key = key
			}
		case key != "":
			merged = append(merged, shop.Meta{ID: d.NextMeta(), Key: key, Value: MetaText(entry.Value("value"))})
		}
	}
	return merged
}
