package control

// The sandboxes under /_mock/sandboxes: shops of their own in one server.

import (
	"encoding/json"
	"net/http"
	"strings"
	"time"

	"shopcheck/fixtures"
	"shopcheck/mockserver/internal/rest"
)

// Sandbox is one of many shops in a server.
type Sandbox struct {
	Name          string
	Key, Secret   string // of the management API
	Created, Used time.Time
}

// Origin is what a sandbox begins with, and goes back to: one of these, or the server's seed.
type Origin struct {
	Seed     string
	SeedData []byte // of a seed file, instead of a name
	Clone    string // the name of another sandbox; "." is the server's own shop
	Snapshot string // of the server's own shop
}

// Count returns how many of them are named.
func (o Origin) Count() (named int) {
	for _, name := range []string{o.Seed, string(o.SeedData), o.Clone, o.Snapshot} {
		if name != "" {
			named++
		}
	}
	return named
}

// Sandboxes are those of a server. Errors are a *rest.Error or, where something could not be kept, a *shop.Fault.
type Sandboxes interface {
	Create(name string, from Origin) (Sandbox, error)
	List() ([]Sandbox, error)
	Delete(name string) error
}

// sandbox is the wire form of a Sandbox.
type sandbox struct {
	Name    string     `json:"name"`
	URL     string     `json:"url"`
	Key     string     `json:"consumer_key"`
	Secret  string     `json:"consumer_secret"`
	Created time.Time  `json:"created_at"`
	Used    *time.Time `json:"last_used_at,omitempty"`
}

func sandboxCalls() []call {
	one := rest.Described[sandbox]()
	wanted := object(rest.Param{Name: "name", Type: rest.String, Description: "1 to 63 of a-z, 0-9 and -; empty: one that is free."},
		rest.Param{Name: "seed", Type: rest.String | rest.Object,
			Description: strings.Join(fixtures.Seeds(), " or ") +
				", or what a seed file holds (shopmock seed schema). Empty: the server's."},
		rest.Param{Name: "clone", Type: rest.String, Description: "Instead of a seed: a sandbox to begin as; . is the server's own shop."},
		rest.Param{Name: "snapshot", Type: rest.String, Description: "Instead of a seed: one of the server's own shop."})
	calls := []call{
		{rest.Operation{Method: http.MethodGet, Path: "/_mock/sandboxes", Summary: "List the sandboxes",
			Answer: &rest.Param{Type: rest.Array, Items: one}}, (*Services).listSandboxes},
		{rest.Operation{Method: http.MethodPost, Path: "/_mock/sandboxes", Summary: "Make a sandbox",
			Body: wanted, Status: http.StatusCreated, Answer: one}, (*Services).createSandbox},
		{rest.Operation{Method: http.MethodDelete, Path: "/_mock/sandboxes/{name}", Summary: "End a sandbox",
			Status: http.StatusNoContent}, (*Services).deleteSandbox},
	}
	for i := range calls {
		calls[i].do = holdingSandboxes(calls[i].do)
	}
	return calls
}

// holdingSandboxes is a call that a sandbox does not answer.
func holdingSandboxes(do handler) handler {
	return func(s *Services, w http.ResponseWriter, r *http.Request) {
		if s.Sandboxes == nil {
			rest.WriteError(w, rest.Errorf(http.StatusNotFound, "mock_no_sandboxes", "A sandbox holds no others: ask the server itself."))
			return
		}
		do(s, w, r)
	}
}

func shownSandbox(r *http.Request, one Sandbox) sandbox {
	return sandbox{Name: one.Name, URL: rest.CallOf(r).Site.Home + "/s/" + one.Name, Key: one.Key, Secret: one.Secret, Created: one.Created}
}

func (s *Services) listSandboxes(w http.ResponseWriter, r *http.Request) {
	if paramsOf(r).refused(w) {
		return
	}
	all, err := s.Sandboxes.List()
	if err != nil {
		rest.WriteError(w, asRefusal(err))
		return
	}
	list := []sandbox{}
	for _, one := range all {
		shown := shownSandbox(r, one)
		shown.Used = &one.Used
		list = append(list, shown)
	}
	rest.WriteJSON(w, http.StatusOK, list)
}

// createSandbox makes one; the body may say {"name": …, "seed": …}, or clone or snapshot instead of seed.
func (s *Services) createSandbox(w http.ResponseWriter, r *http.Request) {
	var wanted struct {
		Name, Clone, Snapshot string
		Seed                  json.RawMessage
	}
	if !takeObject(w, r, &wanted, `{"name": "checkout-1", "seed": "demo"}`) {
		return
	}
	from := Origin{Clone: wanted.Clone, Snapshot: wanted.Snapshot}
	if json.Unmarshal(wanted.Seed, &from.Seed) != nil {
		from.SeedData = wanted.Seed
	}
	made, err := s.Sandboxes.Create(wanted.Name, from)
	if err != nil {
		rest.WriteError(w, asRefusal(err))
		return
	}
	rest.WriteJSON(w, http.StatusCreated, shownSandbox(r, made))
}

func (s *Services) deleteSandbox(w http.ResponseWriter, r *http.Request) {
	if paramsOf(r).refused(w) {
		return
	}
	if err := s.Sandboxes.Delete(rest.CallOf(r).Path["name"]); err != nil {
		rest.WriteError(w, asRefusal(err))
		return
	}
	w.WriteHeader(http.StatusNoContent)
}
