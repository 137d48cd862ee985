package cmd_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestDocumentsNameFilesThatExist finds names of files and folders in the documents for developers that are there no more.
func TestDocumentsNameFilesThatExist(t *testing.T) {
	t.Parallel()
	inCode := regexp.MustCompile("`([^` ]+)`")
	for document, folders := range map[string][]string{
		"CONTRIBUTING.md": {"", "mockserver/internal/management", "mockserver/internal/storeapi", "mockserver/internal/shop",
			"mockserver/internal/shopmock", "suites/expect", "reports"},
		"mockserver/DECISIONS.md": {"", "mockserver", "mockserver/internal/state", "mockserver/internal/shopmock"},
		"suites/DECISIONS.md":     {"", "suites"},
	} {
		t.Run(document, func(t *testing.T) {
			t.Parallel()
			text, err := os.ReadFile(filepath.Join("..", document))
			if err != nil {
				t.Fatal(err)
			}
			found := 0
			for _, match := range inCode.FindAllStringSubmatch(string(text), -1) {
				name := strings.ReplaceAll(match[1], "…", "*")
				if !strings.HasSuffix(name, ".go") && !strings.HasSuffix(name, ".md") && !isFolder(name) {
					continue
				}
				found++
				if !existsBelow(folders, name) {
					t.Errorf("there is no %s", name)
				}
			}
			if found == 0 {
				t.Error("no file is named")
			}
		})
	}
}

// isFolder reports whether a name in a document is that of one of the project's folders.
func isFolder(name string) bool {
	top, below, _ := strings.Cut(name, "/")
	switch top {
	case "cmd", "mockserver", "suites", "reports", "fixtures", "internal":
		return below != ""
	}
	return false
}

func existsBelow(folders []string, name string) bool {
	for _, folder := range folders {
		if found, err := filepath.Glob(filepath.Join("..", folder, name)); err == nil && len(found) > 0 {
			return true
		}
	}
	return false
}
