package rest

import "maps"

// checklist is a list of declared parameters, made ready for checking what a request sends: a record has far more fields
// than most requests name.
type checklist struct {
	byName   map[string]*Param
	required []*Param
	defaults Args
}

func newChecklist(params []Param) *checklist {
	list := &checklist{byName: make(map[string]*Param, len(params)), defaults: Args{}}
	for i := range params {
		list.add(&params[i])
	}
	return list
}

// add puts a parameter on the list. Of two of one name the first holds.
func (list *checklist) add(param *Param) {
	if list.byName[param.Name] != nil {
		return
	}
	list.byName[param.Name] = param
	if param.Required {
		list.required = append(list.required, param)
	}
	if param.Default != nil && !param.ReadOnly && !param.late {
		list.defaults[param.Name] = param.Default
	}
}

// validate reads the declared parameters of an input. What stands in the path comes first, then the body, then the query.
// Names that are not declared, and read-only ones, are ignored.
//
// Null means that the parameter is not given, unless it takes null as a value. That holds for parameters themselves: a null inside
// an object or a list is checked as any other value.
func (list *checklist) validate(in input, path map[string]string) (Args, error) {
	in.body = list.given(in.body)
	args := make(Args, len(list.defaults)+len(path)+len(in.body)+len(in.query))
	maps.Copy(args, list.defaults)
	var invalid []Invalid
	take := func(name string, value any) {
		if fault := list.take(args, name, value); fault != nil {
			invalid = append(invalid, *fault)
		}
	}
	for name, value := range path {
		take(name, value)
	}
	for name, value := range in.body {
		if _, inPath := path[name]; !inPath {
			take(name, value)
		}
	}
	for name, value := range in.query {
		_, inPath := path[name]
		if _, inBody := in.body[name]; !inPath && !inBody {
			take(name, value)
		}
	}
	if missing := list.missing(in, path); len(missing) > 0 {
		return nil, MissingParams(missing...)
	}
	if len(invalid) > 0 {
		return nil, InvalidParams(invalid...)
	}
	return args, nil
}

// given leaves the parameters out that are null and do not take it.
func (list *checklist) given(body Args) Args {
	absent := func(name string, value any) bool {
		param := list.byName[name]
		return value == nil && (param == nil || param.Type&Null == 0)
	}
	for name, value := range body {
		if absent(name, value) {
			body = maps.Clone(body)
			maps.DeleteFunc(body, absent)
			return body
		}
	}
	return body
}

// take checks one value and puts it among the arguments.
func (list *checklist) take(args Args, name string, value any) *Invalid {
	param := list.byName[name]
	if param == nil || param.ReadOnly {
		return nil
	}
	canonical, fault := param.check(name, value)
	if fault != nil {
		fault.Param = name
		return fault
	}
	args[name] = canonical
	return nil
}

func (list *checklist) missing(in input, path map[string]string) []string {
	var names []string
	for _, param := range list.required {
		_, inPath := path[param.Name]
		if _, sent := in.value(param.Name); !sent && !inPath {
			names = append(names, param.Name)
		}
	}
	return names
}
