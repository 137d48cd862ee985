package expect

// Webhook requests, in the form of answers.

import (
	"time"

	"github.com/onsi/gomega/types"
	"github.com/tidwall/gjson"

	"shopcheck/reports"
	"shopcheck/suites/contract"
	"shopcheck/suites/target"
)

// BeDelivered succeeds when the webhook request has come within the given time.
func BeDelivered(patience time.Duration) types.GomegaMatcher {
	return matcher("a webhook request", func(a *target.Answer) []reports.Finding {
		if a.Status != 0 {
			return nil
		}
		return one(finding(a, "", "no "+a.Path+" has come", "a webhook request within "+patience.String(), "others only"))
	})
}

// ShowRecord succeeds when the body is a record of the shape in all that binds. Deviations are filed together, not each under
// its field: they are those of the webhooks.
func ShowRecord(shape *contract.Shape) types.GomegaMatcher {
	return matcher("a "+shape.Title, func(a *target.Answer) []reports.Finding {
		var found []reports.Finding
		for _, f := range InspectRecord(a.JSON(), shape, "").Findings {
			if r, _ := contract.All().Get(f.Requirement); r.Level == reports.Must {
				f.Requirement = ""
				found = append(found, f)
			}
		}
		return about(a, found)
	})
}

// IsRecord tells whether an object is meant as a record of the shape: it has most of the fields.
func IsRecord(object gjson.Result, shape *contract.Shape) bool {
	has := 0
	for _, field := range shape.Fields {
		if object.IsObject() && object.Get(field.Name).Exists() {
			has++
		}
	}
	return 2*has > len(shape.Fields)
}
