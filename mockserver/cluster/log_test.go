package cluster_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"shopcheck/mockserver/cluster"
	"shopcheck/mockserver/internal/persist"
)

// connected are connections to one shop of an engine of its own.
func connected(t *testing.T, count int) []*cluster.Cluster {
	t.Helper()
	address := engine(t, t.TempDir(), -1).ClientURL() + "/pairs"
	var all []*cluster.Cluster
	for range count {
		c, err := cluster.Connect(address, nil)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { c.Close() })
		all = append(all, c)
	}
	return all
}

// putting puts pairs "k=v", and takes "k" away.
func putting(keyed ...string) func(put func(key, value []byte) error) error {
	return func(put func(key, value []byte) error) error {
		for _, pair := range keyed {
			key, value, kept := strings.Cut(pair, "=")
			var text []byte
			if kept {
				text = []byte(value)
			}
			if err := put([]byte(key), text); err != nil {
				return err
			}
		}
		return nil
	}
}

func loaded(t *testing.T, c *cluster.Cluster) string {
	t.Helper()
	var text strings.Builder
	if err := c.Load(func(key, value []byte) error { fmt.Fprintf(&text, "%s=%s ", key, value); return nil }); err != nil {
		t.Fatal(err)
	}
	return text.String()
}

func shown(saved persist.Saved) string {
	var text strings.Builder
	for _, pair := range saved.Pairs {
		text.Write(pair.Key)
		if pair.Value != nil {
			fmt.Fprintf(&text, "=%s", pair.Value)
		}
		text.WriteByte(' ')
	}
	return fmt.Sprint(saved.Anew, " ", text.String())
}

func TestSavesHaveOneOrder(t *testing.T) {
	t.Parallel()
	all := connected(t, 2)
	a, b := all[0], all[1]
	if err := a.Save(true, putting("b=1", "a=", "c=1")); err != nil {
		t.Fatal(err)
	}
	if err := b.Save(false, putting("a=2")); !errors.Is(err, persist.ErrOvertaken) {
		t.Fatalf("error %v", err)
	}
	if last, err := b.Last(); last != 1 || err != nil || b.Known() != 0 {
		t.Errorf("last %d (%v), known %d", last, err, b.Known())
	}
	if saved, err := b.Next(); err != nil || shown(saved) != "true b=1 a= c=1 " || b.Known() != 1 {
		t.Errorf("%s (%v), known %d", shown(saved), err, b.Known())
	}
	if err := b.Save(false, putting("a=2", "c")); err != nil {
		t.Fatal(err)
	}
	if saved, err := a.Next(); err != nil || shown(saved) != "false a=2 c " {
		t.Errorf("%s (%v)", shown(saved), err)
	}
	if got := loaded(t, a); got != "a=2 b=1 " {
		t.Errorf("loaded %q", got)
	}
	refusal := errors.New("no more")
	err := a.Save(false, func(func(key, value []byte) error) error { return refusal })
	if last, _ := a.Last(); !errors.Is(err, refusal) || last != 2 {
		t.Errorf("error %v, last %d", err, last)
	}
}

func TestLargeSavesAreObjects(t *testing.T) {
	t.Parallel()
	all := connected(t, 2)
	large := strings.Repeat("x", 3<<20)
	if err := all[0].Save(true, putting("a="+large)); err != nil {
		t.Fatal(err)
	}
	if saved, err := all[1].Next(); err != nil || shown(saved) != "true a="+large+" " {
		t.Errorf("%d pairs (%v)", len(saved.Pairs), err)
	}
	if got := loaded(t, all[1]); got != "a="+large+" " {
		t.Errorf("loaded %d bytes", len(got))
	}
}

// What is condensed is gone from the log. Who was behind gets all that is there at once.
func TestACondensedLogIsReadFromItsState(t *testing.T) {
	t.Parallel()
	all := connected(t, 3)
	a, behind := all[0], all[1]
	const count = 600
	want := ""
	for i := range count {
		if err := a.Save(i == 0, putting(fmt.Sprintf("k%d=%d", i%3, i))); err != nil {
			t.Fatal(err)
		}
	}
	for i := range 3 {
		want += fmt.Sprintf("k%d=%d ", i, count-3+i)
	}
	if err := a.Condense(count, putting("k0=597", "k1=598", "k2=599")); err != nil {
		t.Fatal(err)
	}
	if err := a.Save(false, putting("k3=after")); err != nil {
		t.Fatal(err)
	}
	want += "k3=after "
	if saved, err := behind.Next(); err != nil || shown(saved) != "true "+want || behind.Known() != count+1 {
		t.Errorf("%s (%v), known %d", shown(saved), err, behind.Known())
	}
	if got := loaded(t, all[2]); got != want {
		t.Errorf("loaded %q", got)
	}
	if err := behind.Condense(count+1, putting("wrong=1")); err != nil { // it is too early
		t.Fatal(err)
	}
	if got := loaded(t, all[2]); got != want {
		t.Errorf("condensed again: %q", got)
	}
}

// Work that nobody has done stays when the log is condensed, and what was done goes.
func TestWorkOutlivesCondensing(t *testing.T) {
	t.Parallel()
	all := connected(t, 2)
	a, b := all[0], all[1]
	if err := a.SaveOwing(persist.Range{First: 7, Last: 9}, putting("a=1")); err != nil {
		t.Fatal(err)
	}
	const count = 600
	for i := 1; i < count; i++ {
		if err := a.Save(false, putting(fmt.Sprintf("k=%d", i))); err != nil {
			t.Fatal(err)
		}
	}
	if err := a.Condense(count, putting("a=1", "k=599")); err != nil {
		t.Fatal(err)
	}
	for _, done := range []bool{false, true} {
		work, err := b.Work(t.Context())
		if err != nil || work.Range != (persist.Range{First: 7, Last: 9}) || work.Number != 1 {
			t.Fatalf("%+v (%v)", work, err)
		}
		work.Done(done)
	}
	if got := loaded(t, b); got != "a=1 k=599 " {
		t.Errorf("loaded %q", got)
	}
}

func TestAMemoryTakesAValueOnce(t *testing.T) {
	t.Parallel()
	all := connected(t, 2)
	a, b := all[0], all[1]
	put := func(c *cluster.Cluster, value string, revision uint64, want bool) {
		t.Helper()
		if stored, err := c.Put("nonce.t_1", []byte(value), revision); stored != want || err != nil {
			t.Errorf("stored %t (%v), want %t", stored, err, want)
		}
	}
	if _, revision, err := a.Get("nonce.t_1"); revision != 0 || err != nil {
		t.Errorf("revision %d (%v)", revision, err)
	}
	put(a, "one", 0, true)
	put(b, "other", 0, false)
	value, revision, err := b.Get("nonce.t_1")
	if string(value) != "one" || err != nil {
		t.Errorf("%q (%v)", value, err)
	}
	put(b, "two", revision, true)
	put(a, "two", revision, false)
}

func TestAddressesThatCannotBe(t *testing.T) {
	t.Parallel()
	for address, want := range map[string]string{
		"":                               "must be such as",
		"127.0.0.1":                      "must be such as",
		"nats://127.0.0.1:4222/a.b":      "no name of a shop",
		"nats://127.0.0.1:4222?copies=0": "must be 1 to 5",
	} {
		if _, err := cluster.Connect(address, nil); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v", address, err)
		}
	}
}
