// Package auth says who calls the shop: API keys, OAuth 1.0a, logins and bearer tokens for the management API (contract,
// "Authentication"), and nonces, cart tokens and the session's cookie for the Store API.
package auth
