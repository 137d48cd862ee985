package contract

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"shopcheck/reports"
)

func TestCatalogueIsWellFormed(t *testing.T) {
	features := map[string]bool{"": true}
	for _, f := range Features() {
		features[f.Name] = true
	}
	id := regexp.MustCompile(`^[a-z][a-z0-9-]*(\.[a-zA-Z0-9_-]+)+$`)
	for _, r := range All().List() {
		if !id.MatchString(r.ID) {
			t.Errorf("%q is not a dotted id", r.ID)
		}
		if r.Section == "" || !strings.HasSuffix(r.Statement, ".") {
			t.Errorf("%s: section %q, statement %q: both are needed, the statement as a sentence", r.ID, r.Section, r.Statement)
		}
		if !features[r.Feature] {
			t.Errorf("%s: unknown feature %q", r.ID, r.Feature)
		}
		if r.Level != reports.Must && r.Level != reports.Should && r.Level != reports.Observed {
			t.Errorf("%s: unknown level %q", r.ID, r.Level)
		}
	}
}

func TestEachSectionIsSummedUpOnceInTheReport(t *testing.T) {
	summed := map[string]bool{}
	for _, section := range Sections() {
		if summed[section.Title] || !strings.HasSuffix(section.Summary, ".") {
			t.Errorf("%s: %q", section.Title, section.Summary)
		}
		summed[section.Title] = true
	}
	named := map[string]bool{}
	for _, r := range All().List() {
		named[r.Section] = true
		if !summed[r.Section] {
			t.Errorf("%s is in the section %q, which nothing sums up", r.ID, r.Section)
		}
	}
	if len(named) != len(summed) {
		t.Errorf("%d sections are summed up, %d have requirements", len(summed), len(named))
	}
}

func TestTheRecordOfAStoreProductIsFiledWithItsEndpoints(t *testing.T) {
	for _, id := range StoreProduct().RequirementIDs() {
		if r, _ := All().Get(id); r.Section != sectionStoreProduct {
			t.Errorf("%s is in the section %q", id, r.Section)
		}
	}
}

func TestEveryFieldOfEveryShapeHasItsRequirement(t *testing.T) {
	for _, shape := range []*Shape{Product(), Variation(), Order(), Customer(), CustomerDownload(), Cart(), Checkout(), StoreProduct(),
		LoginToken(), ErrorEnvelope()} {
		shape.Walk(func(p Place) {
			r, ok := All().Get(p.Requirement)
			if !ok {
				t.Fatalf("%s at %s has no requirement", p.Requirement, p.Path)
			}
			if r.Level != p.Field.Level {
				t.Errorf("%s is %s in the catalogue and %s in the shape", p.Requirement, r.Level, p.Field.Level)
			}
		})
	}
}

func TestFieldsOfNamedInnerShapesAreFiledThere(t *testing.T) {
	found := map[string]string{}
	Cart().Walk(func(p Place) { found[p.Path] = p.Requirement })
	want := map[string]string{
		"items":                "cart.field.items",
		"items.#.prices.price": "cart-item.field.prices.price",
		"shipping_rates.#.shipping_rates.#.selected": "shipping-rate.field.selected",
		"billing_address.email":                      "cart.field.billing_address.email",
	}
	for path, id := range want {
		if found[path] != id {
			t.Errorf("%s is filed under %q, want %q", path, found[path], id)
		}
	}
}

func TestASetHoldsRequirementsOfTheCatalogue(t *testing.T) {
	ids := All().IDs()
	first, last := ids[0], ids[len(ids)-1]
	var set, other Set
	if got := set.IDs(); len(got) != 0 {
		t.Errorf("the empty set holds %v", got)
	}
	set.Add("no.such-requirement")
	set.Add(last)
	set.Add(last)
	other.Add(first)
	set.AddAll(other)
	set.AddAll(Set{})
	if got := set.IDs(); !slices.Equal(got, []string{first, last}) {
		t.Errorf("the set holds %v", got)
	}
	if got := other.IDs(); !slices.Equal(got, []string{first}) {
		t.Errorf("the other set holds %v", got)
	}
}
