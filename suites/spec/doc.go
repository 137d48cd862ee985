// Package stage holds what specs are given: products, carts, orders and sessions, made through the target's own
// API, and the clean-up of everything that was made.
//
// What a given needs and the target refuses is filed under the requirement that the refusal breaks
// (products.create), not under the requirement of the spec that asked. What the target cannot be expected to have
// (keys, a coupon) makes the spec could-not-run.
package spec
