package reports

// The page in a real browser: it fits every width, its filters and links work, it stays inert and quick.

import (
	"bytes"
	"fmt"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
)

func TestPageFitsEveryWidthInBothThemes(t *testing.T) {
	browser := newBrowser(t)
	for name, sample := range samples() {
		for _, theme := range []string{"light", "dark"} {
			t.Run(name+"-"+theme, func(t *testing.T) {
				shown := openTab(t, browser, pageOf(t, sample), 1600)
				preference := &emulation.MediaFeature{Name: "prefers-color-scheme", Value: theme}
				command(shown, emulation.SetEmulatedMedia,
					emulation.SetEmulatedMediaParams{Features: []*emulation.MediaFeature{preference}})
				dark := evaluate[string](shown, `getComputedStyle(document.body).backgroundColor`) == "rgb(20, 22, 26)"
				if dark != (theme == "dark") {
					t.Errorf("the page is dark: %v", dark)
				}
				for _, width := range []int64{1600, 1100, 760, 380} {
					shown.do(chromedp.EmulateViewport(width, 1000))
					if over := tooWide(shown); over > 0 {
						t.Errorf("the page is %d px wider than a window of %d px", over, width)
					}
					if width == 1600 || width == 380 {
						keepScreenshot(t, shown, fmt.Sprint(width))
					}
				}
				if hidden := evaluate[[]string](shown, squeezedLines); len(hidden) > 0 {
					t.Errorf("buttons leave no room for %q", hidden)
				}
				if faint := evaluate[[]string](shown, faintTexts); len(faint) > 0 {
					t.Errorf("texts have less contrast than 4.5:\n%s", strings.Join(faint, "\n"))
				}
				shown.mustBeQuiet()
			})
		}
	}
}

// squeezedLines lists the lines to copy that have less than half of the room of their box.
const squeezedLines = `[...document.querySelectorAll(".curl code")]
  .filter(code => code.offsetWidth && code.offsetWidth < code.parentElement.offsetWidth / 2).map(code => code.textContent)`

// faintTexts lists one text of each pair of colours that WCAG 2 (AA) calls too much alike. Colours are read from a canvas, which knows
// all ways to write them.
const faintTexts = `(() => {
  const canvas = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
  canvas.canvas.width = canvas.canvas.height = 1;
  const over = (below, colour) => {
    canvas.fillStyle = below; canvas.fillRect(0, 0, 1, 1);
    canvas.fillStyle = colour; canvas.fillRect(0, 0, 1, 1);
    return "rgb(" + [...canvas.getImageData(0, 0, 1, 1).data].slice(0, 3).join(" ") + ")";
  };
  const behind = element => element ? over(behind(element.parentElement), getComputedStyle(element).backgroundColor) : "#fff";
  const light = colour => colour.match(/\d+/g).map(part => part / 255)
    .map(part => part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4)
    .reduce((sum, part, i) => sum + part * [0.2126, 0.7152, 0.0722][i], 0.05);
  const found = new Map();
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const element = texts.currentNode.parentElement, text = texts.currentNode.textContent.trim();
    if (!text || !element.checkVisibility()) continue;
    const back = behind(element), front = over(back, getComputedStyle(element).color);
    const [dark, bright] = [light(front), light(back)].sort((a, b) => a - b);
    if (bright / dark < 4.5) found.set(front + back, front + " on " + back + ": " + text.slice(0, 40));
  }
  return [...found.values()];
})()`

// tooWide is by how many pixels the page would have to be scrolled sideways.
func tooWide(b *tab) int {
	b.t.Helper()
	return evaluate[int](b, `document.documentElement.scrollWidth - innerWidth`)
}

// filters is a failing report's page, and what its filters are expected to leave.
type filters struct {
	*tab
	sample *Report
}

func openFilters(t *testing.T) filters {
	sample := failingSample()
	return filters{openTab(t, newBrowser(t), pageOf(t, sample), 1600), sample}
}

// count is how many of the report's specs match.
func (f filters) count(matches func(Spec) bool) int {
	return len(slices.DeleteFunc(slices.Clone(f.sample.Specs), func(s Spec) bool { return !matches(s) }))
}

// shows expects so many rows, and the same number in words.
func (f filters) shows(want int) {
	f.t.Helper()
	if got := shownSpecs(f.tab); got != want {
		f.t.Errorf("%d specs are shown, wanted %d", got, want)
	}
	said := evaluate[string](f.tab, `document.querySelector('#shown').textContent`)
	if want > 0 && !strings.HasPrefix(said, fmt.Sprint(want)) {
		f.t.Errorf("the page says %q, wanted %d", said, want)
	}
}

func (f filters) choose(facet, value string) {
	f.t.Helper()
	evaluate[bool](f.tab, fmt.Sprintf(`(() => { const select = document.querySelector('select[data-facet=%s]');
		select.value = %q; return select.dispatchEvent(new Event('change')); })()`, facet, value))
}

func hasFailed(s Spec) bool { return s.Outcome == Failed }

func TestSearch(t *testing.T) {
	f := openFilters(t)
	for _, c := range []struct {
		text    string
		matches func(Spec) bool
	}{
		{"status REACHES", func(s Spec) bool { return strings.Contains(s.Title(), "status reaches") }},
		{"cart.amounts.minor-units", func(s Spec) bool { return slices.Contains(s.Requirements, "cart.amounts.minor-units") }},
		{"post /shop/store/v1/cart/add-item", func(s Spec) bool { return len(s.Exchanges) > 0 }},
	} {
		t.Run(c.text, func(t *testing.T) {
			f.t = t
			f.search(c.text)
			f.shows(f.count(c.matches))
			f.do(chromedp.KeyEvent("\x1b"))
			f.shows(len(f.sample.Specs))
		})
	}
}

func TestTheStrokeLeadsToTheSearch(t *testing.T) {
	f := openFilters(t)
	// A whole key press would type the stroke as well: the protocol sends it on although the page takes the key.
	if !evaluate[bool](f.tab,
		`document.activeElement.blur(), document.body.dispatchEvent(new KeyboardEvent('keydown', {key: '/', bubbles: true})),
		document.activeElement.id === 'q'`) {
		t.Error("the stroke doesn't lead to the search field")
	}
	f.do(chromedp.KeyEvent("cart.amounts.minor-units"))
	f.shows(1)
}

func TestFilters(t *testing.T) {
	f := openFilters(t)
	f.shows(len(f.sample.Specs))
	f.click(`[data-outcome="failed"]`)
	f.shows(f.count(hasFailed))
	f.click(`[data-outcome="warned"]`)
	f.shows(f.count(func(s Spec) bool { return hasFailed(s) || s.Outcome == Warned }))
	f.choose("level", "should")
	f.choose("topic", "orderstate")
	f.shows(0)
	if !evaluate[bool](f.tab, `document.querySelector('#nothing').offsetParent !== null`) {
		t.Error("the page doesn't say that nothing matches")
	}
	f.click("#clear")
	f.shows(len(f.sample.Specs))
	f.choose("feature", "coupons")
	f.shows(3)
}

func TestFiltersAreInTheLink(t *testing.T) {
	f := openFilters(t)
	f.click(`[data-outcome="failed"]`)
	f.choose("topic", "orderstate")
	failedStates := f.count(func(s Spec) bool { return hasFailed(s) && s.Topic == "orderstate" })
	f.shows(failedStates)
	label := evaluate[string](f.tab, `document.querySelector('[data-outcome="failed"] b').textContent`)
	if label != fmt.Sprint(failedStates) {
		t.Errorf("the chip counts %s failed specs of the topic, wanted %d", label, failedStates)
	}
	shared := evaluate[string](f.tab, `location.href`)
	if _, fragment, _ := strings.Cut(shared, "#"); fragment != "outcome=failed&topic=orderstate" {
		t.Errorf("the link is %s", shared)
	}
	f.do(chromedp.Navigate("about:blank"))
	f.open(shared)
	f.shows(failedStates)
}

// shownSpecs counts the rows that a reader sees.
func shownSpecs(b *tab) int {
	b.t.Helper()
	return evaluate[int](b, `[...document.querySelectorAll('.spec')].filter(row => row.offsetParent !== null).length`)
}

func TestDeepLinks(t *testing.T) {
	sample := failingSample()
	shown := openTab(t, newBrowser(t), pageOf(t, sample), 1600)

	spec := sample.Specs[slices.IndexFunc(sample.Specs, func(s Spec) bool { return s.Outcome == Failed })]
	if n := evaluate[int](shown, `document.querySelectorAll('.directions').length`); n != 0 {
		t.Errorf("%d exchanges are in the page before anybody opened one", n)
	}
	follow(shown, "#spec="+url.QueryEscape(spec.ID))
	row := fmt.Sprintf(`document.getElementById(%q)`, "spec="+spec.ID)
	if !evaluate[bool](shown, row+`.open`) {
		t.Error("the link to a spec doesn't open it")
	}
	if !evaluate[bool](shown, row+`.getBoundingClientRect().top >= document.querySelector('.filter').getBoundingClientRect().bottom`) {
		t.Error("the open spec begins under the filters")
	}
	if n := evaluate[int](shown, row+`.querySelectorAll('.exchange').length`); n != len(spec.Exchanges) {
		t.Errorf("the open spec shows %d exchanges, wanted %d", n, len(spec.Exchanges))
	}
	if text := evaluate[string](shown, row+`.querySelector('.finding').textContent`); !strings.Contains(text, spec.Findings[0].Message) {
		t.Errorf("the open spec shows the finding %q", text)
	}
	keepScreenshot(t, shown, "open")

	follow(shown, "#req=auth.read-key.writes")
	if !evaluate[bool](shown, `(() => { const place = document.getElementById('req=auth.read-key.writes').getBoundingClientRect();
			return place.height > 0 && place.top >= 0 && place.bottom < innerHeight; })()`) {
		t.Error("the link to a requirement doesn't bring it into view")
	}
	keepScreenshot(t, shown, "requirement")
	shown.mustBeQuiet()
}

// follow goes to another hash of the page, as a click on a link does.
func follow(b *tab, hash string) {
	b.t.Helper()
	evaluate[bool](b, fmt.Sprintf(`new Promise(done => {
		const frames = (n) => n ? requestAnimationFrame(() => frames(n - 1)) : done(true);
		addEventListener('hashchange', () => setTimeout(() => filling.then(() => frames(12)), 100), {once: true});
		location.hash = %q;
	})`, hash))
}

func TestExchangesAreLaidOutAndPointToTheFinding(t *testing.T) {
	shown := openTab(t, newBrowser(t), pageOf(t, failingSample()), 380)
	spec := "spec=cart-the-cart-record-has-every-amount-in-minor-units"
	follow(shown, "#"+spec)
	keepScreenshot(t, shown, "open")
	body := fmt.Sprintf(`document.getElementById(%q).querySelector('.hit')`, spec)
	if got := evaluate[string](shown, body+`.textContent`); got != `"19.00"` {
		t.Errorf("the mark is on %s", got)
	}
	laidOut := evaluate[string](shown, body+`.closest('.payload').textContent`)
	if !strings.HasPrefix(laidOut, "{\n  \"items\": [\n    {\n      \"key\": \"a5771bce93e200c36f7cd9dfd0e5deaa\",\n") {
		t.Errorf("the body is laid out as\n%s", laidOut)
	}
	if strings.Join(strings.Fields(laidOut), "") != strings.Join(strings.Fields(sampleCart), "") {
		t.Errorf("laying out changed the body to\n%s", laidOut)
	}
	if over := tooWide(shown); over > 0 {
		t.Errorf("the open exchange makes the page %d px wider than the window", over)
	}
}

// A body of 16 KiB of brackets laid out with an indentation for each would be hundreds of megabytes.
func TestBodiesThatNestDeepStaySmall(t *testing.T) {
	shown := openTab(t, newBrowser(t), pageOf(t, passingSample()), 1600)
	const depth = 16 << 10
	length := evaluate[int](shown, fmt.Sprintf(`(() => { const pre = document.createElement('pre');
		indentJSON(pre, '['.repeat(%d), 'no.such.place'); return pre.textContent.length; })()`, depth))
	if length < depth || length > 100*depth {
		t.Errorf("%d brackets are laid out in %d characters", depth, length)
	}
}

func TestAButtonThatCopiesSaysItsNameAgain(t *testing.T) {
	shown := openTab(t, newBrowser(t), pageOf(t, failingSample()), 1600)
	label := evaluate[string](shown, `(async () => { const button = copyButton('Copy body', () => 'a'); document.body.append(button);
		for (let clicks = 0; clicks < 2; clicks++) { button.click(); await new Promise(done => setTimeout(done, 200)); }
		const copied = button.textContent;
		await new Promise(done => setTimeout(done, 2500)); return copied + ', ' + button.textContent; })()`)
	if !strings.HasSuffix(label, ", Copy body") || label == "Copy body, Copy body" {
		t.Errorf("after two clicks, and then some seconds later, the button says %s", label)
	}
}

func TestALinkWithAnUnknownOrderIsFollowed(t *testing.T) {
	sample := failingSample()
	shown := openTab(t, newBrowser(t), pageOf(t, sample), 1600)
	follow(shown, "#order=__proto__&spec="+url.QueryEscape(sample.Specs[0].ID))
	if !evaluate[bool](shown, fmt.Sprintf(`document.getElementById(%q).open`, "spec="+sample.Specs[0].ID)) {
		t.Error("the spec of the link isn't open")
	}
	shown.mustBeQuiet()
}

func TestThemeToggle(t *testing.T) {
	shown := openTab(t, newBrowser(t), pageOf(t, passingSample()), 1600)
	colour := func() string { return evaluate[string](shown, `getComputedStyle(document.body).backgroundColor`) }
	first := colour()
	shown.click("#theme")
	shown.click("#theme")
	if label := evaluate[string](shown, `document.querySelector('#theme').textContent`); label != "Theme: dark" || colour() == first {
		t.Errorf("after two clicks the button says %q and the page is %s", label, colour())
	}
}

func TestWithoutScriptTheVerdictAndTheFailuresAreThere(t *testing.T) {
	sample := failingSample()
	shown := openTab(t, newBrowser(t), pageOf(t, sample), 380, func(b *tab) {
		command(b, emulation.SetScriptExecutionDisabled, emulation.SetScriptExecutionDisabledParams{Value: true})
	})
	shown.do(chromedp.EmulateViewport(380, 30_000)) // what is out of view is not drawn, and has no text
	for range 2 {                                   // a picture waits for what is in view
		command(shown, page.CaptureScreenshot, page.CaptureScreenshotParams{})
	}
	text, err := chromedp.Run(shown.ctx, chromedp.Text(chromedp.CSS("main")))
	if err != nil {
		t.Fatal(err)
	}
	wanted := append([]string{sample.Verdict.Title()}, sample.Reasons...)
	for _, cause := range Causes(sample) {
		if cause.Outcome == Failed {
			wanted = append(wanted, cause.Requirement, requirementOf(sample, cause.Requirement).Statement, cause.Message,
				cause.Want, cause.Got, sample.Found(cause)[0].Exchanged().Curl)
		}
	}
	for _, fact := range wanted {
		if !strings.Contains(text, fact) {
			t.Errorf("a reader without scripts doesn't see %q", fact)
		}
	}
	if strings.Contains(text, "Copy curl") {
		t.Error("a reader without scripts sees buttons that do nothing")
	}
}

func TestHostileTextStaysInert(t *testing.T) {
	browser := newBrowser(t)
	for name, report := range hostileReports() {
		t.Run(name, func(t *testing.T) {
			content := pageOf(t, report)
			// Without its policy: the escaping has to hold by itself.
			bare := bytes.Replace(content, []byte(`http-equiv="Content-Security-Policy"`), nil, 1)
			if len(bare) == len(content) {
				t.Fatal("the page has no policy")
			}
			shown := openTab(t, browser, bare, 1600)
			evaluate[bool](shown, `new Promise(done => {
				for (let i = 0; i < 3; i++) for (const details of document.querySelectorAll('details')) details.open = true;
				setTimeout(() => filling.then(() => {
					for (const details of document.querySelectorAll('details')) details.open = true;
					setTimeout(() => filling.then(() => done(true)), 300);
				}), 300);
			})`)
			if n := evaluate[int](shown, `document.querySelectorAll('.directions').length`); n == 0 {
				t.Error("no exchange was opened, so this test proves little")
			}
			if n := evaluate[int](shown, `(window.pwned || 0) + document.querySelectorAll('img, iframe, main style, [onerror], [onload], `+
				`a[href^="javascript"]').length`); n != 0 {
				t.Errorf("hostile text came alive in %d places", n)
			}
			shown.mustBeQuiet()
		})
	}
}

func TestThePolicyStopsWhatTheEscapingWouldMiss(t *testing.T) {
	content := bytes.Replace(pageOf(t, failingSample()), []byte("<main>"),
		[]byte(`<main><script>window.pwned = 1</script><img src="https://elsewhere.example/x.png" onerror="window.pwned = 1">`), 1)
	shown := openTab(t, newBrowser(t), content, 1600)
	if evaluate[bool](shown, `window.pwned === 1`) {
		t.Error("a script that was slipped in ran")
	}
	if shownSpecs(shown) == 0 {
		t.Error("the policy also stops the page itself")
	}
	shown.mustBeQuiet()
}

// What a large report costs is told by its elements. The times are only logged: they say as much about the machine.
func TestALargeReportStaysQuick(t *testing.T) {
	large := failingSample()
	for len(large.Specs) < 1000 {
		for _, spec := range passingSample().Specs {
			spec.ID = fmt.Sprintf("%s-%d", spec.ID, len(large.Specs))
			spec.Exchanges = slices.Concat(spec.Exchanges, spec.Exchanges, spec.Exchanges)
			large.Specs = append(large.Specs, spec)
		}
	}
	content := pageOf(t, large)
	shown := openTab(t, newBrowser(t), content, 1600)
	elements := evaluate[int](shown, `document.querySelectorAll('*').length`)
	loaded := evaluate[float64](shown, `performance.getEntriesByType('navigation')[0].loadEventStart`)
	filtering := evaluate[float64](shown, `(() => {
		const before = performance.now();
		document.querySelector('#q').value = 'order';
		document.querySelector('#q').dispatchEvent(new Event('input'));
		document.body.offsetHeight;
		return performance.now() - before;
	})()`)
	t.Logf("%d specs in %d KiB: %d elements, loaded in %.0f ms, filtered in %.0f ms", len(large.Specs), len(content)>>10, elements,
		loaded, filtering)
	if perSpec := elements / len(large.Specs); perSpec > 30 {
		t.Errorf("the page holds %d elements a spec: the exchanges are no longer made on demand", perSpec)
	}
}

// manyFailures is a run in which each of n specs finds something else.
func manyFailures(n int) *Report {
	report := failingSample()
	template := report.Specs[slices.IndexFunc(report.Specs, func(s Spec) bool { return s.Outcome == Failed })]
	for i := range n {
		spec := template
		spec.ID = fmt.Sprintf("many-%d", i)
		spec.Requirements = []string{fmt.Sprintf("many.requirement-%d", i)}
		finding := spec.Findings[0]
		finding.Requirement = spec.Requirements[0]
		finding.Path = fmt.Sprintf("field_%s.part", strings.Repeat(string(rune('a'+i%26)), 1+i/26))
		spec.Findings = []Finding{finding}
		report.Specs = append(report.Specs, spec)
		report.Requirements = append(report.Requirements, Requirement{ID: finding.Requirement, Level: Must, Section: "Many",
			Statement: "One of many.", Feature: "management", Outcome: Failed, Specs: []string{spec.ID}})
	}
	return report
}

// countAtFirstPicture is a script that keeps the number of elements, as early, in the first picture after the page's own script ran. It is
// no event of loading: a busy browser draws before it tells that the document is there. Whatever is called for that picture counts, the
// page's own work, too: a callback that was asked for before the page's script may come late.
const countAtFirstPicture = `{
	const ask = requestAnimationFrame;
	const count = () => {
		if (typeof started !== 'undefined') window.early ??= document.getElementsByTagName('*').length;
	};
	window.requestAnimationFrame = (work) => ask((time) => { count(); work(time); });
	requestAnimationFrame(function again() { if (!window.early) requestAnimationFrame(again); });
}`

// What the first picture waits for doesn't grow with the run. The time itself is only logged: it says as much about the machine.
func TestTheFirstPictureWaitsForLittle(t *testing.T) {
	browser := newBrowser(t)
	elements := map[int]int{}
	for _, n := range []int{300, 600} {
		report := manyFailures(n)
		repeated := report.Specs[len(report.Specs)-1]
		for i := range n { // one more finding that is found everywhere
			repeated.ID = fmt.Sprintf("repeated-%d", i)
			report.Specs = append(report.Specs, repeated)
		}
		content := pageOf(t, report)
		shown := openTab(t, browser, content, 1600, func(b *tab) {
			command(b, page.AddScriptToEvaluateOnNewDocument, page.AddScriptToEvaluateOnNewDocumentParams{Source: countAtFirstPicture})
		})
		elements[n] = evaluate[int](shown, `early`)
		all := evaluate[int](shown, `document.getElementsByTagName('*').length`)
		t.Logf("%d failures in %d KiB: %d elements for the first picture, after %.0f ms, then %d", 2*n, len(content)>>10, elements[n],
			evaluate[float64](shown, `performance.getEntriesByName('first-contentful-paint')[0].startTime`), all)
		if all < 20*n {
			t.Errorf("of %d failures the page shows %d elements", n, all)
		}
		if scripts := evaluate[int](shown, `$$('script:not([type])').reduce((sum, s) => sum + s.textContent.length, 0)`); scripts > 40<<10 {
			t.Errorf("%d bytes of script run before the first picture", scripts)
		}
	}
	if elements[300] > 3000 || elements[600] > elements[300]+100 {
		t.Errorf("the first picture waits for as many elements as there are failures: %v", elements)
	}
}

func TestManyFindingsAreDrawnAsTheyComeIntoView(t *testing.T) {
	report := manyFailures(300)
	if n := len(Causes(report)); n < 300 {
		t.Fatalf("the sample has %d findings", n)
	}
	shown := openTab(t, newBrowser(t), pageOf(t, report), 1600)
	drawn := func() int {
		return evaluate[int](shown, `$$('.deviation > .finding').filter(f => f.checkVisibility({contentVisibilityAuto: true})).length`)
	}
	evaluate[bool](shown, `new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => done(true))))`)
	if n := drawn(); n > 40 {
		t.Errorf("%d findings are drawn in a window of 1000 px", n)
	}
	follow(shown, "#finding="+Causes(report)[250].ID)
	top := fmt.Sprintf(`document.getElementById('finding=%s').getBoundingClientRect().top`, Causes(report)[250].ID)
	if at := evaluate[float64](shown, top); at < 40 || at > 400 {
		t.Errorf("the finding of a link is at %v", at)
	}
}

// longLists is a run in which all that is listed has n entries.
func longLists(n int) *Report {
	report := manyFailures(n)
	for i := range n {
		report.Kept = append(report.Kept, Kept{Kind: "products", ID: int64(i), Specs: []string{report.Specs[i].ID}})
		report.Leftovers = append(report.Leftovers, fmt.Sprintf("/shop/v3/products/%d is left", i))
		report.Errors = append(report.Errors, fmt.Sprintf("shard %d is missing", i))
		report.Waivers = append(report.Waivers, Waiver{ID: fmt.Sprint(i), Reason: "Known.", Expires: "2030-01-01", State: "stale"})
		report.Requirements = append(report.Requirements, Requirement{ID: fmt.Sprintf("gap-%d", i), Level: Must, Section: "Many",
			Statement: "One of many.", Feature: "management", Outcome: CouldNotRun, Reason: fmt.Sprintf("product %d is gone", i)})
	}
	report.Changes = Compare(passingSample(), report)
	return report
}

func TestAReportFitsTenPagesOfPaper(t *testing.T) {
	browser := newBrowser(t)
	for name, report := range map[string]*Report{"few": failingSample(), "many": manyFailures(300), "none": passingSample(),
		"long lists": longLists(200)} {
		t.Run(name, func(t *testing.T) {
			shown := openTab(t, browser, pageOf(t, report), 1600)
			printed, err := chromedp.Call(shown.ctx, page.PrintToPDF, page.PrintToPDFParams{PrintBackground: new(true)})
			if err != nil {
				t.Fatal(err)
			}
			pages := len(regexp.MustCompile(`/Type /Page\b[^s]`).FindAll(printed.Data, -1))
			if pages < 1 || pages > 10 {
				t.Errorf("%d pages", pages)
			}
			if !evaluate[bool](shown, `$$('.deviation').every(d => d.open === d.matches('#failures *, #broken *'))`) {
				t.Error("after printing, other findings are unfolded than before")
			}
		})
	}
}

func TestKeysLeadThroughTheFindings(t *testing.T) {
	shown := openTab(t, newBrowser(t), pageOf(t, failingSample()), 1600)
	press := func(key string) {
		t.Helper()
		evaluate[bool](shown, fmt.Sprintf(
			`document.activeElement.dispatchEvent(new KeyboardEvent('keydown', {key: %q, bubbles: true}))`, key))
	}
	at := func() string {
		return evaluate[string](shown, `document.activeElement.closest('.deviation, .spec')?.id || ''`)
	}
	ids := evaluate[[]string](shown, `$$('.deviation').slice(0, 3).map(d => d.id)`)
	for _, step := range []struct{ key, want string }{
		{"j", ids[0]}, {"j", ids[1]}, {"j", ids[2]}, {"k", ids[1]}, {"k", ids[0]}, {"k", ids[0]},
	} {
		press(step.key)
		if got := at(); got != step.want {
			t.Errorf("%s leads to %q, wanted %q", step.key, got, step.want)
		}
	}
	press("?")
	if !evaluate[bool](shown, `$('#keys').open`) {
		t.Error("? shows no keys")
	}
	press("j")
	if evaluate[bool](shown, `(() => { $('#keys').close(); return true; })()`); at() != ids[0] {
		t.Errorf("a key went past the dialog, to %q", at())
	}
	shown.mustBeQuiet()
}

func TestAFindingAsMarkdownHoldsNothingThatIsAlive(t *testing.T) {
	report := failingSample()
	spec := &report.Specs[slices.IndexFunc(report.Specs, func(s Spec) bool { return s.Requirements[0] == "cart.amounts.minor-units" })]
	spec.Findings[0].Got = "```\n@everyone <img src=x> [a](http://b)\n````"
	spec.Findings[0].Path = "a`b"
	shown := openTab(t, newBrowser(t), pageOf(t, report), 1600)
	text := evaluate[string](shown, `markdownOf($$('.deviation').find(d => d.textContent.includes('everyone')))`)
	for _, want := range []string{"\n`````\n```\n@everyone <img src=x> [a](http://b)\n````\n`````\n",
		"`` The price of the item is not in minor units at a`b ``",
		"`cart.amounts.minor-units`", "shopcheck run ", "curl -s", "https://staging.shop.example/api"} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is not in\n%s", want, text)
		}
	}
	copied := evaluate[string](shown, `(async () => { let got = '';
		document.execCommand = () => { got = document.activeElement.value; return true; };
		navigator.clipboard.writeText = () => Promise.reject(new Error('no'));
		const finding = $$('.deviation').find(d => d.textContent.includes('everyone'));
		$('.markdown', finding).click(); await new Promise(done => setTimeout(done, 100));
		const markdown = got; $('.again > .copy', finding).click(); await new Promise(done => setTimeout(done, 100));
		return markdown + '\u0000' + got; })()`)
	if markdown, command, _ := strings.Cut(copied, "\x00"); markdown != text || !strings.HasPrefix(command, "shopcheck run ") {
		t.Errorf("the buttons copy %q", copied)
	}
}

func TestTheContentsKeepTheirLinesWhereTheReaderIs(t *testing.T) {
	shown := openTab(t, newBrowser(t), pageOf(t, failingSample()), 1600)
	if grown := evaluate[[]string](shown, `(() => { const links = $$('.contents a'); links.forEach(a => a.classList.remove('here'));
		const before = links.map(a => [a.offsetHeight, a.scrollWidth]);
		links.forEach(a => a.classList.add('here'));
		return links.filter((a, i) => a.offsetHeight !== before[i][0] || a.scrollWidth !== before[i][1]).map(a => a.textContent);
	})()`); len(grown) > 0 {
		t.Errorf("these grow where they are current: %q", grown)
	}
}

func TestAClickOnTheTimeLineOpensTheSpec(t *testing.T) {
	shown := openTab(t, newBrowser(t), pageOf(t, failingSample()), 1600)
	id := evaluate[string](shown, `new Promise(done => {
		addEventListener('hashchange', () => setTimeout(() => done(location.hash), 100), {once: true});
		const slow = entries.reduce((a, b) => (b.ms > a.ms ? b : a));
		const line = $('#line'); const box = line.getBoundingClientRect();
		const clientX = box.left + box.width * (slow.at + slow.ms / 2) / Number(line.dataset.span);
		const place = {bubbles: true, clientX, clientY: box.top + 14 * slow.lane + 5};
		line.dispatchEvent(new PointerEvent('pointermove', place));
		if (!$('#under').textContent.startsWith(duration(slow.ms))) done('the caption says ' + $('#under').textContent);
		line.dispatchEvent(new MouseEvent('click', place));
	})`)
	if !strings.HasPrefix(id, "#spec=") || !evaluate[bool](shown, fmt.Sprintf(`document.getElementById(%q).open`, id[min(1, len(id)):])) {
		t.Errorf("the click leads to %q", id)
	}
}

func TestTheOtherPagesFitEveryWidthAndKeepTheirPolicy(t *testing.T) {
	browser := newBrowser(t)
	var matrix, changes bytes.Buffer
	runs := []MatrixRun{{failingSample(), "a/index.html"}, {passingSample(), ""}}
	if err := NewMatrix(runs, true).WriteHTML(&matrix); err != nil {
		t.Fatal(err)
	}
	if err := Compare(passingSample(), failingSample()).WriteHTML(&changes); err != nil {
		t.Fatal(err)
	}
	for name, content := range map[string][]byte{"matrix": matrix.Bytes(), "changes": changes.Bytes()} {
		t.Run(name, func(t *testing.T) {
			shown := openTab(t, browser, content, 1600)
			for _, width := range []int64{1600, 380} {
				shown.do(chromedp.EmulateViewport(width, 1000))
				if over := tooWide(shown); over > 0 {
					t.Errorf("the page is %d px wider than a window of %d px", over, width)
				}
				keepScreenshot(t, shown, fmt.Sprint(width))
			}
			before := evaluate[string](shown, `getComputedStyle(document.body).backgroundColor`)
			shown.click("#theme")
			shown.click("#theme")
			if evaluate[string](shown, `getComputedStyle(document.body).backgroundColor`) == before {
				t.Error("the theme doesn't change")
			}
			shown.mustBeQuiet()
		})
	}
}
