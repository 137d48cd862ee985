package main

// shopcheck selftest: the suites' own sharpness, proved against deliberate violations of the contract.

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"os"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/spf13/cobra"

	"shopcheck/mockserver"
	"shopcheck/reports"
	"shopcheck/suites/defects"
	"shopcheck/suites/suggest"
	"shopcheck/suites/topics"
)

// exitUnproved is the exit code of a self-test that a defect slipped through, or that accused a variant.
const exitUnproved = 1

// What a proof takes, as a share of a whole run: one violation is shown by a few specs, an independent one by those of a topic first.
const (
	proofShare = 1.0 / 80
	trialShare = 1.0 / 8
)

// selftest is one, as a command line asks for it.
type selftest struct {
	only, shard       string
	fair, independent bool
	quiet             bool
	together          bool // variants that only rewrite answers share shops
	bed               defects.Testbed
	out               io.Writer

	colours palette
	screen  *screen
	mu      sync.Mutex // of pace
	pace    pace
}

func selftestCommand(code *int) *cobra.Command {
	s := selftest{bed: testbed()}
	command := &cobra.Command{
		Use:   "selftest",
		Short: "Prove the suites: every deliberate violation of the contract is caught, no conforming variant is accused.",
		Long: `Lay each deliberate violation of the contract over the reference shop in this process, run the specs that verify what it
breaks, and print the matrix: the defect, the requirement that it breaks, and the spec that says so. With --fair, run all
specs against shops that take each liberty that the contract leaves, and see that none is accused. With --independent, break one
documented field, operation, value, parameter and entry at a time, as the contract's own tables list them, and see that the run
is not green; what is known to slip through is listed with its reason.

It begins with a run over the shop as it is, and says by that how long the rest will take.

Exit codes: 0 every defect was caught (no variant was accused), 1 one was not (was), 2 usage or harness error, 130 interrupted.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) (err error) {
			s.out = cmd.OutOrStdout()
			s.colours, s.screen = paletteOf(s.out), newScreen(s.out)
			if s.quiet {
				s.screen = newScreen(io.Discard)
			}
			*code, err = s.prove(cmd.Context())
			if cmd.Context().Err() != nil {
				*code, err = reports.Interrupted.ExitCode(), errors.New("interrupted: what is not above was not proved")
			}
			return err
		},
	}
	f := command.Flags()
	f.StringVar(&s.only, "only", "", "only defects whose id, or a requirement that they break, begins so: cart.add-item")
	f.StringVar(&s.shard, "shard", "", "only this part of them: 3/8; several processes prove all in a part of the time")
	f.BoolVar(&s.fair, "fair", false, "judge conforming variants instead of defects; --only takes their ids: fair.currency")
	f.BoolVar(&s.independent, "independent", false,
		"try the defects made from the contract's tables; --only takes their ids: create-field.products")
	f.BoolVar(&s.together, "together", false,
		"with --fair: variants that only rewrite answers share shops, for less time; alone where such a shop is accused")
	f.StringVar(&s.bed.Dialect, "dialect", "",
		"names between the suites and the shop: a preset or a file; the contract's when empty")
	addQuiet(f, &s.quiet)
	command.MarkFlagsMutuallyExclusive("fair", "independent")
	offer(command, "only", func(string) []string { return s.ids() }, cobra.ShellCompDirectiveNoFileComp)
	return command
}

// testbed returns the reference shop with what is known of it. Nobody listens at its address: requests go straight into the handler.
func testbed() defects.Testbed {
	return defects.Testbed{Profile: mockProfile("http://127.0.0.1:1"), Topics: topics.All(), Shop: newShop}
}

func (s *selftest) prove(ctx context.Context) (int, error) {
	switch {
	case s.fair:
		return s.proveFair(ctx)
	case s.independent:
		return s.proveIndependent(ctx)
	}
	return s.proveSharp(ctx)
}

// ids are those that --only takes: of what is asked for, and of the requirements that it breaks.
func (s *selftest) ids() []string {
	var ids []string
	switch {
	case s.fair:
		for _, v := range defects.Variants() {
			ids = append(ids, v.ID)
		}
	case s.independent:
		for _, d := range defects.IndependentDefects(s.bed.Profile.Credentials) {
			ids = append(ids, d.ID)
		}
	default:
		for _, d := range defects.All(s.bed.Profile.Credentials) {
			ids = append(append(ids, d.ID), d.Breaks...)
		}
	}
	slices.Sort(ids)
	return slices.Compact(ids)
}

// chosen are those of a list that are asked for. None is an error.
func chosen[T any](s *selftest, all []T, isAsked func(T) bool) ([]T, error) {
	asked := slices.DeleteFunc(slices.Clone(all), func(one T) bool { return !isAsked(one) })
	if len(asked) == 0 {
		return nil, fmt.Errorf("--only %s: nothing has such an id%s", s.only, suggest.DidYouMean(s.only, s.ids()))
	}
	part, err := (&selectionFlags{shard: s.shard}).part(nil, os.LookupEnv)
	if err != nil || part == nil {
		return asked, err
	}
	var own []T
	for i := part.Number - 1; i < len(asked); i += part.Count {
		own = append(own, asked[i])
	}
	return own, nil
}

// begin makes sure that what will be found with a defect is the defect, and says how long it takes to prove so many, each a share of a
// whole run.
func (s *selftest) begin(ctx context.Context, count int, share float64, one, many string) (stop func(), err error) {
	s.screen.say("%s to judge; first a run over the shop as it is\n", reports.Plural(count, one, many))
	s.pace = pace{now: time.Now, what: [2]string{one, many}}
	stop = every(s.tick)
	began := time.Now()
	if err := s.control(ctx); err != nil {
		stop()
		return nil, err
	}
	took := time.Since(began)
	s.screen.say("it took %s: all will take about %s\n\n", inSeconds(took), inSeconds(time.Duration(float64(took)*share*float64(count))))
	s.mu.Lock()
	defer s.mu.Unlock()
	s.pace.begin(make([]string, count))
	return stop, nil
}

func inSeconds(took time.Duration) time.Duration { return max(time.Second, took.Round(time.Second)) }

// steadyProofs is after how many the time left is known by them.
const steadyProofs = 5

// said prints the lines of one that is judged, the first of which begins with a word. What is wrong is never kept quiet.
func (s *selftest) said(c colour, word, format string, args ...any) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.pace.end("")
	s.pace.steady = s.pace.over >= steadyProofs
	line := s.colours.paint(c, word) + "  " + fmt.Sprintf(format, args...)
	s.screen.say("%s", line)
	if s.quiet && c == red {
		fmt.Fprint(s.out, line)
	}
	s.draw()
}

// draw shows on a terminal how far it is.
func (s *selftest) draw() {
	if s.pace.count > 0 {
		s.screen.draw(strings.Join(fit(s.screen.width(), s.pace.line(), "", ""), ""))
	}
}

// tick says how far it is: on a terminal every second, elsewhere every ten.
func (s *selftest) tick() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.draw()
	if line := s.pace.beat(); line != "" && !s.screen.live {
		s.screen.say("%s\n", line)
	}
}

// end takes back what is live.
func (s *selftest) end(stop func()) {
	stop()
	s.screen.wipe()
}

// proveSharp prints a line for each proof and the sum. It returns the exit code.
func (s *selftest) proveSharp(ctx context.Context) (int, error) {
	list, err := chosen(s, defects.All(s.bed.Profile.Credentials), func(d defects.Defect) bool { return isAbout(d, s.only) })
	if err != nil {
		return exitUsage, err
	}
	proofs := 0
	for _, d := range list {
		proofs += len(d.Breaks)
	}
	stop, err := s.begin(ctx, proofs, proofShare, "violation", "violations")
	if err != nil {
		return exitUsage, err
	}
	began, m := time.Now(), matrix{}
	err = s.bed.Prove(ctx, list, func(p defects.Proof) {
		word, c, by := m.add(p)
		s.said(c, word, "%s → %s  by %s\n", p.Defect.ID, p.Requirement.ID, by)
	})
	s.end(stop)
	if err != nil {
		return exitUsage, fmt.Errorf("after %d proofs: %w", m.proofs, err)
	}
	m.sum(s.out, len(list), time.Since(began))
	if len(m.missed) > 0 {
		return exitUnproved, nil
	}
	return 0, nil
}

// proveFair prints what the suites have against each variant, and the sum. It returns the exit code.
func (s *selftest) proveFair(ctx context.Context) (int, error) {
	list, err := chosen(s, defects.Variants(), func(v defects.Variant) bool { return strings.HasPrefix(v.ID, s.only) })
	if err != nil {
		return exitUsage, err
	}
	stop, err := s.begin(ctx, len(list), 1, "variant", "variants")
	if err != nil {
		return exitUsage, err
	}
	began := time.Now()
	accused, err := s.judge(ctx, list)
	s.end(stop)
	if err != nil {
		return exitUsage, err
	}
	fmt.Fprintf(s.out, "\n%s: %d accused, in %.0f s\n", reports.Plural(len(list), "variant", "variants"), accused,
		time.Since(began).Seconds())
	if accused > 0 {
		return exitUnproved, nil
	}
	return 0, nil
}

// judge prints a line for each variant, and counts those that are accused.
func (s *selftest) judge(ctx context.Context, list []defects.Variant) (accused int, err error) {
	err = s.bed.JudgeAll(ctx, list, s.together, func(v defects.Variant, judgement defects.Judgement) {
		word, c, against := "fair", green, ""
		for _, accusation := range judgement.Accusations() {
			against += "    " + reports.Sanitize(accusation) + "\n"
		}
		if against != "" {
			word, c, accused = "ACCUSED", red, accused+1
		}
		s.said(c, word, "%s  %s\n%s", strings.TrimPrefix(v.ID, "fair."), v.What, against)
	})
	return accused, err
}

// proveIndependent prints a line for each independent defect, and the sums by class. It returns the exit code.
func (s *selftest) proveIndependent(ctx context.Context) (int, error) {
	list, err := chosen(s, defects.IndependentDefects(s.bed.Profile.Credentials),
		func(d defects.Independent) bool { return strings.HasPrefix(d.ID, s.only) })
	if err != nil {
		return exitUsage, err
	}
	stop, err := s.begin(ctx, len(list), trialShare, "independent defect", "independent defects")
	if err != nil {
		return exitUsage, err
	}
	began, code := time.Now(), 0
	classes := map[string]map[defects.Reaction]int{}
	err = s.bed.Try(ctx, list, func(f defects.Finding) {
		if classes[f.Defect.Class] == nil {
			classes[f.Defect.Class] = map[defects.Reaction]int{}
		}
		classes[f.Defect.Class][f.Outcome]++
		c, more := green, ""
		if complaint := f.Complaint(); complaint != "" {
			c, code, more = red, exitUnproved, "    "+complaint+"\n"
		}
		s.said(c, string(f.Outcome), "%s  by %s\n%s", f.Defect.ID, shortList(f.Specs), more)
	})
	s.end(stop)
	if err != nil {
		return exitUsage, err
	}
	s.sumOfClasses(classes)
	fmt.Fprintf(s.out, "\n\n%s in %.0f s\n", reports.Plural(len(list), "independent defect", "independent defects"),
		time.Since(began).Seconds())
	return code, nil
}

func (s *selftest) sumOfClasses(classes map[string]map[defects.Reaction]int) {
	for _, class := range slices.Sorted(maps.Keys(classes)) {
		fmt.Fprintf(s.out, "\n%-14s", class)
		for _, outcome := range []defects.Reaction{defects.Accused, defects.Warned, defects.Incomplete, defects.Conformant,
			defects.Unseen} {
			fmt.Fprintf(s.out, "  %s %d", outcome, classes[class][outcome])
		}
	}
}

// control makes sure that what is found with a defect is the defect.
func (s *selftest) control(ctx context.Context) error {
	report, err := s.bed.Control(ctx)
	if err != nil {
		return err
	}
	if report.Verdict != reports.Conformant {
		return fmt.Errorf("the shop underneath does not conform even without a defect (%s); shopcheck run says more",
			strings.Join(report.Reasons, "; "))
	}
	return nil
}

func isAbout(d defects.Defect, only string) bool {
	begins := func(id string) bool { return strings.HasPrefix(id, only) }
	return begins(d.ID) || slices.ContainsFunc(d.Breaks, begins)
}

// matrix sums proofs up.
type matrix struct {
	proofs   int
	warnings int
	missed   []defects.Proof
}

// add counts a proof, and returns what became of it in a word, the word's colour, and by what.
func (m *matrix) add(p defects.Proof) (word string, c colour, by string) {
	m.proofs++
	switch {
	case !p.Changed:
		m.missed = append(m.missed, p)
		return "IDLE", red, "nothing: it changed no exchange of the run"
	case !p.Caught():
		m.missed = append(m.missed, p)
		return "MISSED", red, strings.TrimSpace(words(string(p.Outcome)) + " " + p.Reason)
	case p.Outcome == reports.Warned:
		m.warnings++
		return "warned", yellow, shortList(p.Specs)
	}
	return "caught", green, shortList(p.Specs)
}

func (m *matrix) sum(out io.Writer, count int, took time.Duration) {
	for _, p := range m.missed {
		fmt.Fprintf(out, "\nMISSED %s\n  defect       %s\n  requirement  %s: %s\n  outcome      %s\n", p.Defect.ID, p.Defect.What,
			p.Requirement.ID, p.Requirement.Statement, strings.TrimSpace(words(string(p.Outcome))+" "+p.Reason))
	}
	caught := m.proofs - len(m.missed)
	fmt.Fprintf(out, "\n%s: %d of %d violations caught (%d by a warning), %d missed, in %.0f s\n",
		reports.Plural(count, "defect", "defects"), caught, m.proofs, m.warnings, len(m.missed), took.Seconds())
}

// newShop is a reference shop of its own.
func newShop(setup defects.Setup) (http.Handler, error) {
	options := mockserver.Options{Site: setup.Site, Clock: setup.Clock}
	if setup.StableNonce {
		options.Nonce = mockserver.StableNonce
	}
	server, err := mockserver.New(options)
	if err != nil {
		return nil, err
	}
	return server.Handler(), nil
}
