package spec

// The matchers that specs use, under their usual names: those of Gomega, and those of package expect. What each of them checks
// is said there.

import (
	"net/http"
	"time"

	"github.com/onsi/gomega"
	"github.com/onsi/gomega/types"
	"github.com/tidwall/gjson"

	"shopcheck/suites/contract"
	"shopcheck/suites/expect"
)

// Matcher is a Gomega matcher.
type Matcher = types.GomegaMatcher

// Expect starts an expectation. Where it fails, the failure is filed under the spec's first requirement.
func Expect(actual any, more ...any) types.Assertion { return gomega.Expect(actual, more...) }

// Equal succeeds for the same value of the same type.
func Equal(value any) Matcher { return gomega.Equal(value) }

// BeNil succeeds for nil.
func BeNil() Matcher { return gomega.BeNil() }

// BeTrue succeeds for true.
func BeTrue() Matcher { return gomega.BeTrue() }

// BeFalse succeeds for false.
func BeFalse() Matcher { return gomega.BeFalse() }

// BeNumerically succeeds for a number that compares so: ">=", 3.
func BeNumerically(comparator string, compareTo ...any) Matcher {
	return gomega.BeNumerically(comparator, compareTo...)
}

// BeElementOf succeeds for one of the elements.
func BeElementOf(elements ...any) Matcher { return gomega.BeElementOf(elements...) }

// HaveLen succeeds for what has that many elements.
func HaveLen(count int) Matcher { return gomega.HaveLen(count) }

// ConsistOf succeeds for exactly these elements, in any order.
func ConsistOf(elements ...any) Matcher { return gomega.ConsistOf(elements...) }

// ContainElement succeeds for what has the element among others.
func ContainElement(element any) Matcher { return gomega.ContainElement(element) }

// ContainElements succeeds for what has all of the elements.
func ContainElements(elements ...any) Matcher { return gomega.ContainElements(elements...) }

// HavePrefix succeeds for a text that begins so.
func HavePrefix(prefix string) Matcher { return gomega.HavePrefix(prefix) }

// ContainSubstring succeeds for a text that holds this one.
func ContainSubstring(text string) Matcher { return gomega.ContainSubstring(text) }

// MatchRegexp succeeds for a text that the pattern matches.
func MatchRegexp(pattern string) Matcher { return gomega.MatchRegexp(pattern) }

// And succeeds where all matchers do.
func And(matchers ...Matcher) Matcher { return gomega.And(matchers...) }

// HaveOccurred succeeds for an error.
func HaveOccurred() Matcher { return gomega.HaveOccurred() }

// WithTransform succeeds where the matcher does for what the function makes of the value.
func WithTransform(transform any, matcher Matcher) Matcher {
	return gomega.WithTransform(transform, matcher)
}

// BeEmpty succeeds for what has no elements.
func BeEmpty() Matcher { return gomega.BeEmpty() }

// HaveStatus succeeds when the answer has one of the statuses.
func HaveStatus(statuses ...int) Matcher { return expect.HaveStatus(statuses...) }

// BeSuccess succeeds when the answer has a 2xx status.
func BeSuccess() Matcher { return expect.BeSuccess() }

// BeRefused succeeds when the answer has a 4xx status.
func BeRefused() Matcher { return expect.BeRefused() }

// BeErrorEnvelope succeeds when the answer is an error in the documented envelope with that code and one of the statuses.
func BeErrorEnvelope(code string, statuses ...int) Matcher {
	return expect.BeErrorEnvelope(code, statuses...)
}

// MatchShape succeeds when the body is a record of the shape, or an array of such records.
func MatchShape(shape *contract.Shape) Matcher { return expect.MatchShape(shape) }

// HaveRecord succeeds when there is a record of the shape at the path of the body: "items.0".
func HaveRecord(path string, shape *contract.Shape) Matcher { return expect.HaveRecord(path, shape) }

// HaveMembers succeeds when the record at the path of the body ("" for the body itself) has all members that the shape does not
// leave open, whatever their values are.
func HaveMembers(path string, shape *contract.Shape) Matcher { return expect.HaveMembers(path, shape) }

// ShowRecord succeeds when the body is a record of the shape in all that binds.
func ShowRecord(shape *contract.Shape) Matcher { return expect.ShowRecord(shape) }

// HaveJSON succeeds when the value at the gjson path of the body satisfies want: a Gomega matcher, or a plain value that the JSON
// value must equal.
func HaveJSON(path string, want any) Matcher { return expect.HaveJSON(path, want) }

// HaveNoField succeeds when the body has nothing at the path.
func HaveNoField(path string) Matcher { return expect.HaveNoField(path) }

// HaveText succeeds when a text somewhere in the body holds the words, whatever field it is of.
func HaveText(words string) Matcher { return expect.HaveText(words) }

// HaveHeader succeeds when the header is there and its value satisfies want: a Gomega matcher on a string, or a string.
func HaveHeader(name string, want any) Matcher { return expect.HaveHeader(name, want) }

// HavePaging succeeds when the paging headers tell this many records on this many pages.
func HavePaging(total, pages int) Matcher { return expect.HavePaging(total, pages) }

// HaveLink succeeds when a Link header names an address of that relation (next, prev).
func HaveLink(rel string) Matcher { return expect.HaveLink(rel) }

// BeSortedBy succeeds when the records of a list are in the order of one of their fields: direction is asc or desc.
func BeSortedBy(field, direction string) Matcher { return expect.BeSortedBy(field, direction) }

// BeDelivered succeeds when the webhook request has come within the given time.
func BeDelivered(patience time.Duration) Matcher { return expect.BeDelivered(patience) }

// BeSignedWith succeeds when the signature of a webhook request is that of the bytes that have come.
func BeSignedWith(secret string) Matcher { return expect.BeSignedWith(secret) }

// EqualAmount succeeds for a string with the same amount, however many decimals it shows: 35, 35.0, 35.00.
func EqualAmount(amount string) Matcher { return expect.EqualAmount(amount) }

// EqualFold succeeds for the text in any case: shops write postcodes and codes of coupons in their own.
func EqualFold(text string) Matcher { return expect.EqualFold(text) }

// BeInAnyOrder succeeds for a JSON array of exactly these values: 3 equals 3.0.
func BeInAnyOrder[T any](values ...T) Matcher { return expect.BeInAnyOrder(values...) }

// BeAlike succeeds for a JSON value that says the same as the other: arrays in any order, amounts with any number of decimals.
func BeAlike(other any) Matcher { return expect.BeAlike(other) }

// BeUnits succeeds for a string with that count of units, or one that is off by no more than slack: sums of amounts that were
// rounded each for itself may be.
func BeUnits(want, slack int64, reason string) Matcher { return expect.BeUnits(want, slack, reason) }

// TotalPrice is what the totals of a cart come to, how many units its total_price may be off, and what it is made of.
func TotalPrice(totals gjson.Result) (sum, slack int64, parts string) {
	return expect.TotalPrice(totals)
}

// Roundings is how many units a sum of a cart's amounts may be off.
func Roundings(totals gjson.Result) int64 { return expect.Roundings(totals) }

// BeMinorUnits succeeds for a string with an integer count of the smallest currency unit.
func BeMinorUnits() Matcher { return expect.BeMinorUnits() }

// BeDecimalMoney succeeds for a string with a decimal amount.
func BeDecimalMoney() Matcher { return expect.BeDecimalMoney() }

// BePositive succeeds for a number above zero.
func BePositive() Matcher { return expect.BePositive() }

// BeNonEmpty succeeds for a string with at least one character.
func BeNonEmpty() Matcher { return expect.BeNonEmpty() }

// BeISO8601 succeeds for an ISO 8601 date, with or without a time.
func BeISO8601() Matcher { return expect.BeISO8601() }

// MinorUnits gives a decimal amount as the Store API shows it in a currency with that many decimals: 12.50 and 2 make 1250.
func MinorUnits(amount string, decimals int64) string { return expect.MinorUnits(amount, decimals) }

// MajorUnits gives an amount of the Store API as the management API shows it: 1250 and 2 make 12.5.
func MajorUnits(units string, decimals int64) string { return expect.MajorUnits(units, decimals) }

// IsRecord reports whether an object is meant as a record of the shape: it has most of the fields.
func IsRecord(object gjson.Result, shape *contract.Shape) bool { return expect.IsRecord(object, shape) }

// Links reads the Link headers: relation → address.
func Links(h http.Header) map[string]string { return expect.Links(h) }
