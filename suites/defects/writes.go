package defects

// What a create body may set: fields that are ignored, defaults that are others, read-only fields that can be written.

import (
	"encoding/json"
	"math/rand/v2"
	"net/http"
	"strconv"
	"strings"
	"sync"

	"shopcheck/suites/contract"
)

func writeDefects() []Defect {
	var out []Defect
	for _, c := range []struct {
		id       string
		writable []contract.WritableField
		readOnly []string
	}{
		{"products", contract.ProductWritable(), contract.ProductReadOnly()},
		{"orders", contract.OrderWritable(), contract.OrderReadOnly()},
		{"customers", contract.CustomerWritable(), contract.CustomerReadOnly()},
	} {
		create := at("POST /shop/v3/" + c.id)
		for _, field := range c.writable {
			out = append(out, defect(c.id+".create.field."+field.Name, "ignored", "Creating "+c.id+" ignores "+field.Name+".",
				forgotten(create, field.Name)))
			if field.Updatable() {
				out = append(out, defect(c.id+".update.field."+field.Name, "ignored", "Updating "+c.id+" ignores "+field.Name+".",
					unsent(at("PUT /shop/v3/"+c.id+"/{id}"), field.Name)))
			}
			if field.Default != "" {
				out = append(out, defect(c.id+".default."+field.Name, "other", "The default of "+field.Name+" in "+c.id+" is another.",
					assumed(create, field.Name, otherThan(field))))
			}
		}
		for _, name := range c.readOnly {
			out = append(out, defect(c.id+".read-only."+name, "writable", "A client can set "+name+" in "+c.id+".",
				remembered("/shop/v3/"+c.id+"/", name)))
		}
	}
	return out
}

// forgotten drops a field from what is written. What is needed is replaced instead.
func forgotten(when match, field string) bend {
	needed := map[string]func() any{
		"name":  func() any { return "forgotten" },
		"email": func() any { return "forgotten" + strconv.Itoa(rand.Int()) + "@example.test" },
	}[field]
	if needed == nil {
		return unsent(when, field)
	}
	return sent(when, func(body map[string]any) {
		if body[field] != nil {
			body[field] = needed()
		}
	})
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

// remembered shows, in all answers about a record below the prefix, the value that somebody sent for a field of it.
func remembered(prefix, field string) bend {
	return func(inner http.Handler) http.Handler {
		var mu sync.Mutex
		values := map[string]any{}
		return answered(below(prefix), func(r *http.Request, a *answer) {
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
