// Package webhooks tells receivers what happened in the shop (contract, "Events"): it turns the events of each commit into signed
// requests, delivers them in the background and keeps a log of what was sent, what came back and what was not sent, and why.
//
// A commit never waits. Its events go to a queue; there they become deliveries, in the order of the commits, each with its
// payload taken from the version of the shop that the commit made; and these go to the queue of their webhook, which is worked
// off one delivery after the other. All queues are bounded: what does not fit is dropped, and logged as dropped.
// There is no retry: a delivery that failed can be repeated by hand.
//
// Where the shop is kept, deliveries are made before the commit is, and kept with it: see outbox.go.
package webhooks
