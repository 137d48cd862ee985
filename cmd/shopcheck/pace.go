package main

// How far a run is, and how long it will still take: by an earlier report from the start, otherwise from the second topic on.

import (
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"golang.org/x/term"

	"shopcheck/reports"
	"shopcheck/suites"
)

const (
	usualWidth = 80               // columns, where the terminal does not say
	heartbeat  = 10 * time.Second // between lines where nothing is a terminal
)

// pace weighs the specs that have ended against all.
type pace struct {
	now         func() time.Time
	began       time.Time
	told        time.Time          // the last line
	known       map[string]float64 // milliseconds of earlier runs, by id of the spec
	all, done   float64            // specs; milliseconds where those are known
	specs, over int
	topics      int // that are finished
}

func (p *pace) begin(specs []suites.Planned) {
	p.began, p.specs = p.now(), len(specs)
	p.told = p.began
	for _, spec := range specs {
		p.all += p.weight(spec.ID)
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
	if p.done == 0 || p.topics == 0 && len(p.known) == 0 {
		return ""
	}
	rest := time.Duration(float64(p.now().Sub(p.began)) * (p.all - p.done) / p.done).Round(time.Second)
	if rest < time.Second {
		return ""
	}
	return "about " + rest.String() + " left"
}

// beat returns a line that says how far the run is, when none was told for a while.
func (p *pace) beat() string {
	if p.now().Sub(p.told) < heartbeat {
		return ""
	}
	p.told = p.now()
	line := fmt.Sprintf("… %d of %s after %s", p.over, reports.Plural(p.specs, "spec", "specs"), p.now().Sub(p.began).Round(time.Second))
	if left := p.left(); left != "" {
		line += ", " + left
	}
	return line
}

// widthOf is that of the terminal, in columns.
func widthOf(out io.Writer) int {
	if file, ok := out.(interface{ Fd() uintptr }); ok {
		if width, _, err := term.GetSize(int(file.Fd())); err == nil && width > 0 {
			return width
		}
	}
	if width, err := strconv.Atoi(os.Getenv("COLUMNS")); err == nil && width > 0 {
		return width
	}
	return usualWidth
}

// fit puts a line together that has at most so many columns: first the dots are cut, then the end.
func fit(width int, head, dots, tail string) string {
	if tail != "" {
		tail = "  " + tail
	}
	room := max(0, width-utf8.RuneCountInString(head)-utf8.RuneCountInString(tail))
	line := []rune(head + dots[:min(len(dots), room)] + tail)
	if len(line) > width {
		return string(line[:max(0, width-1)]) + "…"
	}
	return strings.TrimRight(string(line), " ")
}
