package rest

// checklist is a list of declared parameters, made ready for checking what a request sends: a record has far more fields
// than most requests name.
type checklist struct {
	byName   map[string]*Param
	required []*Param
	defaults Args
}

func newChecklist(params []Param) *checklist {
	list := &checklist{byName: make(map[string]*Param, len(params))}
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
		list.defaults = append(list.defaults, Extra{param.Name, param.Default})
	}
}

// validate reads the declared parameters of an input. What stands in the path comes first, then the body, then the query.
// Names that are not declared, and read-only ones, are ignored.
//
// Null means that the parameter is not given, unless it takes null as a value. That holds for parameters themselves: a null inside
// an object or a list is checked as any other value.
func (list *checklist) validate(in input, path map[string]string) (Args, error) {
	args := make(Args, 0, len(list.defaults)+len(path)+min(len(in.body)+len(in.query), len(list.byName)))
	var invalid []Invalid
	take := func(param *Param, value any) {
		if fault := param.take(&args, value); fault != nil {
			invalid = append(invalid, *fault)
		}
	}
	for name, value := range path {
		if param := list.taken(name); param != nil {
			take(param, value)
		}
	}
	for _, sent := range in.body {
		param := list.taken(sent.Name)
		if _, inPath := path[sent.Name]; param != nil && !inPath && param.given(sent.Value) {
			take(param, sent.Value)
		}
	}
	for _, sent := range in.query {
		param := list.taken(sent.Name)
		if _, inPath := path[sent.Name]; param != nil && !inPath && !in.inBody(param) {
			take(param, sent.Value)
		}
	}
	if missing := list.missing(in, path); len(missing) > 0 {
		return nil, MissingParams(missing...)
	}
	if len(invalid) > 0 {
		return nil, InvalidParams(invalid...)
	}
	for _, usual := range list.defaults {
		if !args.Has(usual.Name) {
			args = append(args, usual)
		}
	}
	return args, nil
}

// taken is the declaration of a name that counts, nil if it is not declared, or read only.
func (list *checklist) taken(name string) *Param {
	if param := list.byName[name]; param != nil && !param.ReadOnly {
		return param
	}
	return nil
}

// given reports whether a value in a body is one: null is none, unless the parameter takes it.
func (p *Param) given(value any) bool { return value != nil || p.Type&Null != 0 }

// take checks a value and puts it among the arguments.
func (p *Param) take(args *Args, value any) *Invalid {
	canonical, fault := p.check(p.Name, value)
	if fault != nil {
		fault.Param = p.Name
		return fault
	}
	*args = append(*args, Extra{p.Name, canonical})
	return nil
}

// inBody reports whether the body gives a parameter.
func (in input) inBody(param *Param) bool {
	value, sent := in.body.Get(param.Name)
	return sent && param.given(value)
}

func (list *checklist) missing(in input, path map[string]string) []string {
	var names []string
	for _, param := range list.required {
		if _, inPath := path[param.Name]; !inPath && !in.inBody(param) && !in.query.Has(param.Name) {
			names = append(names, param.Name)
		}
	}
	return names
}
