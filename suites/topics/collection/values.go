package collection

// Values that are easily lost on the way: letters of other scripts, empty texts and zeros, values of another type.

import (
	"maps"
	"slices"
	"strings"

	. "github.com/onsi/ginkgo/v2"

	"shopcheck/suites/client"
	. "shopcheck/suites/spec"
)

// foreign is a text in letters of several scripts.
const foreign = "Žluťoučký Øresund 北京 Ελλάδα"

// Texts declares that texts come back as they were sent, in letters of any script, from a create and from an update. Places
// are paths of one or two names.
func (c Collection) Texts(places ...string) {
	It("keeps letters of any script", Req("general.texts", c.ID+".create", c.ID+".update"), Needs(c.Creating), func(ctx SpecContext) {
		body, changes := c.Body(ctx), Fields{}
		for _, place := range places {
			setAt(body, place, place+" "+foreign)
			setAt(changes, place, foreign+" "+place)
		}

		made := c.Resource.Create(ctx, body)
		c.For(c.ID + ".create").Expect(made).To(BeSuccess())
		stored := c.Resource.Get(ctx, made.ID())
		for _, place := range places {
			Expect(stored).To(HaveJSON(place, ContainSubstring(place+" "+foreign)))
		}

		c.For(c.ID + ".update").Expect(c.Resource.Update(ctx, made.ID(), changes)).To(BeSuccess())
		stored = c.Resource.Get(ctx, made.ID())
		for _, place := range places {
			Expect(stored).To(HaveJSON(place, ContainSubstring(foreign+" "+place)))
		}
	})
}

// setAt puts a value into a body, at a path of one or two names.
func setAt(body Fields, path string, value any) {
	name, inner, nested := strings.Cut(path, ".")
	if !nested {
		body[name] = value
		return
	}
	object, _ := body[name].(Fields)
	if object == nil {
		object = Fields{}
		body[name] = object
	}
	object[inner] = value
}

// Emptied declares that an update takes an empty text, a zero or a false as a value: what empty sends for values that
// are no defaults.
func (c Collection) Emptied(empty Fields) {
	It("is emptied by an update that says so", Req(c.ID+".update.empty-values", c.ID+".create"), Needs(c.Creating), func(ctx SpecContext) {
		body := c.Body(ctx)
		With(c.Filled(ctx))(body)
		made := c.Resource.Create(ctx, body)
		c.For(c.ID + ".create").Expect(made).To(BeSuccess())

		changed := c.Resource.Update(ctx, made.ID(), empty)

		Expect(changed).To(HaveStatus(200))
		for _, shown := range []*client.Answer{changed, c.Resource.Get(ctx, made.ID())} {
			for path, value := range flat(empty) {
				if before := made.Get(path).String(); before != "" && before != "0" && before != "false" {
					Expect(shown).To(HaveJSON(path, value))
				}
			}
		}
	})
}

// flat are the values of a body by their paths of one or two names.
func flat(body Fields) map[string]any {
	values := map[string]any{}
	for name, value := range body {
		object, isObject := value.(Fields)
		if !isObject {
			values[name] = value
		}
		for inner, value := range object {
			values[name+"."+inner] = value
		}
	}
	return values
}

// Mistyped declares that a create and an update take no value of another type than the documented one, and name the field.
func (c Collection) Mistyped(values Fields) {
	for _, operation := range []string{"create", "update"} {
		It("takes no value of another type on "+operation, Req("errors.code.rest_invalid_param", "errors.params", c.ID+".create"),
			Needs(c.Creating), func(ctx SpecContext) {
				send := func(body Fields) *client.Answer { return c.Resource.Create(ctx, body) }
				if operation == "update" {
					made := c.Resource.Create(ctx, c.Body(ctx))
					c.For(c.ID + ".create").Expect(made).To(BeSuccess())
					send = func(body Fields) *client.Answer { return c.Resource.Update(ctx, made.ID(), body) }
				}
				for _, field := range slices.Sorted(maps.Keys(values)) {
					body := Fields{}
					if operation == "create" {
						body = c.Body(ctx)
					}
					body[field] = values[field]

					answer := send(body)

					Expect(answer).To(BeErrorEnvelope("rest_invalid_param"))
					if answer.Get("data.params").IsObject() { // else other specs say so
						c.For("errors.params").Expect(answer).To(HaveJSON("data.params."+field, BeNonEmpty()))
					}
				}
			})
	}
}
