package main

// How far a run is, and how long it will still take: by an earlier report from the start, otherwise from the second topic on.

import (
	"fmt"
	"strings"
	"time"
	"unicode/utf8"

	"shopcheck/reports"
)

const (
	heartbeat = 10 * time.Second // between lines where nothing is a terminal
	second    = time.Second      // between drawings of what is live
)

// pace weighs what has ended against all: the specs of a run, or the proofs of a self-test.
type pace struct {
	now         func() time.Time
	began       time.Time
	told        time.Time          // the last line
	known       map[string]float64 // milliseconds of earlier runs, by id of the spec
	all, done   float64            // specs; milliseconds where those are known
	count, over int
	what        [2]string // one of them and many, in words; empty: specs
	steady      bool      // enough have ended for what is left to be known by them
}

func (p *pace) begin(ids []string) {
	p.began, p.count = p.now(), len(ids)
	p.told = p.began
	for _, id := range ids {
		p.all += p.weight(id)
	}
}

// weight is what a spec counts: its time, if an earlier report knows it, and never nothing.
func (p *pace) weight(id string) float64 { return 1 + p.known[id] }

func (p *pace) end(id string) {
	p.over++
	p.done += p.weight(id)
}

// left says how long the rest will take; empty where that is not known yet, or soon over.
func (p *pace) left() string {
	if p.done == 0 || !p.steady && len(p.known) == 0 {
		return ""
	}
	rest := time.Duration(float64(p.now().Sub(p.began)) * (p.all - p.done) / p.done).Round(time.Second)
	if rest < time.Second {
		return ""
	}
	return "about " + rest.String() + " left"
}

// beat returns a line that says how far it is, when none was told for a while.
func (p *pace) beat() string {
	if p.count == 0 || p.now().Sub(p.told) < heartbeat {
		return ""
	}
	p.told = p.now()
	return "… " + p.line()
}

// line says how far it is.
func (p *pace) line() string {
	what := p.what
	if what[0] == "" {
		what = [2]string{"spec", "specs"}
	}
	line := fmt.Sprintf("%d of %s after %s", p.over, reports.Plural(p.count, what[0], what[1]), p.now().Sub(p.began).Round(time.Second))
	if left := p.left(); left != "" {
		line += ", " + left
	}
	return line
}

// every calls tick each second until the function that it returns is called.
func every(tick func()) (stop func()) {
	ticker, over, ended := time.NewTicker(second), make(chan struct{}), make(chan struct{})
	go func() {
		defer close(ended)
		for {
			select {
			case <-ticker.C:
				tick()
			case <-over:
				return
			}
		}
	}()
	return func() {
		ticker.Stop()
		close(over)
		<-ended
	}
}

// fit cuts the parts of a line so that it has at most so many columns: first the dots, then the end.
func fit(width int, head, dots, tail string) []string {
	if tail != "" {
		tail = "  " + tail
	}
	room := max(0, width-utf8.RuneCountInString(head)-utf8.RuneCountInString(tail))
	dots = dots[:min(len(dots), room)]
	if line := []rune(head + dots + tail); len(line) > width {
		return []string{string(line[:max(0, width-1)]) + "…"}
	}
	if dots+tail == "" {
		head = strings.TrimRight(head, " ")
	}
	return []string{head, dots, tail}
}
