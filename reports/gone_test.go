package reports

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func TestCurlLinesNameWhatIsGone(t *testing.T) {
	all := []Exchange{
		repeated("POST", "/shop/v3/products", "", `{"name":"mug"}`, `{"id":142,"parent_id":9}`),
		repeated("POST", "/shop/v3/products/142/variations", "", `{}`, `{"id":143}`),
		repeated("POST", "/shop/v3/customers/batch", "", `{}`, `{"create":[{"id":7},{"id":0}]}`),
		repeated("POST", "/shop/store/v1/checkout", "", `{"id":143}`, `{"order_id":55}`),
		repeated("PUT", "/shop/v3/orders/55?x=9", "", `{"customer_id":7}`, `{"id":55}`),
	}
	all[1].Endpoint = "POST /shop/v3/products/{id}/variations"
	for name, c := range map[string]struct {
		report Report
		want   []string // of the last
	}{
		"deleted":              {Report{}, []string{"orders 55", "customers 7"}},
		"kept":                 {Report{Kept: []Kept{{Path: "/shop/v3/orders/55"}}}, []string{"customers 7"}},
		"left behind":          {Report{Leftovers: []string{"DELETE /shop/v3/customers/7?force=true"}}, []string{"orders 55"}},
		"another is left":      {Report{Leftovers: []string{"/shop/v3/customers/77 is left"}}, []string{"orders 55", "customers 7"}},
		"nothing is forgotten": {Report{Kept: []Kept{{Path: "/shop/v3/orders/5"}}}, []string{"orders 55", "customers 7"}},
	} {
		r := c.report
		r.Specs = []Spec{{ID: "a", Exchanges: slices.Clone(all)}}
		NoteGone(&r)
		if got := r.Specs[0].Exchanges[4].Gone; !slices.Equal(got, c.want) {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
		if got := r.Specs[0].Exchanges[3].Gone; !slices.Equal(got, []string{"products/variations 143"}) {
			t.Errorf("%s: the order names %q", name, got)
		}
	}
}

func TestAFindingNamesItsScriptAndWhatIsGone(t *testing.T) {
	made := repeated("POST", "/shop/v3/products", "", `{"name":"mug"}`, `{"id":142}`)
	read := repeated("GET", "/shop/v3/products/142", "", "", `{"id":142}`)
	r := &Report{FormatVersion: FormatVersion, Verdict: NotConformant, Target: Target{URL: scriptShop}, Specs: []Spec{{
		ID: "a.b", Topic: "a",
		Outcome: Failed, Exchanges: []Exchange{made, read},
		Findings: []Finding{{Requirement: "products.get", Level: Must, Message: "m", Exchange: 1}}}}}
	NoteGone(r)
	dir := t.TempDir()
	if err := WriteFolder(dir, r, "markdown"); err != nil {
		t.Fatal(err)
	}
	script := ScriptFiles(r)[Causes(r)[0].ID]
	if !strings.HasPrefix(script, "scripts/products.get-f") {
		t.Fatalf("the script is %q", script)
	}
	const gone = "products 142, deleted after the run: take the id of another"
	for name, wants := range map[string][]string{
		"index.html": {`<a href="` + script + `">`, "Gone: " + gone},
		"summary.md": {"- script: ` " + script + " `", "- gone: ` " + gone + " `"},
		script:       {"of the spec a.b"},
	} {
		for _, want := range wants {
			text, err := os.ReadFile(filepath.Join(dir, name))
			if err != nil || !strings.Contains(string(text), want) {
				t.Errorf("%s is not in %s (%v)", want, name, err)
			}
		}
	}
}

func TestWhereAnIDIsMentioned(t *testing.T) {
	t.Parallel()
	made := map[string]string{"12": "products 12"}
	for text, want := range map[string]bool{"/products/12": true, "/products/12/variations": true, "?parent=12&a=1": true,
		"?include=1%2C12":   true,
		`{"product_id":12}`: true, `{"delete":[7,12]}`: true, "/products/123": false, "/products/7?per_page=112": false, "12": false,
		"/products/123?include=12": true} {
		if got := mentions(text, made); got != want {
			t.Errorf("%s: %v", text, got)
		}
	}
}
