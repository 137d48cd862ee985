package reports

import (
	"math/rand/v2"
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

// Both read the same ids, as far as they are numbers.
func TestEachIDIsWhatIDPlaceFinds(t *testing.T) {
	t.Parallel()
	parts := []string{"/", "=", "%2C", "[", ",", "?key=", `"id":`, `"product_ids":`, `"parent":`, `"key":"`, `"grid":`, `"Xid":`, `"idx":`,
		`":`, "C", "2C", `"`, "5", "12", "12345678", "12a", "7_8", "123456_9", "products", " ", "]", "}", "é"}
	chance := rand.New(rand.NewPCG(1, 2))
	for range 20_000 {
		var line strings.Builder
		for range 8 {
			line.WriteString(parts[chance.IntN(len(parts))])
		}
		var got, want []string
		eachID(line.String(), func(id string) { got = append(got, id) })
		for _, match := range idPlace().FindAllStringSubmatch(line.String(), -1) {
			if isDigit(match[2][0]) {
				want = append(want, match[2])
			}
		}
		if !slices.Equal(got, want) {
			t.Fatalf("%s: %q, want %q", line.String(), got, want)
		}
	}
}
