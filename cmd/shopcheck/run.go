package main

// shopcheck run: flags, the profile that follows from them, the run, the report folder.

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"shopcheck/cmd/manual"
	"shopcheck/fixtures"
	"shopcheck/reports"
	"shopcheck/suites"
	"shopcheck/suites/client"
	"shopcheck/suites/profile"
	"shopcheck/suites/suggest"
	"shopcheck/suites/topics"
)

// profileFlags say what is known of the target.
type profileFlags struct {
	target, profile, dialect string
	allowWrites, readOnly    bool
	set                      []string
	targetGiven              func() bool // also where it is empty
}

func (p *profileFlags) add(to *cobra.Command) {
	f := to.Flags()
	p.targetGiven = func() bool { return f.Changed("target") }
	f.StringVar(&p.target, "target", "", "base URL of the shop's API root")
	f.StringVar(&p.profile, "profile", "", "profile file (YAML) that says what is known of the target")
	f.StringVar(&p.dialect, "dialect", "", "what the shop calls things: neutral, woocommerce, a file of your own, or auto, which looks")
	f.BoolVar(&p.allowWrites, "allow-writes", false, "let the command write to a target that is not on this machine")
	f.StringArrayVar(&p.set, "set", nil, "set one key of the profile: credentials.read.key=ck_1 (may be repeated)")
}

// addReadOnly adds the flag of commands that can do without writing.
func (p *profileFlags) addReadOnly(to *cobra.Command) {
	to.Flags().BoolVar(&p.readOnly, "read-only", false, "write nothing: leave out the specs that write, and say what that leaves out")
}

type runFlags struct {
	profileFlags
	selectionFlags
	out      string
	strict   bool
	keep     bool
	seed     int64
	procs    string
	dryRun   bool
	baseline string
	formats  []string
	quiet    bool
	json     bool
	contract string
}

func runCommand(code *int) *cobra.Command {
	var flags runFlags
	run := &cobra.Command{
		Use:   "run",
		Short: "Run the suites and write a report. Without --target, against the reference shop in this process.",
		Long: `Run the suites against a target and write a report: report.json with exchanges.json.gz beside it, junit.xml and index.html.
Further forms by --format, any number of them; github are annotations on standard output. Where GITHUB_STEP_SUMMARY is set, the summary
is added to that file. With --json standard output is one JSON object a line, as it happens: run_start, plan, spec_start, spec_end, finding,
summary and others, each with its time.

Exit codes: 0 conformant, 1 not conformant, 2 usage or harness error, 3 incomplete, 130 interrupted. With --baseline 0 means that
nothing is new since that report (see shopcheck compare), and 1 that something is.

Every key of a profile can also be set by --set key=value or by an environment variable:
credentials.read_write.secret is SHOPCHECK_CREDENTIALS_READ_WRITE_SECRET.

Labels of a spec are its topic (cart, orders, …), the levels of what it verifies (must, should, observed), req:ID for each requirement and
feature:NAME for each feature that it needs. --focus is matched against the texts of the spec, from which its id is made.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) (err error) {
			out := cmd.OutOrStdout()
			if *code, err = conform(cmd.Context(), flags, cmd.InOrStdin(), out); err != nil && flags.json {
				(&events{out: out, now: time.Now}).failed(err)
			}
			return err
		},
	}
	f := run.Flags()
	flags.profileFlags.add(run)
	flags.addReadOnly(run)
	flags.selectionFlags.add(f)
	f.StringVar(&flags.out, "out", "out", "folder for the report")
	f.BoolVar(&flags.strict, "strict", false, "should statements fail too")
	f.BoolVar(&flags.keep, "keep", false, "leave what failed specs have made at the target, and say what that is and how to delete it")
	f.BoolVar(&flags.dryRun, "dry-run", false, "only look what the run would meet, as shopcheck doctor does")
	f.Int64Var(&flags.seed, "seed", 1, "order of the topics")
	f.StringVar(&flags.procs, "procs", autoProcs, "number of processes that share the specs; auto: as many as a slow target is worth")
	f.StringSliceVar(&flags.formats, "format", nil,
		"further forms of the report: "+strings.Join(allFormats(), ", "))
	addQuiet(f, &flags.quiet)
	f.BoolVar(&flags.json, "json", false, "tell what happens as JSON, one event a line, instead of text")
	f.StringVar(&flags.contract, "contract", "", "address of the contract document, for links from the report to its sections")
	f.StringVar(&flags.baseline, "baseline", "", "earlier report.json: only what is new since then fails the run")
	offerFormats(run, allFormats()...)
	run.MarkFlagsMutuallyExclusive("quiet", "json")
	run.MarkFlagsMutuallyExclusive("dry-run", "json")
	return run
}

// conform runs the suites and returns the exit code of their verdict.
func conform(ctx context.Context, flags runFlags, in io.Reader, out io.Writer) (code int, err error) {
	asked, err := flags.asked(in)
	if err != nil {
		return exitUsage, err
	}
	workers, err := workersOf(flags.procs)
	if err != nil {
		return exitUsage, err
	}
	if flags.dryRun {
		return diagnose(ctx, flags.profileFlags, suites.Options{Label: flags.label, Focus: flags.focus, Specs: asked.specs,
			Shard: asked.shard, Strict: flags.strict, Baseline: asked.baseline, Workers: workers}, false, out)
	}
	if err := reports.PrepareFolder(flags.out); err != nil {
		return exitUsage, err
	}
	shop, err := findSubject(flags.profileFlags)
	if err != nil {
		return exitUsage, err
	}
	defer func() {
		if stopErr := shop.stop(); stopErr != nil && err == nil {
			code, err = exitUsage, stopErr
		}
	}()
	runID := suites.NewRunID()
	cleanup := cleanupLine(flags, runID)
	story := flags.narrator(ctx, out, asked, runID)
	story.open(shop, asked)
	onLeaving(ctx, fmt.Sprintf("left at %s is what the run has made; this deletes it:\n  %s\n",
		reports.SanitizeLine(shop.profile.Target), cleanup))
	stopTicking := every(story.tick)
	archive := new(reports.Archive)
	report, runErr := suites.Run(ctx, suites.Options{
		Profile: shop.profile, Topics: topics.All(), Reading: topics.Reading(), Label: flags.label, Focus: flags.focus,
		Specs: asked.specs, Shard: asked.shard, Strict: flags.strict, Keep: flags.keep, Cleanup: cleanup, Seed: flags.seed,
		Progress: &folderOwner{story, flags.out}, Workers: shop.sharing(workers), RunID: runID, Version: manual.Version(),
		Arguments: flags.arguments(), Contract: flags.contract, Baseline: asked.baseline, Archive: archive,
	})
	stopTicking() // nothing of how far it is may come among the lines of what it found
	if report.Verdict == reports.Interrupted {
		runErr = nil // it is the verdict, and no fault
	}
	if errors.Is(runErr, suites.ErrSelection) { // a slip of the pen: the report that is there stays
		return exitUsage, runErr
	}
	// A run that could not begin is reported too: else the folder would go on showing the run before it.
	code, err = publish(report, archive, asked.baseline, flags.out, flags.formats, story, out)
	if runErr != nil {
		return exitUsage, errors.Join(runErr, err)
	}
	return code, err
}

// cleanupLine is the command that deletes what a run has left.
func cleanupLine(flags runFlags, runID string) string {
	var line []string
	for _, word := range append([]string{"shopcheck", "cleanup"}, append(flags.profileFlags.arguments(), "--run", runID)...) {
		line = append(line, reports.ShellWord(word))
	}
	return strings.Join(line, " ")
}

// asked is what a command line asks for, with what it names read already: rather now than after the run, and before it is written over.
type asked struct {
	label, focus string
	specs        []string
	shard        *suites.Shard
	baseline     *reports.Report
	earlier      *reports.Report // whose durations count
}

func (f runFlags) asked(in io.Reader) (a asked, err error) {
	a.label, a.focus = f.label, f.focus
	if a.baseline, err = readEarlier("--baseline", f.baseline); err != nil {
		return a, err
	}
	if a.earlier, err = readEarlier("--durations", f.durations); err != nil {
		return a, err
	}
	if a.specs, err = f.ids(in); err != nil {
		return a, err
	}
	if a.shard, err = f.part(a.earlier, os.LookupEnv); err != nil {
		return a, err
	}
	if f.json && slices.Contains(f.formats, annotations) {
		return a, fmt.Errorf("--json and --format %s both go to standard output: choose one", annotations)
	}
	return a, checkFormats(f.formats)
}

// narrator tells of a run while it goes on and of its report, to people or to programs.
type narrator interface {
	suites.Progress
	// open comes first: what is tested.
	open(shop subject, a asked)
	// tick comes every second.
	tick()
	// published comes when the report is in its folder.
	published(r *reports.Report, folder string) error
}

func (f runFlags) narrator(ctx context.Context, out io.Writer, a asked, runID string) narrator {
	if f.json {
		return &events{out: out, now: time.Now, runID: runID}
	}
	c := newConsole(out)
	c.pace.known, c.cleanup, c.folder = durationsOf(a.earlier), cleanupLine(f, runID), f.out
	c.stopping = func() bool { return ctx.Err() != nil }
	c.hush(f.quiet)
	return c
}

// addQuiet adds the flag of commands that tell how far they are.
func addQuiet(f *pflag.FlagSet, quiet *bool) {
	f.BoolVar(quiet, "quiet", false, "show nothing while it goes on, only what it found and its verdict")
}

// publish writes the report in all its forms, tells where it is and what changed since the baseline, and returns the exit code.
func publish(report *reports.Report, archive *reports.Archive, baseline *reports.Report, folder string, formats []string,
	story narrator, out io.Writer) (int, error) {
	if baseline != nil {
		report.Changes = reports.Compare(baseline, report)
	}
	if err := archive.WriteFolder(folder, report, filesOf(formats)...); err != nil {
		return exitUsage, err
	}
	if err := story.published(report, folder); err != nil {
		return exitUsage, err
	}
	if err := tellGitHub(report, slices.Contains(formats, annotations), out); err != nil {
		return exitUsage, err
	}
	return exitCode(report), nil
}

// checkFormats refuses names that no form has.
func checkFormats(names []string) error {
	for _, name := range filesOf(names) {
		if _, err := reports.FormatsNamed([]string{name}); err != nil {
			return fmt.Errorf("--format: %w, %s%s", err, annotations, suggest.Likely(name, allFormats()))
		}
	}
	return nil
}

// filesOf leaves the forms that are files.
func filesOf(formats []string) []string {
	return slices.DeleteFunc(slices.Clone(formats), func(name string) bool { return name == annotations })
}

// allFormats lists the names that --format takes.
func allFormats() []string { return append(reports.FurtherFormats(), annotations) }

// annotations is the form that goes to standard output.
const annotations = "github"

// tellGitHub writes annotations where they are asked for, and the summary of the job where GitHub Actions says where.
func tellGitHub(report *reports.Report, annotate bool, out io.Writer) (err error) {
	if annotate {
		if err := reports.WriteAnnotations(out, report); err != nil {
			return err
		}
	}
	summary := os.Getenv("GITHUB_STEP_SUMMARY")
	if summary == "" {
		return nil
	}
	file, err := os.OpenFile(summary, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
	if err != nil {
		return fmt.Errorf("write the summary of the job (GITHUB_STEP_SUMMARY): %w", err)
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	return reports.WriteMarkdown(file, report)
}

// folderOwner takes the older report away as soon as the run has begun: one that is killed must not leave it to be read as its own.
type folderOwner struct {
	narrator
	folder string
}

// Begin implements suites.Progress.
func (o *folderOwner) Begin(specs []suites.Planned) {
	if err := reports.ClearFolder(o.folder); err != nil {
		o.Note(err.Error())
	}
	o.narrator.Begin(specs)
}

// readEarlier reads the report that a flag names, nil where it names none.
func readEarlier(flag, place string) (*reports.Report, error) {
	if place == "" {
		return nil, nil
	}
	if slices.Contains(fixtures.Baselines(), place) {
		return nil, fmt.Errorf("%s takes an earlier report; %s is a list of known deviations, for baseline in the profile: "+
			"--set baseline=%[2]s",
			flag, place)
	}
	report, err := readReport(place)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", flag, err)
	}
	return report, nil
}

// arguments are those of a command line that runs specs against the same target again. Secrets are not among them: they come from
// the environment then.
func (f runFlags) arguments() []string {
	args := f.profileFlags.arguments()
	if f.strict {
		args = append(args, "--strict")
	}
	if f.readOnly {
		args = append(args, "--read-only")
	}
	return args
}

// arguments are those that say what is known of the target.
func (p profileFlags) arguments() []string {
	var args []string
	if p.target != "" {
		args = append(args, "--target", p.target)
	}
	if p.profile != "" {
		args = append(args, "--profile", p.profile)
	}
	if p.dialect != "" {
		args = append(args, "--dialect", p.dialect)
	}
	for _, assignment := range p.set {
		if key, _, _ := strings.Cut(assignment, "="); !profile.IsSecret(key) {
			args = append(args, "--set", assignment)
		}
	}
	if p.allowWrites {
		args = append(args, "--allow-writes")
	}
	return args
}

// exitCode is that of the verdict, or with a baseline of what changed since then: deviations that were there then do not fail the run.
// What is wrong with the run itself, or with its waivers, still does.
func exitCode(report *reports.Report) int {
	comparison := report.Changes
	if comparison == nil {
		return report.ExitCode
	}
	misfit := slices.ContainsFunc(report.Waivers, reports.Waiver.Misfit)
	isJudged := report.Verdict == reports.Conformant || report.Verdict == reports.NotConformant && !misfit
	if isJudged || comparison.ExitCode() == reports.NotComparable {
		return comparison.ExitCode()
	}
	return report.ExitCode
}

// subject is the shop that a run is about.
type subject struct {
	profile profile.Profile
	name    string // for people
	stop    func() error
	isHere  bool // the shop runs in this process
}

// sharing returns how a run about the shop is split. Where nobody says a number, a shop in this process gets no processes beside it: if it
// is slow, the machine is, and they would make it slower.
func (s subject) sharing(asked *suites.Workers) *suites.Workers {
	if s.isHere && asked != nil && asked.Count == 0 {
		return nil
	}
	return asked
}

// findSubject joins defaults, file, environment and flags, each over the one before, and starts the reference
// shop when nothing is said about a target.
func findSubject(flags profileFlags) (subject, error) {
	profile, err := readProfile(flags)
	switch {
	case err != nil:
		return subject{}, err
	case flags.targetGiven() && flags.target == "": // most likely a variable that is not set
		return subject{}, errNoTarget
	case profile.Target != "":
		return subject{profile: profile, name: profile.Target, stop: func() error { return nil }}, nil
	case flags.meansTarget():
		return subject{}, errNoTarget
	}
	url, stop, err := startMock()
	if err != nil {
		return subject{}, err
	}
	flags.target = url
	if profile, err = profileOver(mockProfile(url), flags); err != nil {
		return subject{}, errors.Join(err, stop())
	}
	return subject{profile, "the reference shop, in this process", stop, true}, nil
}

// errNoTarget keeps a job whose variable is empty from passing on the reference shop.
var errNoTarget = errors.New("the target is empty: name it by --target, SHOPCHECK_TARGET, or target in the profile " +
	"(without any of these and without a profile, the reference shop in this process is tested)")

// meansTarget reports whether somebody meant to say what the target is.
func (p profileFlags) meansTarget() bool {
	_, inEnvironment := os.LookupEnv(profile.EnvironmentName("target"))
	isSet := slices.ContainsFunc(p.set, func(assignment string) bool { return strings.HasPrefix(assignment, "target=") })
	return p.profile != "" || inEnvironment || isSet
}

func readProfile(flags profileFlags) (profile.Profile, error) {
	return profileOver(profile.New(""), flags)
}

func profileOver(base profile.Profile, flags profileFlags) (profile.Profile, error) {
	p := base
	if flags.profile != "" {
		loaded, err := profile.Load(flags.profile, base, os.LookupEnv)
		if err != nil {
			return profile.Profile{}, err
		}
		p = loaded
	}
	if err := profile.RefuseUnknownVariables(os.Environ(), client.CurlVariables()); err != nil {
		return profile.Profile{}, err
	}
	if err := p.OverrideFromEnvironment(os.LookupEnv); err != nil {
		return profile.Profile{}, err
	}
	for _, assignment := range flags.set {
		key, value, found := strings.Cut(assignment, "=")
		if !found {
			return profile.Profile{}, fmt.Errorf("--set %s: write key=value", key)
		}
		if err := p.Set(key, value); err != nil {
			return profile.Profile{}, fmt.Errorf("--set: %w", err)
		}
	}
	if flags.target != "" {
		p.Target = flags.target
	}
	p.Dialect = cmp.Or(flags.dialect, p.Dialect)
	p.AllowWrites = p.AllowWrites || flags.allowWrites
	p.ReadOnly = p.ReadOnly || flags.readOnly
	return p, nil
}
