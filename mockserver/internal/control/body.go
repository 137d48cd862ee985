package control

// The bodies of requests to the mock's own API.

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"net/http"

	"shopcheck/mockserver/internal/rest"
)

// takeBody reads the body of a request that takes no parameters. It refuses one that has some, or a body that cannot be read.
func takeBody(w http.ResponseWriter, r *http.Request) (text []byte, ok bool) {
	return takeBodyUpTo(rest.MaxBody, w, r)
}

// takeBodyUpTo is takeBody with a bound of its own, in bytes.
func takeBodyUpTo(most int64, w http.ResponseWriter, r *http.Request) (text []byte, ok bool) {
	if paramsOf(r).refused(w) {
		return nil, false
	}
	text, err := io.ReadAll(http.MaxBytesReader(w, r.Body, most))
	switch {
	case errors.As(err, new(*http.MaxBytesError)):
		rest.WriteError(w, rest.Errorf(http.StatusRequestEntityTooLarge, "shop_rest_request_entity_too_large",
			"The request body is larger than %d bytes.", most))
	case err != nil:
		rest.WriteError(w, rest.Errorf(http.StatusBadRequest, "rest_invalid_json", "The body broke off."))
	}
	return text, err == nil
}

// takeObject reads the body of a request that takes no parameters: an object, or nothing. It refuses another one with an example.
func takeObject(w http.ResponseWriter, r *http.Request, wanted any, example string) bool {
	text, ok := takeBody(w, r)
	if ok && len(bytes.TrimSpace(text)) > 0 && !isObject(text, wanted) {
		rest.WriteError(w, rest.InvalidParamf("body", "The body must be empty, or an object such as %s.", example))
		return false
	}
	return ok
}

// isObject reads a body that must be one JSON object, with no other members than the wanted ones.
func isObject(text []byte, wanted any) bool {
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.DisallowUnknownFields()
	if decoder.Decode(wanted) != nil {
		return false
	}
	_, err := decoder.Token()
	return errors.Is(err, io.EOF)
}
