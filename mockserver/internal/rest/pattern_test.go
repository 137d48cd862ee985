package rest

import (
	"strings"
	"testing"
)

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
