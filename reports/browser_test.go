package reports

// A real browser for the tests of the page.

import (
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"

	"shopcheck/fixtures/browser"
)

func newBrowser(t *testing.T) context.Context {
	t.Helper()
	return browser.Start(t, "the page is not looked at in a browser")
}

// tab is a page in the browser with all that a page must not do: errors, dialogs and requests.
type tab struct {
	t   *testing.T
	ctx context.Context
	url string

	mu       sync.Mutex
	faults   []string
	requests map[network.RequestID]string // without those that the page's policy blocked
}

// openTab shows a page from a file in a window of the given width.
func openTab(t *testing.T, chromium context.Context, content []byte, width int64, before ...func(*tab)) *tab {
	t.Helper()
	file := filepath.Join(t.TempDir(), "index.html")
	if err := os.WriteFile(file, content, 0o600); err != nil {
		t.Fatal(err)
	}
	opened := &tab{t: t, url: "file://" + file, requests: map[network.RequestID]string{}}
	opened.ctx = browser.OpenTab(t, chromium, opened.listen)
	for _, prepare := range before {
		prepare(opened)
	}
	opened.do(chromedp.EmulateViewport(width, 1000))
	opened.open(opened.url)
	return opened
}

// open waits for what the page draws after its first picture, too.
func (b *tab) open(url string) {
	b.t.Helper()
	b.do(chromedp.Navigate(url))
	evaluate[bool](b, `Promise.resolve(typeof started === 'undefined' || started).then(() => true)`)
}

func (b *tab) listen(event any) {
	b.mu.Lock()
	defer b.mu.Unlock()
	switch event := event.(type) {
	case *network.EventRequestWillBeSent:
		b.requests[event.RequestID] = event.Request.URL
	case *network.EventLoadingFailed:
		if event.BlockedReason == network.BlockedReasonCsp {
			delete(b.requests, event.RequestID)
		}
	case *runtime.EventExceptionThrown:
		b.faults = append(b.faults, event.ExceptionDetails.Text+" "+string(event.ExceptionDetails.Exception.Description))
	case *page.EventJavascriptDialogOpening:
		b.faults = append(b.faults, "dialog: "+event.Message)
	}
}

func (b *tab) do(steps ...chromedp.Action[chromedp.Void]) {
	b.t.Helper()
	ctx, cancel := context.WithTimeout(b.ctx, browser.Patience)
	defer cancel()
	if err := chromedp.Do(ctx, steps...); err != nil {
		b.t.Fatal(err)
	}
}

// click and search find their elements by CSS: chromedp's own search would find the page's script, which names them.
func (b *tab) click(selector chromedp.CSS) {
	b.t.Helper()
	b.settle(selector)
	b.do(chromedp.Click(selector))
}

// settle brings an element into view and waits until it stays where it is: what is near it is laid out only then, and moves it.
func (b *tab) settle(selector chromedp.CSS) {
	b.t.Helper()
	evaluate[bool](b, fmt.Sprintf(`new Promise(done => {
		const place = document.querySelector(%q);
		place.scrollIntoView({block: 'nearest'});
		let at, still = 0;
		const look = () => {
			const now = place.getBoundingClientRect().top;
			still = now === at ? still + 1 : 0;
			at = now;
			still > 3 ? done(true) : requestAnimationFrame(look);
		};
		look();
	})`, selector))
}

func (b *tab) search(text string) {
	b.t.Helper()
	b.do(chromedp.SendKeys(chromedp.CSS("#q"), text))
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
	ctx, cancel := context.WithTimeout(b.ctx, browser.Patience)
	defer cancel()
	value, err := chromedp.Run(ctx, chromedp.Evaluate[T](expression, chromedp.EvalAwaitPromise))
	if err != nil {
		b.t.Fatalf("%s: %v", expression, err)
	}
	return value
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

// keepScreenshot leaves a picture of the whole page in the test's artifacts (go test -artifacts), to be looked at. Without
// these there is none: it takes a second and tests nothing.
func keepScreenshot(t *testing.T, shown *tab, name string) {
	t.Helper()
	if wanted := flag.Lookup("test.artifacts"); wanted == nil || wanted.Value.String() != "true" {
		return
	}
	picture, err := chromedp.Run(shown.ctx, chromedp.FullScreenshot(100))
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Base(t.Name()) + "-" + name + ".png"
	if err := os.WriteFile(filepath.Join(t.ArtifactDir(), file), picture, 0o600); err != nil {
		t.Fatal(err)
	}
}
