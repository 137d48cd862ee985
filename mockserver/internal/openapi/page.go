package openapi

// The page that shows the document to people.

import (
	"crypto/sha256"
	"embed"
	"encoding/base64"
	"strings"
	"sync"
)

//go:embed page
var pageFiles embed.FS

// Page is a page that shows the document beside it, openapi.json.
type Page struct {
	HTML   []byte
	Policy string // its Content-Security-Policy: its own script runs, and reads what is on the same site
}

// DocsPage returns the page.
var DocsPage = sync.OnceValue(func() Page {
	read := func(name string) string {
		text, err := pageFiles.ReadFile("page/" + name)
		if err != nil {
			panic(err) // it is embedded
		}
		return string(text)
	}
	script := read("docs.js")
	sum := sha256.Sum256([]byte(script))
	html := strings.NewReplacer("{{.Style}}", read("docs.css"), "{{.Script}}", script).Replace(read("docs.html"))
	return Page{[]byte(html), "default-src 'none'; connect-src 'self'; style-src 'unsafe-inline'; base-uri 'none'; " +
		"frame-ancestors 'none'; " +
		"script-src 'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"}
})
