package shopmock

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"

	"shopcheck/mockserver/internal/control"
	"shopcheck/mockserver/internal/rest"
	"shopcheck/mockserver/internal/trigger"
)

// Trigger brings a topic about as the call of the mock's own API does, and returns what that answers. The error has its words.
func (s *Server) Trigger(ctx context.Context, wanted trigger.Wanted) ([]byte, error) {
	body, err := json.Marshal(wanted)
	if err != nil {
		return nil, fmt.Errorf("no JSON can be made of what is to be set: %w", err)
	}
	address := cmp.Or(s.options.Site, "http://localhost") + control.TriggerPath
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, address, bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	request.URL.Path = control.TriggerPath // below a site's own path, too
	answer := rest.NewRecorder()
	s.handler.ServeHTTP(answer, request)
	if answer.Status != http.StatusCreated {
		return nil, errors.New(reasonOf(answer.Body.Bytes()))
	}
	return answer.Body.Bytes(), nil
}

// reasonOf is why a call of the mock's own API was refused: what it says of a parameter, if it does, says more.
func reasonOf(envelope []byte) string {
	var refusal struct {
		Message string
		Data    struct{ Params map[string]string }
	}
	json.Unmarshal(envelope, &refusal) //nolint:errcheck // it is our own
	for _, reason := range refusal.Data.Params {
		return reason
	}
	return refusal.Message
}
