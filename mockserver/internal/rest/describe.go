package rest

import (
	"net/http"
	"strings"
)

// describe answers OPTIONS: what each method of a path accepts, and the records that it shows.
func (r *route) describe(site Site) any {
	described := r.accepts()
	if schema := r.schema(strings.Split(r.allow, ", ")); schema != nil {
		described = append(described, Extra{"schema", schema.describe()})
	}
	return append(described, r.links(site)...)
}

// accepts tells what each method of a path accepts.
func (r *route) accepts() Pairs {
	methods := strings.Split(r.allow, ", ")
	var endpoints []any
	seen := map[*operation]bool{}
	for _, method := range methods {
		endpoint := r.methods[method]
		if seen[endpoint] {
			continue
		}
		seen[endpoint] = true
		endpoints = append(endpoints, r.describeEndpoint(endpoint))
	}
	return Pairs{{"namespace", r.api.Namespace}, {"methods", methods}, {"endpoints", endpoints}}
}

// links is the address of a path, which one with variables has not.
func (r *route) links(site Site) Pairs {
	if len(r.variables) > 0 {
		return nil
	}
	return Pairs{{"_links", Pairs{{"self", []Pairs{{{"href", site.Root + "/" + r.api.Namespace + r.path}}}}}}}
}

func (r *route) describeEndpoint(endpoint *operation) Pairs {
	described := Pairs{{"methods", endpoint.Methods}}
	if r.api.BatchPath != "" && r.path != r.api.BatchPath {
		described = append(described, Extra{"allow_batch", Pairs{{"v1", true}}})
	}
	return append(described, Extra{"args", append(r.describeVariables(endpoint), describeParams(endpoint.Params)...)})
}

// describeVariables returns the variables of the path, which can be sent as parameters nowhere else.
func (r *route) describeVariables(endpoint *operation) Pairs {
	args := Pairs{}
	for _, variable := range r.variables {
		if endpoint.checks.byName[variable.Name] == nil {
			args = append(args, Extra{variable.Name, variable.describe(true)})
		}
	}
	return args
}

// schema is that of the records that a path shows; nil: it shows none.
func (r *route) schema(methods []string) *Schema {
	for _, method := range methods {
		if schema := r.methods[method].Schema; schema != nil {
			return schema()
		}
	}
	return nil
}

func (s *Schema) describe() Pairs {
	properties := Pairs{}
	for i := range s.Fields {
		field := &s.Fields[i]
		contexts := []string{"view", "edit"}
		if field.Edit {
			contexts = contexts[1:]
		}
		properties = append(properties, Extra{field.Name, append(field.Param.describe(false), Extra{"context", contexts})})
	}
	return Pairs{{"$schema", "http://json-schema.org/draft-04/schema#"}, {"title", s.Title}, {"type", "object"}, {"properties", properties}}
}

func describeParams(params []Param) Pairs {
	args := Pairs{}
	for i := range params {
		if !params[i].ReadOnly && !params[i].Unlisted {
			args = append(args, Extra{params[i].Name, params[i].describe(true)})
		}
	}
	return args
}

// describe returns the parameter as a JSON schema.
func (p *Param) describe(top bool) Pairs {
	schema := Pairs{}
	if p.Description != "" {
		schema = append(schema, Extra{"description", p.Description})
	}
	switch names := p.Type.Names(); len(names) {
	case 0: // anything
	case 1:
		schema = append(schema, Extra{"type", names[0]})
	default:
		schema = append(schema, Extra{"type", names})
	}
	schema = p.describeLimits(schema)
	if p.Items != nil {
		schema = append(schema, Extra{"items", p.Items.describe(false)})
	}
	if p.Fields != nil {
		schema = append(schema, Extra{"properties", describeProperties(p.Fields)})
	}
	if p.ReadOnly {
		schema = append(schema, Extra{"readonly", true})
	}
	if top {
		schema = append(schema, Extra{"required", p.Required})
	}
	return schema
}

func (p *Param) describeLimits(schema Pairs) Pairs {
	if p.Format != "" {
		schema = append(schema, Extra{"format", string(p.Format)})
	}
	if len(p.Enum) > 0 {
		schema = append(schema, Extra{"enum", p.Enum})
	}
	if p.Default != nil {
		schema = append(schema, Extra{"default", p.Default})
	}
	if p.Type&String != 0 && p.Max != nil {
		schema = append(schema, Extra{"maxLength", *p.Max})
	}
	if p.Type&(Integer|Number) != 0 {
		if p.Min != nil {
			schema = append(schema, Extra{"minimum", *p.Min})
		}
		if p.Max != nil {
			schema = append(schema, Extra{"maximum", *p.Max})
		}
	}
	return schema
}

func describeProperties(fields []Param) Pairs {
	properties := Pairs{}
	for i := range fields {
		properties = append(properties, Extra{fields[i].Name, fields[i].describe(false)})
	}
	return properties
}

// Routes tells what the API's routes accept, by their expressions, the namespace itself first. There are clients that make their calls
// from it.
func (api *API) Routes(site Site) Pairs {
	routes := Pairs{}
	for _, known := range api.routes(append([]*Endpoint{api.index()}, api.endpoints()...)) {
		routes = append(routes, Extra{"/" + api.Namespace + expression(known.path), append(known.accepts(), known.links(site)...)})
	}
	return routes
}

// index is the namespace's own endpoint: it lists the routes.
func (api *API) index() *Endpoint {
	return &Endpoint{Methods: []string{http.MethodGet}, Access: Public, Do: func(r *Request) (Answer, error) {
		return OK(Pairs{{"namespace", api.Namespace}, {"routes", api.Routes(r.Site)}})
	}}
}
