package main

// Ending a command early: by Ctrl-C, by SIGTERM, or because nobody reads its output any more. The first time what a run has made is
// deleted; the second time it is left, and told how it can be deleted later.

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/signal"
	"sync"
	"syscall"

	"shopcheck/reports"
)

// interruption is what ends a command early.
type interruption struct {
	cancel context.CancelFunc

	mu   sync.Mutex
	left string // what is said when the command ends at once; empty: nothing
}

// interruptionKey finds the interruption in a context.
type interruptionKey struct{}

// interruptible returns a context that the first signal ends, so that a run can clean up. A second one ends the process.
func interruptible(errors io.Writer) (context.Context, *interruption) {
	ctx, cancel := context.WithCancel(context.Background())
	i := &interruption{cancel: cancel}
	signal.Ignore(syscall.SIGPIPE) // the write says so too, and does not end the process
	signals := make(chan os.Signal, 2)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	go func() {
		<-signals
		cancel()
		<-signals
		i.mu.Lock()
		fmt.Fprint(errors, i.left)
		os.Exit(reports.Interrupted.ExitCode())
	}()
	return context.WithValue(ctx, interruptionKey{}, i), i
}

// onLeaving sets what is said when the command is ended at once.
func onLeaving(ctx context.Context, text string) {
	if i, ok := ctx.Value(interruptionKey{}).(*interruption); ok {
		i.mu.Lock()
		defer i.mu.Unlock()
		i.left = text
	}
}

// watchedOutput is a file that ends the command when it cannot be written to.
type watchedOutput struct {
	*os.File
	failed context.CancelFunc
}

// Write implements io.Writer.
func (o watchedOutput) Write(p []byte) (int, error) {
	n, err := o.File.Write(p)
	if err != nil {
		o.failed()
	}
	return n, err
}

// WriteString implements io.StringWriter, which the file has too, and which would pass Write by.
func (o watchedOutput) WriteString(text string) (int, error) { return o.Write([]byte(text)) }
