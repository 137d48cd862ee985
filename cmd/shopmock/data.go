package main

import (
	"fmt"
	"io"
	"sync/atomic"

	"shopcheck/mockserver/durable"
)

// watchedStorage says when changes cannot be kept any more, and when they can again.
type watchedStorage struct {
	*durable.Store
	out    io.Writer
	broken atomic.Bool
}

// Save implements mockserver.Storage.
func (w *watchedStorage) Save(anew bool, pairs func(put func(key, value []byte) error) error) error {
	err := w.Store.Save(anew, pairs)
	switch {
	case err != nil && !w.broken.Swap(true):
		fmt.Fprintf(w.out, "shopmock: changes cannot be kept, and are answered with 503 until they can: %v\n", err)
	case err == nil && w.broken.Swap(false):
		fmt.Fprintln(w.out, "shopmock: changes are kept again")
	}
	return err
}
