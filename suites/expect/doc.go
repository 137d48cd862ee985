// Package expect holds the Gomega matchers in which specs speak of answers, and the checks that every answer
// passes by itself (InspectAnswer).
//
// A matcher that fails says what was wanted, what was got and where, as reports.Finding values. They travel inside
// the failure message (see Encode), so that matchers keep no state and compose with And, Or, Not and Eventually.
package expect
