package mockserver_test

// A client that others have published, with the names of its dialect hard-coded, against the shop.

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"shopcheck/mockserver"
)

// published are the files of the test beside the client itself, which comes from its registry.
const published = "testdata/published"

func TestAPublishedClientWorksUnchanged(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("it fetches the client from the npm registry")
	}
	folder := installPublished(t)
	for name, options := range map[string]mockserver.Options{
		"signed, over http": {},
		"Basic, over https": {TLS: true, Strict: true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			shop := mockserver.StartWith(t, options)
			ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
			defer cancel()
			client := exec.CommandContext(ctx, "node", "client.cjs")
			client.Dir = folder
			client.Env = append(os.Environ(), "SHOP="+shop.URL(), "NODE_NO_WARNINGS=1")
			if options.TLS {
				authority := filepath.Join(t.TempDir(), "shop.pem")
				if err := os.WriteFile(authority, shop.CertPEM(), 0o600); err != nil {
					t.Fatal(err)
				}
				client.Env = append(client.Env, "NODE_EXTRA_CA_CERTS="+authority)
			}
			if said, err := client.CombinedOutput(); err != nil || strings.TrimSpace(string(said)) != "done" {
				t.Errorf("%v\n%s", err, said)
			}
			for _, advice := range shop.Advice() { // it does nothing wrong: what is said of it would be false
				if advice.Count > 0 {
					t.Errorf("the client is told %s: %+v", advice.ID, advice.Seen)
				}
			}
		})
	}
}

// installPublished fetches the client into a folder of its own. Without node, npm or a registry the test is skipped.
func installPublished(t *testing.T) (folder string) {
	t.Helper()
	for _, program := range []string{"node", "npm"} {
		if _, err := exec.LookPath(program); err != nil {
			t.Skipf("there is no %s on this machine (Debian: apt-get install nodejs npm): no published client was tried", program)
		}
	}
	folder = t.TempDir()
	if err := os.CopyFS(folder, os.DirFS(published)); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	install := exec.CommandContext(ctx, "npm", "install", "--prefer-offline", "--ignore-scripts", "--no-audit", "--no-fund",
		"--no-package-lock")
	install.Dir = folder
	if said, err := install.CombinedOutput(); err != nil {
		t.Skipf("npm cannot fetch the published client (%v): none was tried\n%s", err, said)
	}
	return folder
}
