package defects

// What a create body may set: fields that are ignored, defaults that are others, read-only fields that can be written.

import (
	"encoding/json"
	"net/http"
	"strings"
	"sync"

	"shopcheck/suites/contract"
)

func writeDefects() []Defect {
	create := at("POST /shop/v3/products")
	var out []Defect
	for _, field := range contract.ProductWritable() {
		out = append(out, defect("products.create.field."+field.Name, "ignored", "Creating a product ignores "+field.Name+".", forgotten(create, field.Name)))
		if field.Default != "" {
			out = append(out, defect("products.default."+field.Name, "other", "The default of "+field.Name+" is another.",
				assumed(create, field.Name, otherThan(field))))
		}
	}
	for _, name := range []string{"id", "permalink", "date_created", "date_modified", "price", "on_sale"} {
		out = append(out, defect("products.read-only."+name, "writable", "A client can set "+name+" of a product.", remembered(name)))
	}
	return out
}

// forgotten drops a field from what is written. A name is needed, so it is replaced.
func forgotten(when match, field string) bend {
	if field == "name" {
		return sent(when, func(body map[string]any) {
			if body["name"] != nil {
				body["name"] = "forgotten"
			}
		})
	}
	return unsent(when, field)
}

// otherThan is a value of the field that is not its default.
func otherThan(field contract.WritableField) any {
	switch field.Default {
	case "false":
		return true
	case `"simple"`:
		return "grouped"
	case `"publish"`:
		return "draft"
	case `"instock"`:
		return "outofstock"
	default:
		return "hidden"
	}
}

// remembered shows, in all answers about a product, the value that somebody sent for a field of it.
func remembered(field string) bend {
	return func(inner http.Handler) http.Handler {
		var mu sync.Mutex
		values := map[string]any{}
		return answered(below("/shop/v3/products/"), func(r *http.Request, a *answer) {
			mu.Lock()
			defer mu.Unlock()
			path := strings.TrimSuffix(r.URL.Path, "/")
			if value, given := fields(r)[field]; given && r.Method == http.MethodPut {
				values[path] = value
			}
			if value, known := values[path]; known && a.ok() {
				a.set(field, func(any) any { return value })
			}
		})(inner)
	}
}

// number is a JSON number that a body was sent with.
func number(value any) int64 {
	n, _ := value.(json.Number)
	i, _ := n.Int64()
	return i
}
