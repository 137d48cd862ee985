package durable_test

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"shopcheck/mockserver/durable"
)

func openInterval(t *testing.T, folder string) *durable.Store {
	t.Helper()
	store, err := durable.OpenInterval(folder, time.Second)
	if err != nil {
		t.Fatal(err)
	}
	return store
}

// lost reads the file as it is now, as who starts after a crash.
func lost(t *testing.T, folder string) string {
	t.Helper()
	return readImage(t, image(t, filepath.Join(folder, durable.FileName)))
}

func TestChangesOfAnIntervalAreWrittenTogether(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	synctest.Test(t, func(t *testing.T) {
		store := openInterval(t, folder)
		save(t, store, false, "a=1", "b=1")
		save(t, store, false, "b=2", "a")
		refusal := errors.New("no more")
		if err := store.Save(true, putting(refusal, "c=1")); !errors.Is(err, refusal) {
			t.Errorf("error %v", err)
		}
		if got := lost(t, folder); got != "" {
			t.Errorf("at once %q", got)
		}
		time.Sleep(time.Second + time.Millisecond)
		if got := lost(t, folder); got != "b=2 " {
			t.Errorf("after a second %q", got)
		}
		save(t, store, true, "d=1")
		save(t, store, false, "e=1")
		if err := store.Close(); err != nil {
			t.Error(err)
		}
		if got := lost(t, folder); got != "d=1 e=1 " {
			t.Errorf("after its end %q", got)
		}
	})
}

func TestChangesThatAreTooManyWaitForTheDisk(t *testing.T) {
	if testing.Short() {
		t.Skip("more changes than are gathered in memory")
	}
	t.Parallel()
	folder := t.TempDir()
	synctest.Test(t, func(t *testing.T) {
		store := openInterval(t, folder)
		long := strings.Repeat("x", 1<<20)
		for i := range 65 {
			save(t, store, false, fmt.Sprintf("%02d=%s", i, long))
		}
		if got := lost(t, folder); len(got) < 64<<20 {
			t.Errorf("%d bytes were written", len(got))
		}
		if err := store.Close(); err != nil {
			t.Error(err)
		}
	})
}

func TestOnlyTheNewestRowsOfAnIntervalAreEncoded(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	synctest.Test(t, func(t *testing.T) {
		store := openInterval(t, folder)
		encoded, asked := 0, 0
		saveLast := func(pair, last string) {
			t.Helper()
			err := store.SaveLast(false, func(put func(key []byte, value func([]byte) ([]byte, error)) error) error {
				return putting(nil, pair)(func(key, value []byte) error {
					if value == nil {
						return put(key, nil)
					}
					return put(key, func(to []byte) ([]byte, error) {
						encoded++
						return append(to, value...), nil
					})
				})
			}, func(put func(key, value []byte) error) error {
				asked++
				return putting(nil, last)(put)
			})
			if err != nil {
				t.Error(err)
			}
		}
		saveLast("a4=0", "z=")
		saveLast("b=0", "z=")
		saveLast("b", "z=")
		for number := range 5 {
			saveLast(fmt.Sprintf("a%d=1", number), fmt.Sprintf("z=%d", number))
		}
		time.Sleep(time.Second + time.Millisecond)
		if got := lost(t, folder); got != "a0=1 a1=1 a2=1 a3=1 a4=1 z=4 " || encoded != 5 || asked != 1 {
			t.Errorf("after a second %q, %d rows encoded, asked %d times", got, encoded, asked)
		}
		saveLast("a0=2", "z=5")
		if err := store.Close(); err != nil {
			t.Error(err)
		}
		if got := lost(t, folder); !strings.HasPrefix(got, "a0=2 ") || !strings.HasSuffix(got, "z=5 ") || encoded != 6 || asked != 2 {
			t.Errorf("after its end %q, %d rows encoded, asked %d times", got, encoded, asked)
		}
	})
}
