package expect

// Records inside of an answer.

import (
	"strings"

	"github.com/onsi/gomega/types"

	"shopcheck/reports"
	"shopcheck/suites/client"
	"shopcheck/suites/contract"
)

// HaveRecord succeeds when there is a record of the shape at the path of the body: "items.0".
func HaveRecord(path string, shape *contract.Shape) types.GomegaMatcher {
	return matcher("a "+shape.Title+" at "+path, func(a *client.Answer) []reports.Finding {
		return about(a, InspectRecord(a.Get(path), shape, path).Findings)
	})
}

// HaveMembers succeeds when the record at the path of the body ("" for the body itself) has all members that the shape
// does not leave open, whatever their values are.
func HaveMembers(path string, shape *contract.Shape) types.GomegaMatcher {
	return matcherAt(path, "a whole "+shape.Title, func(a *client.Answer) []reports.Finding {
		var missing []string
		for _, f := range shape.Fields {
			if !f.Optional && !a.Get(contract.JoinPath(path, f.Name)).Exists() {
				missing = append(missing, f.Name)
			}
		}
		if len(missing) == 0 {
			return nil
		}
		return one(finding(a, path, "the "+shape.Title+" is not complete", "all of its documented fields",
			"none of "+strings.Join(missing, ", ")))
	})
}
