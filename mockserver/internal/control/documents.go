package control

// What is served, described for people and programs.

import (
	"net/http"
	"strings"

	"shopcheck/mockserver/internal/openapi"
	"shopcheck/mockserver/internal/rest"
)

func documentCalls(apis []*rest.API) []call {
	document := func(site string) ([]byte, error) { return openapi.Document(site, Operations(apis)) }
	all := []call{
		{rest.Operation{Method: http.MethodGet, Path: Root + "/openapi.json", Summary: "Describe all that is served, in OpenAPI 3.1",
			Answer: object()}, answerDocument("application/json; charset=utf-8", document)},
		{rest.Operation{Method: http.MethodGet, Path: Root + "/docs", Summary: "Show all that is served, as a page",
			Answer: &rest.Param{Type: rest.String}, Media: "text/html"}, (*Services).showDocs},
	}
	media := map[string]string{"postman": "application/json", "bruno": "application/zip"}
	for _, kind := range openapi.Kinds() {
		all = append(all, call{rest.Operation{Method: http.MethodGet, Path: Root + "/collection/" + kind,
			Summary: "Make a collection for " + kind, Answer: &rest.Param{}, Media: media[kind]},
			answerDocument(media[kind], func(site string) ([]byte, error) { return openapi.Collection(kind, site, Operations(apis)) })})
	}
	return all
}

// Operations describes APIs and the mock's own.
func Operations(apis []*rest.API) []rest.Operation {
	var all []rest.Operation
	for _, api := range apis {
		all = append(all, api.Operations()...)
	}
	for _, c := range calls(nil, apis) {
		c.API = strings.TrimPrefix(Root, "/")
		all = append(all, c.Operation)
	}
	return all
}

// Addresses lists where the operations are.
func Addresses(apis []*rest.API) []string {
	var all []string
	for _, api := range apis {
		all = append(all, api.Addresses()...)
	}
	for _, c := range calls(nil, apis) {
		all = append(all, c.Address())
	}
	return all
}

// answerDocument answers with a document about what is served at a site.
func answerDocument(media string, write func(site string) ([]byte, error)) handler {
	return func(_ *Services, w http.ResponseWriter, r *http.Request) {
		if paramsOf(r).refused(w) {
			return
		}
		text, err := write(rest.CallOf(r).Site.Root)
		if err != nil {
			panic(err) // what is declared can always be written down
		}
		w.Header().Set("Content-Type", media)
		w.Write(text) //nolint:errcheck // a client that went away is no fault of ours
	}
}

func (s *Services) showDocs(w http.ResponseWriter, r *http.Request) {
	if paramsOf(r).refused(w) {
		return
	}
	page, header := openapi.DocsPage(), w.Header()
	header.Set("Content-Type", "text/html; charset=utf-8")
	header.Set("Content-Security-Policy", page.Policy)
	header.Set("X-Content-Type-Options", "nosniff")
	w.Write(page.HTML) //nolint:errcheck // a client that went away is no fault of ours
}
