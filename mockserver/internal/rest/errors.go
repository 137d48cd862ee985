package rest

import (
	"errors"
	"fmt"
	"net/http"
	"sort"
	"strings"

	"shopcheck/mockserver/internal/shop"
)

// Error is an answer that reports a failure (contract, "Errors"): {code, message, data: {status, …}}.
type Error struct {
	Status  int
	Code    string
	Message string
	Data    []Extra // what data holds besides status, in this order
}

// Extra is one key of an object with its value: of an error's data, of Pairs, of Args.
type Extra struct {
	Name  string
	Value any
}

// Error returns code and message.
func (e *Error) Error() string { return e.Code + ": " + e.Message }

// Errorf makes an error with a formatted message.
func Errorf(status int, code, format string, args ...any) *Error {
	return &Error{Status: status, Code: code, Message: fmt.Sprintf(format, args...)}
}

// With adds a key to the error's data.
func (e *Error) With(name string, value any) *Error {
	e.Data = append(e.Data, Extra{name, value})
	return e
}

// Encode appends the envelope to b.
func (e *Error) Encode(b []byte) []byte {
	b = append(b, `{"code":`...)
	b = AppendString(b, e.Code)
	b = append(b, `,"message":`...)
	b = AppendString(b, e.Message)
	b = append(b, `,"data":{"status":`...)
	b = AppendInt(b, int64(e.Status))
	for _, extra := range e.Data {
		b = append(b, ',')
		b = AppendString(b, extra.Name)
		b = append(b, ':')
		b = AppendAny(b, extra.Value)
	}
	return append(b, "}}"...)
}

// NoRoute is the answer to an unknown path or method.
func NoRoute() *Error {
	return Errorf(http.StatusNotFound, "rest_no_route", "There is no route for this address and method.")
}

// Invalid is a parameter that broke its declaration.
type Invalid struct {
	Param  string
	Code   string // rest_invalid_type, rest_not_in_enum, rest_out_of_bounds, rest_invalid_format …
	Reason string
}

// data names the parameter again where its type is wrong; other faults have no data.
func (f Invalid) data() any {
	if f.Code == wrongTypeCode {
		return Pairs{{"param", f.Param}}
	}
	return nil
}

// InvalidParams is the answer to parameters that are not as declared. data.params maps each to its reason.
func InvalidParams(faults ...Invalid) *Error {
	sort.SliceStable(faults, func(i, j int) bool { return faults[i].Param < faults[j].Param })
	reasons, details := Pairs{}, Pairs{}
	var names []string
	for _, fault := range faults {
		names = append(names, fault.Param)
		reasons = append(reasons, Extra{fault.Param, fault.Reason})
		details = append(details, Extra{fault.Param, Pairs{{"code", fault.Code}, {"message", fault.Reason}, {"data", fault.data()}}})
	}
	return Errorf(http.StatusBadRequest, "rest_invalid_param", "Not valid: %s.", strings.Join(names, ", ")).
		With("params", reasons).With("details", details)
}

// InvalidParamf is the answer to a value that no schema can check: one that refers to something that is not there, for example.
func InvalidParamf(param, format string, args ...any) *Error {
	return InvalidParams(Invalid{Param: param, Code: "rest_invalid_param", Reason: fmt.Sprintf(format, args...)})
}

// MissingParams is the answer to required parameters that were not sent. data.params lists them.
func MissingParams(names ...string) *Error {
	return Errorf(http.StatusBadRequest, "rest_missing_callback_param", "Missing: %s.", strings.Join(names, ", ")).
		With("params", names)
}

// Unavailable is the answer to a change that could not be kept.
func Unavailable(fault *shop.Fault) *Error {
	return Errorf(http.StatusServiceUnavailable, "mock_storage_unavailable", "%s", fault.Message)
}

// FaultTable says for one API which status and code each kind of fault gets.
type FaultTable map[shop.Kind]FaultCode

// FaultCode is the status and code of one kind of fault.
type FaultCode struct {
	Status int
	Code   string
}

// errorFrom turns whatever an endpoint returned into an answer.
func (table FaultTable) errorFrom(err error) *Error {
	var ready *Error
	if errors.As(err, &ready) {
		return ready
	}
	var fault *shop.Fault
	if errors.As(err, &fault) {
		return table.envelope(fault)
	}
	return Errorf(http.StatusInternalServerError, "internal_server_error", "The shop failed to answer. This is a defect of the mock.")
}

func (table FaultTable) envelope(fault *shop.Fault) *Error {
	if fault.Kind == shop.InvalidParam {
		return InvalidParams(invalidFrom(fault)...)
	}
	if fault.Kind == shop.NotKept {
		return Unavailable(fault)
	}
	row, known := table[fault.Kind]
	if !known {
		row = FaultCode{http.StatusBadRequest, "shop_rest_invalid_request"}
	}
	answer := &Error{Status: row.Status, Code: row.Code, Message: fault.Message}
	if fault.ID != 0 {
		answer.With("resource_id", fault.ID)
	}
	if len(fault.Params) > 0 {
		answer.With("params", sortedPairs(fault.Params))
	}
	if len(fault.Details) > 0 {
		answer.With("details", sortedPairs(fault.Details))
	}
	return answer
}

func invalidFrom(fault *shop.Fault) []Invalid {
	var all []Invalid
	for name, reason := range fault.Params {
		all = append(all, Invalid{Param: name, Code: "rest_invalid_param", Reason: reason})
	}
	return all
}

func sortedPairs(values map[string]string) Pairs {
	var pairs Pairs
	for name, value := range values {
		pairs = append(pairs, Extra{name, value})
	}
	sort.Slice(pairs, func(i, j int) bool { return pairs[i].Name < pairs[j].Name })
	return pairs
}
