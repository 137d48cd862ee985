// Package profile holds what a user tells the harness about a shop: its address, credentials, what it is known to have, limits
// and waivers. A profile is read from a YAML file; environment variables and flags override single keys.
package profile
