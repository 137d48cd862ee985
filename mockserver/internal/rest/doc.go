// Package rest is what both APIs of the reference shop share: endpoint declarations, parameter schemas
// and their validation, the error envelope, pagination headers, batch, OPTIONS, and the rewriting of the alternative
// forms of an address. It knows no resource: management and storeapi declare theirs with it.
//
// A request lives so: rewrite → router → Endpoint → authenticate → read and validate parameters → authorise →
// Do → Answer. Endpoints hold no shop: the request carries it, so one router serves every server of the process.
//
// # What is taken besides what is declared
//
// A parameter that breaks its declaration is refused with 400 rest_invalid_param. These, which query strings and clients in use send,
// are no breach of it: text for an integer, number or truth value ("5", "true"), and 1 or 0 for a truth value; text with commas, and
// an object whose keys are numbers, for a list; an empty list for an object, and null, too, for a body; empty text for null, where
// null is taken. A name that is sent twice counts once, the last value; one in the body wins over one in the query. Names that are
// not declared, and read-only ones, are ignored. Texts are as long as a body can be: the contract says nothing of lengths. JSON bodies
// nest at most 512 levels deep.
package rest
