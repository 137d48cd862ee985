package cmd_test

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
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

// TestLinksOfDocumentsLead finds links to files and headings that are not there.
func TestLinksOfDocumentsLead(t *testing.T) {
	t.Parallel()
	links := regexp.MustCompile(`\]\(([^):#]*)(?:#([^)]*))?\)`)
	found := 0
	for _, document := range documents(t) {
		for _, link := range links.FindAllStringSubmatch(readGuide(t, document), -1) {
			found++
			to := document
			if link[1] != "" {
				to = filepath.Join(filepath.Dir(document), filepath.FromSlash(link[1]))
			}
			if _, err := os.Stat(to); err != nil {
				t.Errorf("%s leads to %s: %v", document, link[1], err)
			} else if link[2] != "" && !slices.Contains(anchors(readGuide(t, to)), link[2]) {
				t.Errorf("%s leads to a heading that %s does not have: %s", document, to, link[2])
			}
		}
	}
	if found == 0 {
		t.Error("no document has a link")
	}
}

// documents lists the Markdown files of the project.
func documents(t *testing.T) []string {
	t.Helper()
	var all []string
	for _, pattern := range []string{"../*.md", "../*/*.md", "../*/*/*.md"} {
		some, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, some...)
	}
	return all
}

// anchors returns what a text's headings are called in links, by the rules of the usual code hosts.
func anchors(text string) []string {
	dropped := regexp.MustCompile(`[^\p{L}\p{N}_ -]`)
	var all []string
	for _, heading := range regexp.MustCompile(`(?m)^#+ (.*)$`).FindAllStringSubmatch(text, -1) {
		all = append(all, strings.ReplaceAll(strings.ToLower(dropped.ReplaceAllString(heading[1], "")), " ", "-"))
	}
	return all
}
