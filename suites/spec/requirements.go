package spec

// How a spec names what it verifies and what it needs: decorators of It.

import (
	"strings"

	"shopcheck/suites/contract"
)

// Requirements is the decorator that Req, ReqShape and ReqPrefix make. (Ginkgo takes a slice apart, so it is none.)
type Requirements struct{ IDs []string }

// Features is the decorator that Needs makes.
type Features struct{ Names []string }

// Req names the requirements that a spec verifies, the most telling first: a failure that says nothing else is
// filed under it. Every spec has at least one; an unknown id stops the build of the tree.
func Req(ids ...string) Requirements { return Requirements{ids} }

// ReqShape names the requirements of all fields that a shape owns.
func ReqShape(shapes ...*contract.Shape) Requirements {
	var ids []string
	for _, s := range shapes {
		ids = append(ids, s.RequirementIDs()...)
	}
	return Requirements{ids}
}

// ReqPrefix names requirements by a common prefix: every id that starts with prefix + ".".
func ReqPrefix(prefix string) Requirements {
	var ids []string
	for _, id := range contract.All().IDs() {
		if strings.HasPrefix(id, prefix+".") {
			ids = append(ids, id)
		}
	}
	return Requirements{ids}
}

// Needs names features that a spec uses beyond those of its requirements. Where one is off, the spec is not
// applicable.
func Needs(features ...string) Features { return Features{features} }
