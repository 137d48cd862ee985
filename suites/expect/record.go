package expect

// Records inside of an answer.

import (
	"github.com/onsi/gomega/types"

	"shopcheck/reports"
	"shopcheck/suites/contract"
	"shopcheck/suites/target"
)

// HaveRecord succeeds when there is a record of the shape at the path of the body: "items.0".
func HaveRecord(path string, shape *contract.Shape) types.GomegaMatcher {
	return matcher("a "+shape.Title+" at "+path, func(a *target.Answer) []reports.Finding {
		return about(a, InspectRecord(a.Get(path), shape, path).Findings)
	})
}
