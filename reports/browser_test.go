package reports

// The page in a real browser: what it looks like at both ends of the range of widths, that it works, that it stays inert.

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
)

// newBrowser starts a headless Chromium that ends with the test.
func newBrowser(t *testing.T) context.Context {
	t.Helper()
	path := chromium()
	if path == "" {
		t.Skip("no chromium, chromium-browser or google-chrome in PATH: the page is not looked at in a browser")
	}
	options := append(chromedp.DefaultExecAllocatorOptions[:],
		chromedp.ExecPath(path), chromedp.UserDataDir(t.TempDir()), chromedp.NoSandbox, chromedp.DisableGPU,
		chromedp.Flag("disable-quic", true), chromedp.Flag("disable-component-update", true))
	allocator, stop := chromedp.NewExecAllocator(t.Context(), options...)
	t.Cleanup(stop)
	browser, closeBrowser := chromedp.NewContext(allocator)
	t.Cleanup(closeBrowser)
	if err := chromedp.Do(browser); err != nil {
		t.Fatalf("start %s: %v", path, err)
	}
	return browser
}

func chromium() string {
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome", "google-chrome-stable"} {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	return ""
}

// tab is a page in the browser with all that a page must not do: errors, dialogs and requests.
type tab struct {
	t   *testing.T
	ctx context.Context
	url string

	mu       sync.Mutex
	faults   []string
	requests []string
}

// openTab shows the report in a window of the given size.
func openTab(t *testing.T, browser context.Context, r *Report, width, height int64) *tab {
	t.Helper()
	file := filepath.Join(t.TempDir(), "index.html")
	if err := os.WriteFile(file, pageOf(t, r), 0o600); err != nil {
		t.Fatal(err)
	}
	ctx, closeTab := chromedp.NewContext(browser)
	t.Cleanup(closeTab)
	opened := &tab{t: t, ctx: ctx, url: "file://" + file}
	if err := chromedp.Listen(ctx, opened.listen); err != nil {
		t.Fatal(err)
	}
	command(opened, network.Enable, network.EnableParams{})
	opened.do(chromedp.EmulateViewport(width, height), chromedp.Navigate(opened.url))
	return opened
}

func (b *tab) listen(event any) {
	b.mu.Lock()
	defer b.mu.Unlock()
	switch event := event.(type) {
	case *network.EventRequestWillBeSent:
		b.requests = append(b.requests, event.Request.URL)
	case *runtime.EventExceptionThrown:
		b.faults = append(b.faults, event.ExceptionDetails.Text+" "+string(event.ExceptionDetails.Exception.Description))
	case *page.EventJavascriptDialogOpening:
		b.faults = append(b.faults, "dialog: "+event.Message)
	}
}

// patience is how long one step in the browser may take, on a machine that does other things too.
const patience = time.Minute

func (b *tab) do(steps ...chromedp.Action[chromedp.Void]) {
	b.t.Helper()
	ctx, cancel := context.WithTimeout(b.ctx, patience)
	defer cancel()
	if err := chromedp.Do(ctx, steps...); err != nil {
		b.t.Fatal(err)
	}
}

func command[P, R any](b *tab, method cdp.Command[P, R], params P) {
	b.t.Helper()
	if _, err := chromedp.Call(b.ctx, method, params); err != nil {
		b.t.Fatal(err)
	}
}

// evaluate returns the value of an expression in the page, which may be a promise.
func evaluate[T any](b *tab, expression string) T {
	b.t.Helper()
	ctx, cancel := context.WithTimeout(b.ctx, patience)
	defer cancel()
	value, err := chromedp.Run(ctx, chromedp.Evaluate[T](expression, chromedp.EvalAwaitPromise))
	if err != nil {
		b.t.Fatalf("%s: %v", expression, err)
	}
	return value
}

// shownSpecs counts the rows that a reader sees.
func (b *tab) shownSpecs() int {
	b.t.Helper()
	return evaluate[int](b, `[...document.querySelectorAll('.spec')].filter(row => row.offsetParent !== null).length`)
}

// follow goes to another hash of the page, as a click on a link does.
func (b *tab) follow(hash string) {
	b.t.Helper()
	evaluate[bool](b, fmt.Sprintf(`new Promise(done => {
		addEventListener('hashchange', () => setTimeout(() => done(true)), {once: true});
		location.hash = %q;
	})`, hash))
}

// mustBeQuiet fails the test if the page asked the network for anything or broke.
func (b *tab) mustBeQuiet() {
	b.t.Helper()
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, fault := range b.faults {
		b.t.Errorf("the page broke: %s", fault)
	}
	for _, url := range b.requests {
		if url != b.url && !strings.HasPrefix(url, "data:image/svg+xml") && !strings.HasPrefix(url, b.url+"#") {
			b.t.Errorf("the page asked for %s", url)
		}
	}
	if len(b.requests) == 0 {
		b.t.Error("no request was seen at all, so this test proves nothing")
	}
}

func TestPageFitsEveryWidthInBothThemes(t *testing.T) {
	browser := newBrowser(t)
	for name, sample := range samples() {
		for _, width := range []int64{1600, 380} {
			for _, theme := range []string{"light", "dark"} {
				t.Run(fmt.Sprintf("%s-%d-%s", name, width, theme), func(t *testing.T) {
					shown := openTab(t, browser, sample, width, 1000)
					preference := &emulation.MediaFeature{Name: "prefers-color-scheme", Value: theme}
					command(shown, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Features: []*emulation.MediaFeature{preference}})
					if over := evaluate[int](shown, `document.documentElement.scrollWidth - innerWidth`); over > 0 {
						t.Errorf("the page is %d px wider than the window", over)
					}
					dark := evaluate[string](shown, `getComputedStyle(document.body).backgroundColor`) == "rgb(20, 22, 26)"
					if dark != (theme == "dark") {
						t.Errorf("the page is dark: %v", dark)
					}
					keepScreenshot(t, shown)
					shown.mustBeQuiet()
				})
			}
		}
	}
}

// keepScreenshot leaves a picture of the whole page in the test's artifacts (go test -artifacts), to be looked at.
func keepScreenshot(t *testing.T, shown *tab) {
	t.Helper()
	picture, err := chromedp.Run(shown.ctx, chromedp.FullScreenshot(100))
	if err != nil {
		t.Fatal(err)
	}
	name := strings.ReplaceAll(filepath.Base(t.Name()), "/", "-") + ".png"
	if err := os.WriteFile(filepath.Join(t.ArtifactDir(), name), picture, 0o600); err != nil {
		t.Fatal(err)
	}
}
