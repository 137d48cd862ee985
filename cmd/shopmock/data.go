package main

import (
	"fmt"
	"io"
	"sync/atomic"
	"time"

	"shopcheck/mockserver/durable"
)

// When changes are on the disk: see --sync.
const (
	syncCommit   = "commit"
	syncInterval = "interval"

	interval = time.Second
)

// openStore opens the folder in which a shop is kept.
func openStore(folder, sync string) (*durable.Store, error) {
	switch sync {
	case syncCommit:
		return durable.Open(folder)
	case syncInterval:
		return durable.OpenInterval(folder, interval)
	}
	return nil, fmt.Errorf("--sync %q: take %s or %s", sync, syncCommit, syncInterval)
}

// watchedStorage says when changes cannot be kept any more, and when they can again.
type watchedStorage struct {
	*durable.Store
	out    io.Writer
	broken atomic.Bool
}

// Save implements mockserver.Storage.
func (w *watchedStorage) Save(anew bool, pairs func(put func(key, value []byte) error) error) error {
	return w.watched(w.Store.Save(anew, pairs))
}

// SaveLast keeps a change of the shop as its journal has it kept.
func (w *watchedStorage) SaveLast(anew bool, rows func(put func(key []byte, value func(to []byte) ([]byte, error)) error) error,
	last func(put func(key, value []byte) error) error,
) error {
	return w.watched(w.Store.SaveLast(anew, rows, last))
}

// SavePart keeps sandboxes and snapshots.
func (w *watchedStorage) SavePart(name string, anew bool, pairs func(put func(key, value []byte) error) error) error {
	return w.watched(w.Store.SavePart(name, anew, pairs))
}

func (w *watchedStorage) watched(err error) error {
	switch {
	case err != nil && !w.broken.Swap(true):
		fmt.Fprintf(w.out, "shopmock: changes cannot be kept, and are answered with 503 until they can: %v\n", err)
	case err == nil && w.broken.Swap(false):
		fmt.Fprintln(w.out, "shopmock: changes are kept again")
	}
	return err
}
