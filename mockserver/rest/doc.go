// Package rest is what both APIs of the reference shop share: endpoint declarations, parameter schemas
// and their validation, the error envelope, pagination headers, batch, OPTIONS, and the rewriting of the alternative
// forms of an address. It knows no resource: management and storeapi declare theirs with it.
//
// A request lives so: rewrite → router → Endpoint → authenticate → read and validate parameters → authorise →
// Do → Answer. Endpoints hold no shop: the request carries it, so one router serves every server of the process.
package rest
