// Package contract is the harness's own reading of the service contract, as data: every normative
// statement as a Requirement with a stable id, every documented record as a Shape, every documented
// list parameter and error code as a table row. Nothing here talks to a shop.
//
// The requirements of fields, list parameters and error codes are made from their tables, so that one
// declaration serves the matchers, the catalogue and the deliberate defects.
//
// An id never changes its meaning. A statement that is reworded keeps its id; one that is withdrawn
// takes its id with it.
package contract

// Title and Revision name the contract that this package reads.
const (
	Title    = "Storefront Commerce Service: Management API and Store API"
	Revision = "2026-11"
)
