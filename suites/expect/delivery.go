package expect

// Webhook requests, in the form of answers.

import (
	"fmt"
	"time"

	"github.com/onsi/gomega/types"
	"github.com/tidwall/gjson"

	"shopcheck/reports"
	"shopcheck/suites/client"
	"shopcheck/suites/contract"
	"shopcheck/suites/receiver"
)

// BeDelivered succeeds when the webhook request has come within the given time.
func BeDelivered(patience time.Duration) types.GomegaMatcher {
	return matcher("a webhook request", func(a *client.Answer) []reports.Finding {
		if a.Status != 0 {
			return nil
		}
		return one(finding(a, "", "no webhook request has come after this", a.Path+" about the record, within "+patience.String(),
			"none, or none about the record"))
	})
}

// BeSignedWith succeeds when the signature of a webhook request is that of the bytes that have come.
func BeSignedWith(secret string) types.GomegaMatcher {
	return matcherAt(receiver.SignatureHeader, "the signature of the payload", func(a *client.Answer) []reports.Finding {
		want, got := receiver.Signature(secret, []byte(a.Body)), a.Header.Get(receiver.SignatureHeader)
		if got == want {
			return nil
		}
		return one(finding(a, receiver.SignatureHeader, "the signature is not that of the payload",
			fmt.Sprintf("%s, base64 of the HMAC-SHA256 of the %d bytes that came, keyed with the webhook's secret", want, len(a.Body)),
			quote(got)))
	})
}

// ShowRecord succeeds when the body is a record of the shape in all that binds. Deviations are filed together, not each under
// its field: they are those of the webhooks.
func ShowRecord(shape *contract.Shape) types.GomegaMatcher {
	return matcher("a "+shape.Title, func(a *client.Answer) []reports.Finding {
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

// IsRecord reports whether an object is meant as a record of the shape: it has most of the fields.
func IsRecord(object gjson.Result, shape *contract.Shape) bool {
	has := 0
	for _, field := range shape.Fields {
		if object.IsObject() && object.Get(field.Name).Exists() {
			has++
		}
	}
	return 2*has > len(shape.Fields)
}
