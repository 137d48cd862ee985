package control

// What a shop knows, kept and put back: snapshots under /_mock/snapshots, and documents by /_mock/export and /_mock/import.

import (
	"errors"
	"net/http"
	"time"

	"shopcheck/mockserver/internal/rest"
	"shopcheck/mockserver/internal/shop"
)

// Snapshot is what a shop knew at one moment.
type Snapshot struct {
	Name  string    `json:"name"`
	Taken time.Time `json:"taken_at"` // by the shop's clock
}

// Snapshots are those of a shop. Errors are a *rest.Error or, where something could not be kept, a *shop.Fault.
type Snapshots interface {
	TakeSnapshot(name string) (Snapshot, error)
	RestoreSnapshot(name string) error
	DeleteSnapshot(name string) error
	ListSnapshots() ([]Snapshot, error)
}

func snapshotCalls() []call {
	const path = "/_mock/snapshots"
	one := rest.Described[Snapshot]()
	wanted := object(rest.Param{Name: "name", Type: rest.String, Description: "1 to 63 of a-z, 0-9 and -; empty: one that is free."})
	document := &rest.Param{Type: rest.Object, Description: "Tables of rows by id, settings, last ids, and the version of this layout."}
	return []call{
		{rest.Operation{Method: http.MethodGet, Path: path, Summary: "List the snapshots",
			Answer: &rest.Param{Type: rest.Array, Items: one}}, (*Services).listSnapshots},
		{rest.Operation{Method: http.MethodPost, Path: path, Summary: "Take a snapshot", Body: wanted, Status: http.StatusCreated,
			Answer: one}, (*Services).takeSnapshot},
		{rest.Operation{Method: http.MethodDelete, Path: path + "/{name}", Summary: "Forget a snapshot",
			Status: http.StatusNoContent}, (*Services).deleteSnapshot},
		{rest.Operation{Method: http.MethodPost, Path: path + "/{name}/restore", Summary: "Put back what a snapshot holds",
			Answer: versionAnswer}, (*Services).restoreSnapshot},
		{rest.Operation{Method: http.MethodGet, Path: "/_mock/export", Summary: "Write all that the shop knows", Answer: document},
			(*Services).export},
		{rest.Operation{Method: http.MethodPost, Path: "/_mock/import", Summary: "Replace all that the shop knows by an export",
			Body: document, Answer: versionAnswer}, (*Services).importShop},
	}
}

func (s *Services) listSnapshots(w http.ResponseWriter, r *http.Request) {
	if paramsOf(r).refused(w) {
		return
	}
	list, err := s.Snapshots.ListSnapshots()
	if err != nil {
		rest.WriteError(w, asRefusal(err))
		return
	}
	rest.WriteJSON(w, http.StatusOK, list)
}

// takeSnapshot keeps what the shop knows; the body may say {"name": …}.
func (s *Services) takeSnapshot(w http.ResponseWriter, r *http.Request) {
	var wanted struct{ Name string }
	if !takeObject(w, r, &wanted, `{"name": "full-cart"}`) {
		return
	}
	taken, err := s.Snapshots.TakeSnapshot(wanted.Name)
	if err != nil {
		rest.WriteError(w, asRefusal(err))
		return
	}
	rest.WriteJSON(w, http.StatusCreated, taken)
}

func (s *Services) restoreSnapshot(w http.ResponseWriter, r *http.Request) {
	if paramsOf(r).refused(w) {
		return
	}
	if err := s.Snapshots.RestoreSnapshot(rest.CallOf(r).Path["name"]); err != nil {
		rest.WriteError(w, asRefusal(err))
		return
	}
	s.answerVersion(w)
}

func (s *Services) deleteSnapshot(w http.ResponseWriter, r *http.Request) {
	if paramsOf(r).refused(w) {
		return
	}
	if err := s.Snapshots.DeleteSnapshot(rest.CallOf(r).Path["name"]); err != nil {
		rest.WriteError(w, asRefusal(err))
		return
	}
	w.WriteHeader(http.StatusNoContent)
}

// export answers with all that the shop knows.
func (s *Services) export(w http.ResponseWriter, r *http.Request) {
	if paramsOf(r).refused(w) {
		return
	}
	header := w.Header()
	header.Set("Content-Type", "application/json")
	header.Set("Content-Disposition", `attachment; filename="shop.json"`)
	s.Export(w) //nolint:errcheck // a client that went away is no fault of ours
}

// maxImport is how large a document may be, in bytes.
const maxImport = 256 << 20

// importShop puts what a document holds in the place of all that the shop knows.
func (s *Services) importShop(w http.ResponseWriter, r *http.Request) {
	document, ok := takeBodyUpTo(maxImport, w, r)
	if !ok {
		return
	}
	if err := s.Import(document); err != nil {
		rest.WriteError(w, asRefusal(err))
		return
	}
	s.answerVersion(w)
}

func (s *Services) answerVersion(w http.ResponseWriter) {
	rest.WriteJSON(w, http.StatusOK, rest.Pairs{{Name: "version", Value: int64(s.Shop.Version())}})
}

// asRefusal is an error of the server as it is answered: a refusal as it is, 503 for what could not be kept, 400 for others.
func asRefusal(err error) *rest.Error {
	if refusal := (*rest.Error)(nil); errors.As(err, &refusal) {
		return refusal
	}
	if notKept := (*shop.Fault)(nil); errors.As(err, &notKept) && notKept.Kind == shop.NotKept {
		return rest.Unavailable(notKept)
	}
	return rest.InvalidParamf("body", "%v", err)
}
