// Package defects holds what the suites themselves are measured with, as HTTP middleware: deliberate violations of the
// contract (Defect), which sharp suites catch, and liberties that it leaves (Variant), which fair suites do not mind.
//
// Each defect is laid over a shop that conforms; the suites must report the requirement that it breaks, and report it as
// broken, not something else by accident. Each variant conforms itself; the suites must report nothing.
//
// Defects are generated from the tables of package contract – one for each way to spoil each documented field, each
// error code, each header, each list parameter, each writable field – and written by hand for rules of behaviour. A
// kind of violation has one implementation, called a bend.
package defects
