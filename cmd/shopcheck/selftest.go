package main

// shopcheck selftest: the suites' own sharpness, proved against deliberate violations of the contract.

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"shopcheck/mockserver"
	"shopcheck/reports"
	"shopcheck/suites/defects"
	"shopcheck/suites/topics"
)

// exitUnproved is the exit code of a self-test that a defect slipped through, or that accused a variant.
const exitUnproved = 1

func selftestCommand(code *int) *cobra.Command {
	var only, dialect string
	var fair, independent bool
	selftest := &cobra.Command{
		Use:   "selftest",
		Short: "Prove the suites: every deliberate violation of the contract is caught, no conforming variant is accused.",
		Long: `Lay each deliberate violation of the contract over the reference shop in this process, run the specs that verify what it
breaks, and print the matrix: the defect, the requirement that it breaks, and the spec that says so. With --fair, run all
specs against shops that take each liberty that the contract leaves, and see that none is accused. With --independent, break one
documented field, operation, value, parameter and entry at a time, as the contract's own tables list them, and see that the run
is not green; what is known to slip through is listed with its reason.

Exit codes: 0 every defect was caught (no variant was accused), 1 one was not (was), 2 usage or harness error, 130 interrupted.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) (err error) {
			bed := testbed()
			bed.Dialect = dialect
			prove := proveSharp
			switch {
			case fair:
				prove = proveFair
			case independent:
				prove = proveIndependent
			}
			*code, err = prove(cmd.Context(), bed, only, cmd.OutOrStdout())
			if cmd.Context().Err() != nil {
				*code, err = reports.Interrupted.ExitCode(), errors.New("interrupted: what is not above was not proved")
			}
			return err
		},
	}
	selftest.Flags().StringVar(&only, "only", "", "only defects whose id, or a requirement that they break, begins so: cart.add-item")
	selftest.Flags().BoolVar(&fair, "fair", false, "judge conforming variants instead of defects; --only takes their ids: fair.currency")
	selftest.Flags().BoolVar(&independent, "independent", false,
		"try the defects made from the contract's tables; --only takes their ids: create-field.products")
	selftest.Flags().StringVar(&dialect, "dialect", "",
		"names between the suites and the shop: a preset or a file; the contract's when empty")
	selftest.MarkFlagsMutuallyExclusive("fair", "independent")
	return selftest
}

// testbed returns the reference shop with what is known of it. Nobody listens at its address: requests go straight into the handler.
func testbed() defects.Testbed {
	return defects.Testbed{Profile: mockProfile("http://127.0.0.1:1"), Topics: topics.All(), Shop: newShop}
}

// proveSharp prints a line for each proof and the sum. It returns the exit code.
func proveSharp(ctx context.Context, bed defects.Testbed, only string, out io.Writer) (int, error) {
	chosen := slices.DeleteFunc(defects.All(bed.Profile.Credentials), func(d defects.Defect) bool { return !isAbout(d, only) })
	if len(chosen) == 0 {
		return exitUsage, fmt.Errorf("no defect is about %q; shopcheck explain ID names those of a requirement", only)
	}
	began, m := time.Now(), matrix{out: out}
	if err := control(ctx, bed); err != nil {
		return exitUsage, err
	}
	if err := bed.Prove(ctx, chosen, m.add); err != nil {
		return exitUsage, fmt.Errorf("after %d proofs: %w", m.proofs, err)
	}
	m.sum(len(chosen), time.Since(began))
	if len(m.missed) > 0 {
		return exitUnproved, nil
	}
	return 0, nil
}

// proveFair prints a line for each variant, with what the suites have against it. It returns the exit code.
func proveFair(ctx context.Context, bed defects.Testbed, only string, out io.Writer) (int, error) {
	chosen := slices.DeleteFunc(defects.Variants(), func(v defects.Variant) bool { return !strings.HasPrefix(v.ID, only) })
	if len(chosen) == 0 {
		return exitUsage, fmt.Errorf("no variant is called %q; selftest --fair without --only names them all", only)
	}
	began, accused := time.Now(), 0
	for _, v := range chosen {
		judgement, err := bed.Judge(ctx, v)
		if err == nil {
			err = ctx.Err()
		}
		if err != nil {
			return exitUsage, fmt.Errorf("the variant %s (%s): %w", v.ID, v.What, err)
		}
		word := "fair"
		accusations := judgement.Accusations()
		if len(accusations) > 0 {
			word, accused = "ACCUSED", accused+1
		}
		fmt.Fprintf(out, "%s  %s  %s\n", word, strings.TrimPrefix(v.ID, "fair."), v.What)
		for _, accusation := range accusations {
			fmt.Fprintf(out, "    %s\n", reports.Sanitize(accusation))
		}
	}
	fmt.Fprintf(out, "\n%s: %d accused, in %.0f s\n", reports.Plural(len(chosen), "variant", "variants"), accused,
		time.Since(began).Seconds())
	if accused > 0 {
		return exitUnproved, nil
	}
	return 0, nil
}

// proveIndependent prints a line for each independent defect, and the sums by class. It returns the exit code.
func proveIndependent(ctx context.Context, bed defects.Testbed, only string, out io.Writer) (int, error) {
	chosen := slices.DeleteFunc(defects.IndependentDefects(bed.Profile.Credentials),
		func(d defects.Independent) bool { return !strings.HasPrefix(d.ID, only) })
	if len(chosen) == 0 {
		return exitUsage, fmt.Errorf("no independent defect is called %q; selftest --independent without --only tries them all", only)
	}
	if err := control(ctx, bed); err != nil {
		return exitUsage, err
	}
	began, code := time.Now(), 0
	classes := map[string]map[defects.Reaction]int{}
	err := bed.Try(ctx, chosen, func(f defects.Finding) {
		if classes[f.Defect.Class] == nil {
			classes[f.Defect.Class] = map[defects.Reaction]int{}
		}
		classes[f.Defect.Class][f.Outcome]++
		fmt.Fprintf(out, "%s  %s  by %s\n", f.Outcome, f.Defect.ID, shortList(f.Specs))
		if complaint := f.Complaint(); complaint != "" {
			code = exitUnproved
			fmt.Fprintf(out, "    %s\n", complaint)
		}
	})
	if err != nil {
		return exitUsage, err
	}
	for _, class := range slices.Sorted(maps.Keys(classes)) {
		fmt.Fprintf(out, "\n%-14s", class)
		for _, outcome := range []defects.Reaction{defects.Accused, defects.Warned, defects.Incomplete, defects.Conformant,
			defects.Unseen} {
			fmt.Fprintf(out, "  %s %d", outcome, classes[class][outcome])
		}
	}
	fmt.Fprintf(out, "\n\n%s in %.0f s\n", reports.Plural(len(chosen), "independent defect", "independent defects"),
		time.Since(began).Seconds())
	return code, nil
}

// control makes sure that what is found with a defect is the defect.
func control(ctx context.Context, bed defects.Testbed) error {
	report, err := bed.Control(ctx)
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

// matrix prints proofs as they are made.
type matrix struct {
	out      io.Writer
	proofs   int
	warnings int
	missed   []defects.Proof
}

func (m *matrix) add(p defects.Proof) {
	m.proofs++
	word, by := "caught", shortList(p.Specs)
	switch {
	case !p.Changed:
		m.missed = append(m.missed, p)
		word, by = "IDLE", "nothing: it changed no exchange of the run"
	case !p.Caught():
		m.missed = append(m.missed, p)
		word, by = "MISSED", strings.TrimSpace(words(string(p.Outcome))+" "+p.Reason)
	case p.Outcome == reports.Warned:
		m.warnings++
		word = "warned"
	}
	fmt.Fprintf(m.out, "%s  %s → %s  by %s\n", word, p.Defect.ID, p.Requirement.ID, by)
}

func (m *matrix) sum(count int, took time.Duration) {
	for _, p := range m.missed {
		fmt.Fprintf(m.out, "\nMISSED %s\n  defect       %s\n  requirement  %s: %s\n  outcome      %s\n", p.Defect.ID, p.Defect.What,
			p.Requirement.ID, p.Requirement.Statement, strings.TrimSpace(words(string(p.Outcome))+" "+p.Reason))
	}
	caught := m.proofs - len(m.missed)
	fmt.Fprintf(m.out, "\n%s: %d of %d violations caught (%d by a warning), %d missed, in %.0f s\n",
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
