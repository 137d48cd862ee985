// Package defects holds deliberate violations of the contract, as HTTP middleware: how the suites' own sharpness is
// measured. Each defect is laid over a shop that conforms; suites that are sharp then report the requirement that it
// breaks, and report it as broken, not something else by accident.
//
// Defects are generated from the tables of package contract – one for each way to spoil each documented field, each
// error code, each header, each list parameter, each writable field – and written by hand for rules of behaviour. A
// kind of violation has one implementation, called a bend.
package defects
