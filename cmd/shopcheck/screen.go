package main

// The screen: lines that stay, and below them on a terminal an area that is drawn again and again.

import (
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
	"sync"

	"golang.org/x/term"
)

const (
	usualWidth  = 80 // columns, where the terminal does not say
	usualHeight = 24
)

// screen is where a command tells how far it is. It is safe for use by several goroutines.
type screen struct {
	out  io.Writer
	live bool                       // a terminal: there is an area
	size func() (columns, rows int) // of the terminal

	mu    sync.Mutex
	drawn int // lines of the area that are there
}

func newScreen(out io.Writer) *screen {
	return &screen{out: out, live: isTerminal(out), size: func() (int, int) { return sizeOf(out) }}
}

func isTerminal(stream any) bool {
	file, ok := stream.(interface{ Fd() uintptr })
	return ok && term.IsTerminal(int(file.Fd()))
}

// sizeOf is that of the terminal, in columns and rows.
func sizeOf(out io.Writer) (columns, rows int) {
	if file, ok := out.(interface{ Fd() uintptr }); ok {
		if columns, rows, err := term.GetSize(int(file.Fd())); err == nil && columns > 0 && rows > 0 {
			return columns, rows
		}
	}
	if columns, err := strconv.Atoi(os.Getenv("COLUMNS")); err == nil && columns > 0 {
		return columns, usualHeight
	}
	return usualWidth, usualHeight
}

// say writes lines that stay. It is one write, so that it does not mix with others.
func (s *screen) say(format string, args ...any) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if text := s.wiped() + fmt.Sprintf(format, args...); text != "" {
		_, _ = io.WriteString(s.out, text)
	}
}

// draw writes the area anew; of more lines than there are rows, the first.
func (s *screen) draw(lines ...string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.live {
		return
	}
	_, rows := s.size()
	text := s.wiped()
	lines = lines[:min(len(lines), max(1, rows-1))]
	s.drawn = len(lines)
	_, _ = io.WriteString(s.out, text+strings.Join(lines, "\n"))
}

// wipe takes the area away.
func (s *screen) wipe() { s.say("") }

// wiped is what takes the area away; s.mu is locked.
func (s *screen) wiped() string {
	if !s.live {
		return ""
	}
	up := ""
	if s.drawn > 1 {
		up = fmt.Sprintf("\x1b[%dA", s.drawn-1)
	}
	s.drawn = 0
	return "\r" + up + "\x1b[J"
}

// width is how many columns a line of the area may have: it cannot be taken back when it wraps, and some terminals wrap at the last column.
func (s *screen) width() int {
	if !s.live {
		return unbounded
	}
	columns, _ := s.size()
	return columns - 1
}

// unbounded is the width of a file.
const unbounded = 1 << 20
