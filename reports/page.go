package reports

// The report as one HTML file: the template, its style and script put into it, and the policy that keeps it inert.

import (
	"crypto/sha256"
	"embed"
	"encoding/base64"
	"fmt"
	"html/template"
	"io"
	"io/fs"
	"path"
	"strings"
	"time"
)

//go:embed html html/common html/changes html/matrix
var pageSources embed.FS

// pageFile is the name of the page in the report folder.
const pageFile = "index.html"

// WriteHTML writes the report as a single page that needs no network. Whatever the target sent is shown as text: it
// is made visible by Sanitize, escaped by the template, and the page's content security policy allows no script and
// no style but its own and no connection at all.
func WriteHTML(w io.Writer, r *Report) error {
	return writePage(w, r, sanitized(r), func() (block, error) { return zipped(r) })
}

// writePage writes the page of a report, of which safe is the copy to show, with the block of its exchanges where that can be shown as is.
func writePage(w io.Writer, r, safe *Report, exchanges func() (block, error)) error {
	if err := renderPage(w, r, safe, exchanges); err != nil {
		return fmt.Errorf("write the page: %w", err)
	}
	return nil
}

func renderPage(w io.Writer, r, safe *Report, exchanges func() (block, error)) error {
	about, err := newSources("html/*.js")
	if err != nil {
		return err
	}
	all, err := exchanges()
	if err == nil && !all.safe {
		all, err = zip(r, Sanitize)
	}
	if err != nil {
		return err
	}
	return execute(w, "html/page.html", struct {
		*view
		sources
		Packed template.HTML // base64, which no text of a target can leave
	}{newView(safe), about, template.HTML(base64.StdEncoding.EncodeToString(all.bytes))})
}

// sources are what each page carries of its own: style, script, and the policy that allows exactly these.
type sources struct {
	Style  template.CSS
	Script template.JS
	Policy string
}

// newSources takes the style and the script that all pages share, and the scripts that match the patterns.
func newSources(scripts ...string) (sources, error) {
	style, err := joined("html/*.css")
	if err != nil {
		return sources{}, err
	}
	script, err := joined(append([]string{"html/common/*.js"}, scripts...)...)
	if err != nil {
		return sources{}, err
	}
	return sources{template.CSS(style), template.JS(script), policy(style, script)}, nil
}

// execute writes the page whose template is in the file, with the templates beside it and those that all pages share.
func execute(w io.Writer, file string, data any) error {
	page, err := template.New("page").Funcs(pageFunctions()).ParseFS(pageSources, "html/common/*.html", path.Dir(file)+"/*.html")
	if err != nil {
		return err
	}
	return page.ExecuteTemplate(w, path.Base(file), data)
}

// joined returns the sources that match the patterns as one text, in the order of the patterns and of their names.
func joined(patterns ...string) (string, error) {
	var all strings.Builder
	for _, pattern := range patterns {
		names, err := fs.Glob(pageSources, pattern)
		if err != nil {
			return "", err
		}
		for _, name := range names {
			text, err := pageSources.ReadFile(name)
			if err != nil {
				return "", err
			}
			all.Write(text)
		}
	}
	return all.String(), nil
}

// policy is the content security policy: exactly this style and this script, the icon, and nothing else.
func policy(style, script string) string {
	return fmt.Sprintf(
		"default-src 'none'; style-src 'sha256-%s'; script-src 'sha256-%s'; img-src data:; base-uri 'none'; form-action 'none'",
		digest(style),
		digest(script),
	)
}

func digest(text string) string {
	sum := sha256.Sum256([]byte(text))
	return base64.StdEncoding.EncodeToString(sum[:])
}

func pageFunctions() template.FuncMap {
	return template.FuncMap{
		"compare": compare,
		"glyph":   glyph,
		"ms":      milliseconds,
		"plural":  Plural,
		"when":    func(t time.Time) string { return t.UTC().Format("2 January 2006, 15:04:05 UTC") },
		"stamp":   func(t time.Time) string { return t.UTC().Format(time.RFC3339) },
	}
}

// milliseconds writes a duration as people read it: 0.4 ms, 12 ms, 1.84 s, 3 min 20 s.
func milliseconds(ms float64) string {
	switch {
	case ms < 10:
		return fmt.Sprintf("%.1f ms", ms)
	case ms < 1000:
		return fmt.Sprintf("%.0f ms", ms)
	case ms < 60_000:
		return fmt.Sprintf("%.2f s", ms/1000)
	}
	seconds := int(ms / 1000)
	return fmt.Sprintf("%d min %d s", seconds/60, seconds%60)
}

// glyph is the sign that stands beside an outcome's or a verdict's word, so that neither needs its colour.
func glyph(of any) string {
	switch of {
	case Passed, Conformant:
		return "✓"
	case Failed, NotConformant:
		return "✕"
	case Warned:
		return "!"
	case Waived:
		return "≈"
	case CouldNotRun, Incomplete:
		return "?"
	case NotApplicable, Untested:
		return "–"
	}
	return "⚠"
}
