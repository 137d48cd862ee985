package durable

import (
	"errors"
	"slices"
	"testing"
)

// TestAWritingThatFailsWaitsUnderWhatCameMeanwhile writes to a disk that fails while more comes.
func TestAWritingThatFailsWaitsUnderWhatCameMeanwhile(t *testing.T) {
	t.Parallel()
	var g *gathered
	var meanwhile func()
	var written []string
	failure := errDisk
	g = &gathered{buckets: map[string]*waiting{}, write: func(changes ...change) error {
		meanwhile()
		for _, c := range changes {
			if c.pairs == nil {
				continue
			}
			if err := c.pairs(func(key, value []byte) error {
				written = append(written, c.bucket+"/"+string(key)+"="+string(value))
				return nil
			}); err != nil {
				return err
			}
		}
		return failure
	}}
	save := func(bucket string, anew bool, key, value, last string) error {
		a := &addition{bucket: bucket, anew: anew, last: func(put put) error { return put([]byte("last"), []byte(last)) }}
		a.add([]byte(key), encoded([]byte(value)), len(value))
		return g.save(a)
	}
	saved := func(bucket string, anew bool, key, value, last string) {
		t.Helper()
		if err := save(bucket, anew, key, value, last); err != nil {
			t.Errorf("%s in %s: %v", key, bucket, err)
		}
	}
	saved("one", false, "a", "1", "1")
	saved("one", false, "b", "1", "2")
	saved("two", false, "a", "1", "1")
	saved("three", false, "a", "1", "1")
	meanwhile = func() {
		saved("one", false, "b", "2", "3")
		saved("two", true, "c", "1", "2")
		saved("four", false, "a", "1", "1")
	}
	if err := g.flush(); !errors.Is(err, errDisk) {
		t.Errorf("error %v", err)
	}
	if err := save("one", false, "a", "9", "9"); !errors.Is(err, errDisk) {
		t.Errorf("after a failure: %v", err)
	}
	meanwhile, failure, written = func() {}, nil, nil
	if err := g.flush(); err != nil || !slices.Equal(slices.Sorted(slices.Values(written)), []string{
		"four/a=1", "four/last=1", "one/a=1", "one/b=2", "one/last=3", "three/a=1", "three/last=1", "two/c=1", "two/last=2",
	}) {
		t.Errorf("written again: %q, %v", written, err)
	}
	meanwhile = func() { saved("two", false, "b", "2", "3") }
	saved("two", false, "a", "2", "2")
	failure = errDisk
	if err := g.saveNow(change{"two", true, nil}); !errors.Is(err, errDisk) {
		t.Errorf("taken away by a disk that fails: %v", err)
	}
	meanwhile, failure, written = func() {}, nil, nil
	if g.flush(); !slices.Equal(written, []string{"two/a=2", "two/b=2", "two/last=3"}) {
		t.Errorf("written after that: %q", written)
	}
	saved("two", false, "a", "3", "3")
	if err := g.saveNow(change{"two", true, nil}); err != nil {
		t.Errorf("taken away: %v", err)
	}
	saved("one", false, "a", "3", "4")
	written = nil
	if err := g.flush(); err != nil || !slices.Equal(written, []string{"one/a=3", "one/last=4"}) {
		t.Errorf("written after it: %q, %v", written, err)
	}
}

// TestNothingThatWaitsIsNothingThatFails takes away the part that a failed writing was of.
func TestNothingThatWaitsIsNothingThatFails(t *testing.T) {
	t.Parallel()
	failure := errDisk
	g := &gathered{buckets: map[string]*waiting{}, write: func(...change) error { return failure }}
	if err := g.save(&addition{bucket: "part"}); err != nil {
		t.Fatal(err)
	}
	if err := g.flush(); !errors.Is(err, errDisk) {
		t.Errorf("error %v", err)
	}
	failure = nil
	if err := errors.Join(g.saveNow(change{bucket: "part", anew: true}), g.flush(), g.save(&addition{bucket: "shop"})); err != nil {
		t.Errorf("when the disk works again: %v", err)
	}
}
