package openapi

// Collections of calls, for the programs that people send them with.

import (
	"archive/zip"
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"strings"

	"shopcheck/mockserver/internal/rest"
)

// Collection returns a collection of a kind: "postman", or "bruno", which is a ZIP archive.
func Collection(kind, site string, operations []rest.Operation) ([]byte, error) {
	switch kind {
	case "postman":
		return postman(site, operations)
	case "bruno":
		return bruno(site, operations)
	}
	return nil, fmt.Errorf("there is no collection for %q: take %s", kind, strings.Join(Kinds(), " or "))
}

// Kinds lists the kinds of collections.
func Kinds() []string { return []string{"postman", "bruno"} }

// folder is the calls of a collection that are about the same.
type folder struct {
	name  string
	calls []*rest.Operation
}

// foldersOf sorts operations into folders. The older versions are left out.
func foldersOf(operations []rest.Operation) []*folder {
	var folders []*folder
	byName := map[string]*folder{}
	for _, o := range distinct(operations) {
		if IsDeprecated(o) {
			continue
		}
		name := Tag(o)
		if byName[name] == nil {
			byName[name] = &folder{name: name}
			folders = append(folders, byName[name])
		}
		byName[name].calls = append(byName[name].calls, o)
	}
	return folders
}

// The variables of a collection, with what they are to begin with.
func variables(site string) []rest.Extra {
	return []rest.Extra{{Name: "base_url", Value: site}, {Name: "consumer_key", Value: "ck_mock_rw"},
		{Name: "consumer_secret", Value: "cs_mock_rw"}, {Name: "cart_token", Value: ""}}
}

// keptToken is the header whose value each answer leaves in a variable.
const keptToken = "Cart-Token"

// withColons writes the variables of an operation's address as collections do: "/shop/v3/products/:id".
func withColons(o *rest.Operation) string {
	return variable().ReplaceAllStringFunc(o.Address(), func(braced string) string { return ":" + strings.Trim(braced, "{}") })
}

// postman returns a collection in Postman's format, version 2.1.
func postman(site string, operations []rest.Operation) ([]byte, error) {
	var items, values []object
	for _, f := range foldersOf(operations) {
		var calls []object
		for _, o := range f.calls {
			calls = append(calls, object{"name": o.Summary, "request": postmanRequest(o)})
		}
		items = append(items, object{"name": f.name, "item": calls})
	}
	for _, v := range variables(site) {
		values = append(values, object{"key": v.Name, "value": v.Value})
	}
	keep := []string{`const token = pm.response.headers.get("` + keptToken + `");`,
		`if (token) pm.collectionVariables.set("cart_token", token);`}
	return json.MarshalIndent(object{
		"info": object{"name": "shopmock", "schema": "https://schema.getpostman.com/json/collection/v2.1.0/collection.json"},
		"item": items, "variable": values,
		"event": []object{{"listen": "test", "script": object{"type": "text/javascript", "exec": keep}}},
	}, "", " ")
}

func postmanRequest(o *rest.Operation) object {
	var query, path []object
	for _, p := range o.Query {
		query = append(query, object{"key": p.Name, "value": textOf(&p), "description": p.Description, "disabled": !p.Required})
	}
	for _, v := range o.Variables() {
		path = append(path, object{"key": v.Name, "value": textOf(&v)})
	}
	address := withColons(o)
	request := object{"method": o.Method, "auth": object{"type": "noauth"}, "header": []object{}, "url": object{
		"raw": "{{base_url}}" + address, "host": []string{"{{base_url}}"}, "path": strings.Split(address[1:], "/"),
		"query": query, "variable": path,
	}}
	switch o.Access {
	case rest.Read, rest.Write:
		request["auth"] = object{"type": "basic", "basic": []object{
			{"key": "username", "value": "{{consumer_key}}", "type": "string"},
			{"key": "password", "value": "{{consumer_secret}}", "type": "string"}}}
	case rest.Guarded:
		request["header"] = []object{{"key": keptToken, "value": "{{cart_token}}"}}
	}
	if o.Body != nil {
		request["body"] = object{"mode": "raw", "raw": exampleText(o.Body), "options": object{"raw": object{"language": "json"}}}
	}
	return request
}

// bruno returns a collection of Bruno's, a folder of files, as a ZIP archive.
func bruno(site string, operations []rest.Operation) ([]byte, error) {
	var archive bytes.Buffer
	files := zip.NewWriter(&archive)
	var failed error
	put := func(name, text string) {
		file, err := files.Create(name)
		if err == nil {
			_, err = file.Write([]byte(text))
		}
		failed = cmp.Or(failed, err)
	}
	put("bruno.json", `{"version": "1", "name": "shopmock", "type": "collection"}`+"\n")
	put("collection.bru", "script:post-response {\n  const token = res.getHeader(\""+strings.ToLower(keptToken)+
		"\");\n  if (token) bru.setVar(\"cart_token\", token);\n}\n")
	var values strings.Builder
	for _, v := range variables(site) {
		fmt.Fprintf(&values, "  %s: %s\n", v.Name, v.Value)
	}
	put("environments/shopmock.bru", "vars {\n"+values.String()+"}\n")
	for _, f := range foldersOf(operations) {
		for i, o := range f.calls {
			put(strings.ReplaceAll(f.name, "/", "-")+"/"+OperationID(o)+".bru", brunoRequest(i+1, o))
		}
	}
	failed = cmp.Or(failed, files.Close())
	return archive.Bytes(), failed
}

func brunoRequest(number int, o *rest.Operation) string {
	var text strings.Builder
	auth, body := "none", "none"
	if o.Access == rest.Read || o.Access == rest.Write {
		auth = "basic"
	}
	if o.Body != nil {
		body = "json"
	}
	fmt.Fprintf(&text, "meta {\n  name: %s %s\n  type: http\n  seq: %d\n}\n\n%s {\n  url: {{base_url}}%s\n  body: %s\n  auth: %s\n}\n",
		o.Method, o.Address(), number, strings.ToLower(o.Method), withColons(o), body, auth)
	block := func(name string, lines []string) {
		if len(lines) > 0 {
			fmt.Fprintf(&text, "\n%s {\n  %s\n}\n", name, strings.Join(lines, "\n  "))
		}
	}
	var query, path []string
	for _, p := range o.Query {
		off := "~"
		if p.Required {
			off = ""
		}
		query = append(query, off+p.Name+": "+textOf(&p))
	}
	for _, v := range o.Variables() {
		path = append(path, v.Name+": "+textOf(&v))
	}
	block("params:query", query)
	block("params:path", path)
	if auth == "basic" {
		block("auth:basic", []string{"username: {{consumer_key}}", "password: {{consumer_secret}}"})
	}
	if o.Access == rest.Guarded {
		block("headers", []string{keptToken + ": {{cart_token}}"})
	}
	if o.Body != nil {
		block("body:json", strings.Split(exampleText(o.Body), "\n"))
	}
	return text.String()
}

// textOf is an example of a parameter of an address.
func textOf(p *rest.Param) string {
	if p.Default == nil && p.Type == rest.Integer {
		return "1"
	}
	switch value := example(p).(type) {
	case nil, object, []any:
		return ""
	default:
		return fmt.Sprint(value)
	}
}

// exampleText is an example of a body: what it must hold.
func exampleText(p *rest.Param) string {
	text, err := json.MarshalIndent(example(p), "", "  ")
	if err != nil {
		panic(err) // it is made of what JSON has
	}
	return string(text)
}

// example is a value that a declaration allows. Of an object it holds what is required.
func example(p *rest.Param) any {
	switch {
	case p.Default != nil:
		return p.Default
	case len(p.Enum) > 0:
		return p.Enum[0]
	case p.Type&rest.String != 0:
		return ""
	case p.Type&(rest.Integer|rest.Number) != 0:
		return max(1, least(p))
	case p.Type&rest.Boolean != 0:
		return false
	case p.Type&rest.Array != 0:
		return []any{}
	}
	shown := object{}
	for i := range p.Fields {
		if field := &p.Fields[i]; field.Required {
			shown[field.Name] = example(field)
		}
	}
	return shown
}

func least(p *rest.Param) int64 {
	if p.Min == nil {
		return 0
	}
	return *p.Min
}
