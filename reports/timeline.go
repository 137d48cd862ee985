package reports

// The run over time, as the page draws it: which specs ran beside each other, what was slow, what was sent again.

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"
)

const (
	laneHeight = 14.0 // of the drawing; a spec leaves a gap to the lane below
	specHeight = 11.0
	mostLanes  = 32 // what overlaps beyond these is drawn in the first
	// slowest is how many specs and requests are listed as slow, mostRepeated how many as sent again.
	slowest      = 10
	mostRepeated = 20
)

// timeline is the run as a drawing of barWidth units across. Specs that ran at the same time are in lanes of their own.
type timeline struct {
	Marks        []timeMark
	Ticks        []timeTick
	Height       float64
	SpanMS       float64
	Lanes        map[int]laneMark // by the spec's place in the page
	SlowSpecs    []specView
	SlowRequests []sentRequest
	Retried      []sentRequest
	Requests     int // that were sent, the repeated ones counted once
	SentAgain    int
}

// timeMark holds all specs of one outcome as one path, so that a thousand specs are a few elements.
type timeMark struct {
	Outcome Outcome
	Path    string
}

// timeTick is a moment on the scale.
type timeTick struct {
	At    float64
	Label string
}

// laneMark is where a spec is drawn.
type laneMark struct {
	At   float64 // milliseconds since the first spec began
	Lane int
}

// sentRequest is an exchange with the spec that made it.
type sentRequest struct {
	Exchange
	Spec string
}

// timelineOf lays out the specs that ran. specs are in the order of the page.
func timelineOf(specs []specView) timeline {
	line := timeline{Lanes: lanesOf(specs)}
	for at, mark := range line.Lanes {
		line.SpanMS = max(line.SpanMS, mark.At+specs[at].DurationMS)
		line.Height = max(line.Height, laneHeight*float64(mark.Lane+1))
	}
	line.draw(specs)
	line.addSlow(specs)
	return line
}

// lanesOf puts each spec into the first lane that is free when it begins.
func lanesOf(specs []specView) map[int]laneMark {
	var ran []int
	for i := range specs {
		if !specs[i].StartedAt.IsZero() {
			ran = append(ran, i)
		}
	}
	slices.SortStableFunc(ran, func(a, b int) int { return specs[a].StartedAt.Compare(specs[b].StartedAt) })
	lanes := map[int]laneMark{}
	var free []float64 // when each lane's last spec ended
	for _, i := range ran {
		at := float64(specs[i].StartedAt.Sub(specs[ran[0]].StartedAt)) / float64(time.Millisecond)
		lane := slices.IndexFunc(free, func(end float64) bool { return end <= at })
		if lane < 0 && len(free) < mostLanes {
			lane, free = len(free), append(free, 0)
		}
		lane = max(lane, 0)
		free[lane] = at + specs[i].DurationMS
		lanes[i] = laneMark{at, lane}
	}
	return lanes
}

func (l *timeline) draw(specs []specView) {
	if l.SpanMS == 0 {
		return
	}
	scale := barWidth / l.SpanMS
	paths := map[Outcome]*strings.Builder{}
	for _, i := range slices.Sorted(maps.Keys(l.Lanes)) {
		mark, outcome := l.Lanes[i], specs[i].Outcome
		if paths[outcome] == nil {
			paths[outcome] = &strings.Builder{}
		}
		x, width := mark.At*scale, max(specs[i].DurationMS*scale, 0.3)
		fmt.Fprintf(paths[outcome], "M%.5g %gh%.3gv%gH%.5gz", x, laneHeight*float64(mark.Lane), width, specHeight, x)
	}
	for _, outcome := range barOrder() {
		if path := paths[outcome]; path != nil {
			l.Marks = append(l.Marks, timeMark{outcome, path.String()})
		}
	}
	step := tickStep(l.SpanMS)
	for at := 0.0; at <= l.SpanMS; at += step {
		l.Ticks = append(l.Ticks, timeTick{100 * at / l.SpanMS, shortDuration(at)})
	}
}

// tickStep is a round number of milliseconds that divides the span into at most eight parts.
func tickStep(span float64) float64 {
	for _, step := range []float64{1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000, 30_000, 60_000, 120_000, 300_000} {
		if span/step <= 8 {
			return step
		}
	}
	return span / 4
}

func shortDuration(ms float64) string {
	return (time.Duration(ms) * time.Millisecond).String()
}

func (l *timeline) addSlow(specs []specView) {
	bySpec := slices.Clone(specs)
	slices.SortStableFunc(bySpec, func(a, b specView) int { return cmp.Compare(b.DurationMS, a.DurationMS) })
	for _, spec := range bySpec[:min(len(bySpec), slowest)] {
		if spec.DurationMS > 0 {
			l.SlowSpecs = append(l.SlowSpecs, spec)
		}
	}
	var sent []sentRequest
	for i := range specs {
		for _, exchange := range specs[i].Exchanges {
			if !exchange.Shared {
				sent = append(sent, sentRequest{exchange, specs[i].ID})
			}
		}
	}
	l.Requests = len(sent)
	for _, request := range sent {
		if request.Retries > 0 {
			l.SentAgain++
			if len(l.Retried) < mostRepeated {
				l.Retried = append(l.Retried, request)
			}
		}
	}
	slices.SortStableFunc(sent, func(a, b sentRequest) int { return cmp.Compare(b.DurationMS, a.DurationMS) })
	l.SlowRequests = sent[:min(len(sent), slowest)]
}

// softwareOf lists what the target's answers say that it runs on, each once.
func softwareOf(specs []specView) []string {
	found := map[string]bool{}
	for i := range specs {
		for _, exchange := range specs[i].Exchanges {
			for _, header := range softwareIn(exchange.Response.Header) {
				if len(found) < slowest {
					found[header.Name+": "+header.Value] = true
				}
			}
		}
	}
	return slices.Sorted(maps.Keys(found))
}

// softwareIn returns the lines of a header that say what a target runs on.
func softwareIn(header []Header) []Header {
	var lines []Header
	for _, line := range header {
		switch line.Name {
		case "Server", "X-Powered-By", "Via":
			lines = append(lines, line)
		}
	}
	return lines
}
