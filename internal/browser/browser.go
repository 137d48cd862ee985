// Package browser gives tests a real browser. No program depends on it.
package browser

import (
	"context"
	"os/exec"
	"testing"
	"time"

	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/chromedp"
)

// Patience is how long one step in a browser may take, on a machine that does other things too.
const Patience = time.Minute

// Start starts a headless Chromium with a profile of its own, which ends with the test. Where none is installed the test is
// skipped, and says what is not looked at then.
func Start(t *testing.T, without string) context.Context {
	t.Helper()
	path := chromium()
	if path == "" {
		t.Skipf("no chromium, chromium-browser or google-chrome in PATH: %s", without)
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

// OpenTab opens an empty tab that closes with the test. listen gets what happens in it, requests among it, in goroutines
// of the browser's.
func OpenTab(t *testing.T, browser context.Context, listen func(event any)) context.Context {
	t.Helper()
	tab, closeTab := chromedp.NewContext(browser)
	t.Cleanup(closeTab)
	if err := chromedp.Listen(tab, listen); err != nil {
		t.Fatal(err)
	}
	if _, err := chromedp.Call(tab, network.Enable, network.EnableParams{}); err != nil {
		t.Fatal(err)
	}
	return tab
}
