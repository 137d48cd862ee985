package main

// shopcheck selftest: the suites' own sharpness, proved against deliberate violations of the contract.

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"shopcheck/mockserver"
	"shopcheck/reports"
	"shopcheck/suites"
	"shopcheck/suites/contract"
	"shopcheck/suites/defects"
	"shopcheck/suites/topics"
)

// exitNotSharp is the exit code of a self-test that a defect slipped through.
const exitNotSharp = 1

func selftestCommand(code *int) *cobra.Command {
	var only string
	selftest := &cobra.Command{
		Use:   "selftest",
		Short: "Prove the suites: lay hundreds of deliberate violations over the reference shop, and see each one caught.",
		Long: `Lay each deliberate violation of the contract over the reference shop in this process, run the specs that verify what it
breaks, and print the matrix: the defect, the requirement that it breaks, and the spec that says so.

Exit codes: 0 every defect was caught, 1 one was not, 2 usage or harness error, 130 interrupted.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) (err error) {
			*code, err = proveSuites(cmd.Context(), only, cmd.OutOrStdout())
			return err
		},
	}
	selftest.Flags().StringVar(&only, "only", "", "only defects whose id, or a requirement that they break, begins so: cart.add-item")
	return selftest
}

// proveSuites prints a line for each proof and the sum. It returns the exit code.
func proveSuites(ctx context.Context, only string, out io.Writer) (int, error) {
	profile := mockProfile("http://127.0.0.1:1") // nobody listens there: requests go straight into the handler
	chosen := slices.DeleteFunc(defects.All(profile.Credentials), func(d defects.Defect) bool { return !isAbout(d, only) })
	if len(chosen) == 0 {
		return exitUsage, fmt.Errorf("no defect is about %q; shopcheck explain ID names those of a requirement", only)
	}
	for _, f := range contract.Features() {
		profile.Features[f.Name] = "on"
	}
	began, m := time.Now(), matrix{out: out}
	lab := defects.Lab{Profile: profile, Topics: topics.All(), Shop: newShop}
	if err := control(ctx, lab); err != nil {
		return exitUsage, err
	}
	if err := lab.Prove(ctx, chosen, m.add); err != nil {
		if ctx.Err() != nil {
			return suites.ExitCode(reports.Interrupted), fmt.Errorf("interrupted after %d proofs", m.proofs)
		}
		return exitUsage, err
	}
	m.sum(len(chosen), time.Since(began))
	if len(m.missed) > 0 {
		return exitNotSharp, nil
	}
	return 0, nil
}

// control makes sure that what is found with a defect is the defect.
func control(ctx context.Context, lab defects.Lab) error {
	report, err := lab.Control(ctx)
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
	fmt.Fprintf(m.out, "\n%d defects: %d of %d violations caught (%d by a warning), %d missed, in %.0f s\n",
		count, caught, m.proofs, m.warnings, len(m.missed), took.Seconds())
}

// newShop is a reference shop of its own.
func newShop() (http.Handler, error) {
	server, err := mockserver.New(mockserver.Options{})
	if err != nil {
		return nil, err
	}
	return server.Handler(), nil
}
