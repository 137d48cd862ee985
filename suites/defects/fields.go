package defects

// Spoiled fields: every documented field of every record, in each way that its documented type leaves open.

import (
	"fmt"
	"net/http"

	"shopcheck/suites/contract"
)

// damage is one way to spoil a field.
type damage struct {
	kind, what string
	fits       func(f contract.Field) bool
	edit       func(record map[string]any, f contract.Field)
}

func damages() []damage {
	return []damage{
		{"present", "is there", func(f contract.Field) bool { return f.Absent },
			func(record map[string]any, f contract.Field) { record[f.Name] = "x" }},
		{"dropped", "is left out", func(f contract.Field) bool { return !f.Optional },
			func(record map[string]any, f contract.Field) { delete(record, f.Name) }},
		{"null", "is null", func(f contract.Field) bool { return !f.Nullable && !f.Absent },
			func(record map[string]any, f contract.Field) { record[f.Name] = nil }},
		{"mistyped", "has another type", func(f contract.Field) bool { return !f.Absent },
			func(record map[string]any, f contract.Field) { record[f.Name] = mistyped(f.Kind) }},
		{"outside-enum", "has a value that is not documented", func(f contract.Field) bool { return len(f.Enum) > 0 && !f.Open },
			func(record map[string]any, f contract.Field) { record[f.Name] = "no-such-value" }},
		{"malformed", "has another format", func(f contract.Field) bool { return f.Format != contract.Plain },
			func(record map[string]any, f contract.Field) { record[f.Name] = malformed(f.Format) }},
		{"odd-items", "holds items of another type", func(f contract.Field) bool { return f.Items != "" },
			func(record map[string]any, f contract.Field) { record[f.Name] = []any{mistyped(f.Items)} }},
	}
}

// mistyped is a value of another kind.
func mistyped(kind contract.Kind) any {
	switch kind {
	case contract.String:
		return 7
	case contract.Integer:
		return 7.5
	case contract.Array:
		return map[string]any{}
	case contract.Object:
		return []any{}
	default:
		return "7"
	}
}

// malformed is a string that does not have the format, as a careless implementation would write it.
func malformed(format contract.Format) string {
	return map[contract.Format]string{
		contract.ISO8601:      "2026-11-20 12:00:00",
		contract.UTC:          "2026-02-31T12:00:00",
		contract.DecimalMoney: "$12,50",
		contract.MinorMoney:   "12.50",
		contract.MD5:          "item-1",
		contract.URL:          "/product/7",
		contract.Email:        "nobody",
		contract.CurrencyCode: "dollars",
		contract.CountryCode:  "USA",
		contract.RateID:       "flat_rate",
	}[format]
}

// records are the outermost documented records; all others are inside of them.
func records() []*contract.Shape {
	return []*contract.Shape{contract.Product(), contract.Variation(), contract.Order(), contract.Customer(),
		contract.CustomerDownload(), contract.Cart(), contract.Checkout(), contract.StoreProduct(), contract.LoginToken(),
		contract.ErrorEnvelope()}
}

func fieldDefects() []Defect {
	var out []Defect
	for _, root := range records() {
		root.Walk(func(p contract.Place) {
			for _, d := range damages() {
				if d.fits(p.Field) {
					out = append(out, defect(p.Requirement, d.kind, fmt.Sprintf("In %s, %s %s.", root.Called(), p.Path, d.what),
						spoiled(root, p, d)))
				}
			}
		})
	}
	return out
}

// spoiled damages the field wherever records of the shape are answered.
func spoiled(root *contract.Shape, p contract.Place, d damage) bend {
	return answered(anywhere, func(r *http.Request, a *answer) {
		at := sightings(root, r, a)
		if len(at) == 0 {
			return
		}
		tree := a.tree()
		for _, prefix := range at {
			places(tree, prefix+p.Path, func(record map[string]any, _ string) { d.edit(record, p.Field) })
		}
		a.setTree(tree)
	})
}

// sightings lists the prefixes under which an answer holds records of the shape.
func sightings(root *contract.Shape, r *http.Request, a *answer) []string {
	if root == contract.ErrorEnvelope() {
		if a.Status >= 400 {
			return []string{""}
		}
		return nil
	}
	var out []string
	for _, s := range contract.Sightings(endpointOf(r)) {
		if s.Shape == root && a.ok() {
			out = append(out, prefixOf(s))
		}
	}
	return out
}

func prefixOf(s contract.Sighting) string {
	prefix := ""
	if s.Path != "" {
		prefix = s.Path + "."
	}
	if s.Each {
		prefix += "#."
	}
	return prefix
}
