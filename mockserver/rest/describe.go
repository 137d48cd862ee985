package rest

import (
	"net/http"
	"strings"
)

// describe answers OPTIONS: what each method of a path accepts.
func (r *route) describe() any {
	methods := strings.Split(r.allow, ", ")
	var endpoints []any
	seen := map[*operation]bool{}
	for _, method := range methods {
		endpoint := r.methods[method]
		if seen[endpoint] {
			continue
		}
		seen[endpoint] = true
		endpoints = append(endpoints, Pairs{{"methods", endpoint.Methods}, {"args", describeParams(endpoint.Params)}})
	}
	described := Pairs{{"namespace", r.api.Namespace}, {"methods", methods}, {"endpoints", endpoints}}
	if schema := r.schema(methods); schema != nil {
		described = append(described, Extra{"schema", schema.describe()})
	}
	return described
}

// schema is that of the records that a path shows; nil: it shows none.
func (r *route) schema(methods []string) *Schema {
	for _, method := range methods {
		if schema := r.methods[method].Schema; schema != nil {
			return schema
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
		if !params[i].ReadOnly {
			args = append(args, Extra{params[i].Name, params[i].describe(true)})
		}
	}
	return args
}

// describe gives the parameter as a JSON schema.
func (p *Param) describe(top bool) Pairs {
	schema := Pairs{}
	if p.Description != "" {
		schema = append(schema, Extra{"description", p.Description})
	}
	if names := p.Type.Names(); len(names) == 1 {
		schema = append(schema, Extra{"type", names[0]})
	} else {
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

// index is the namespace's own endpoint: it lists the routes.
func (api *API) index() *Endpoint {
	return &Endpoint{Methods: []string{http.MethodGet}, Access: Public, Do: func(r *Request) (Answer, error) {
		routes := Pairs{{"/" + api.Namespace, Pairs{{"namespace", api.Namespace}, {"methods", []string{http.MethodGet}}}}}
		for _, known := range api.routes() {
			routes = append(routes, Extra{"/" + api.Namespace + known.path, Pairs{
				{"namespace", api.Namespace},
				{"methods", strings.Split(known.allow, ", ")},
			}})
		}
		return OK(Pairs{{"namespace", api.Namespace}, {"routes", routes}})
	}}
}
