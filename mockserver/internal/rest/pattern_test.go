package rest

import (
	"strings"
	"testing"
)

func TestAPatternIsWrittenAsAnExpression(t *testing.T) {
	for path, want := range map[string]string{
		"":                               "",
		"/products/batch":                "/products/batch",
		"/products/{id:[0-9]+}":          `/products/(?P<id>[\d]+)`,
		"/items/{key:[0-9a-z]{32}}/x":    "/items/(?P<key>[0-9a-z]{32})/x",
		"/a/{a_id:[0-9]+}/b/{id:[0-9]+}": `/a/(?P<a_id>[\d]+)/b/(?P<id>[\d]+)`,
		"/b/{slug}":                      "/b/(?P<slug>[^/]+)",
	} {
		if got := expression(path); got != want {
			t.Errorf("%s: %q, want %q", path, got, want)
		}
	}
}

func TestAPatternTellsItsVariables(t *testing.T) {
	for path, want := range map[string]string{
		"/cart":                         "/cart",
		"/products/{id:[0-9]+}":         "/products/{id} id:integer",
		"/settings/{group_id:[^/]+}":    "/settings/{group_id} group_id:string",
		"/items/{key:[0-9a-z]{32}}/x":   "/items/{key}/x key:string",
		"/a/{a_id:[0-9]+}/b/{slug}":     "/a/{a_id}/b/{slug} a_id:integer slug:string",
		"/catcher/{name:[a-z-]{1,64}}":  "/catcher/{name} name:string",
		"/a/{id:[0-9]+}/b/{id2:[0-9]+}": "/a/{id}/b/{id2} id:integer id2:integer",
	} {
		got := []string{withoutPatterns(path)}
		for _, variable := range variablesOf(path) {
			got = append(got, variable.Name+":"+strings.Join(variable.Type.Names(), "|"))
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%s: %q, want %q", path, got, want)
		}
	}
}
