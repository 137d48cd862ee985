package storeapi_test

import (
	"testing"

	"shopcheck/mockserver/internal/rest"
	"shopcheck/mockserver/internal/storeapi"
)

// TestEveryTextOfAVisitorHasALimit looks at all that the Store API lets anybody write.
func TestEveryTextOfAVisitorHasALimit(t *testing.T) {
	t.Parallel()
	var look func(path string, p *rest.Param)
	look = func(path string, p *rest.Param) {
		if p.Type&rest.String != 0 && p.Type&rest.Null == 0 && len(p.Enum) == 0 && p.Max == nil && p.Name != "_fields" {
			t.Errorf("%s may be as long as a body", path)
		}
		if p.Items != nil {
			look(path+"[]", p.Items)
		}
		for i := range p.Fields {
			look(path+"."+p.Fields[i].Name, &p.Fields[i])
		}
	}
	for _, endpoint := range storeapi.API(nil, nil).Endpoints() {
		if endpoint.Access == rest.Guarded {
			for i := range endpoint.Params {
				look(endpoint.Path+" "+endpoint.Params[i].Name, &endpoint.Params[i])
			}
		}
	}
}
