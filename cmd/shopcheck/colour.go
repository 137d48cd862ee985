package main

// Colours, for a terminal that has them. NO_COLOR turns them off, CLICOLOR_FORCE on.

import (
	"io"
	"os"
	"strings"
)

// colour is what a terminal is told to paint in.
type colour string

const (
	red     colour = "31"
	green   colour = "32"
	yellow  colour = "33"
	magenta colour = "35"
	bold    colour = "1"
)

// palette paints texts, or leaves them as they are.
type palette bool

// paletteOf returns the palette of an output.
func paletteOf(out io.Writer) palette {
	force := os.Getenv("CLICOLOR_FORCE")
	switch {
	case os.Getenv("NO_COLOR") != "":
		return false
	case force != "" && force != "0":
		return true
	}
	return palette(isTerminal(out) && os.Getenv("CLICOLOR") != "0" && os.Getenv("TERM") != "dumb")
}

func (p palette) paint(c colour, text string) string {
	if !p || c == "" || text == "" {
		return text
	}
	return "\x1b[" + string(c) + "m" + text + "\x1b[0m"
}

// paintWord paints the first of some words that a line begins with, behind its indent.
func (p palette) paintWord(line string, words map[string]colour) string {
	rest := strings.TrimLeft(line, " ")
	for word, c := range words {
		if after, begins := strings.CutPrefix(rest, word+" "); begins {
			return line[:len(line)-len(rest)] + p.paint(c, word) + " " + after
		}
	}
	return line
}

// paintChanges paints a comparison: its headings, and the sign of each line.
func (p palette) paintChanges(text string) string {
	if !p {
		return text
	}
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		switch {
		case line == "" || strings.HasPrefix(line, "old: ") || strings.HasPrefix(line, "new: "):
		case !strings.HasPrefix(line, " "):
			lines[i] = p.paint(bold, line)
		default:
			lines[i] = p.paintWord(line, map[string]colour{"+": red, "-": green, "=": yellow, "!": red})
		}
	}
	return strings.Join(lines, "\n")
}
