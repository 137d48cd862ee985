// Package client is the harness's side of the wire: how it speaks to a shop (Client, Request, Answer), what it keeps
// of every exchange (recorded, redacted, cut), and how it finds out what the shop offers before the specs run (Preflight).
//
// Secrets of the profile and tokens that the shop issues never leave this package: exchanges are redacted as
// they are recorded, and Redactor.Text cleans every other text that a report may quote. What it cannot find stands in suites/README.md.
package client
