package defects

// Collections of the management API whose operations do not do what they must.

import (
	"net/http"

	"shopcheck/suites/contract"
)

func collectionDefects() []Defect {
	var out []Defect
	for _, c := range contract.ManagementLists() {
		out = append(out, operationDefects(c)...)
		out = append(out, batchDefects(c)...)
	}
	return out
}

func operationDefects(c contract.Collection) []Defect {
	create, list := at("POST "+c.Path), at("GET "+c.Path)
	get, put, remove := at("GET "+c.Path+"/{id}"), at("PUT "+c.Path+"/{id}"), at("DELETE "+c.Path+"/{id}")
	return []Defect{
		defect(c.ID+".list", "refused", "The list of "+c.ID+" cannot be read.", refused(list, http.StatusNotFound)),
		defect(c.ID+".create", "200", "Creating in "+c.ID+" answers 200.", withStatus(create, success, http.StatusOK)),
		defect(c.ID+".create", "lost", "What is created in "+c.ID+" is not kept.", lost(create)),
		defect(c.ID+".id-unique", "constant", "All "+c.ID+" have one id.", shows(list, "#.id", 7)),
		defect(c.ID+".retrieve", "other-id", "Another one of the "+c.ID+" is answered.", raised(get, "id")),
		defect(c.ID+".update", "ignored", "Updates of "+c.ID+" are ignored.", ignored(put)),
		defect(c.ID+".update", "answer-only", "Updates of "+c.ID+" show in the answer and are not kept.", unkept(put)),
		defect(c.ID+".update.missing", "400", "Updating what does not exist in "+c.ID+" is answered with 400.",
			withStatus(put, is(http.StatusNotFound), http.StatusBadRequest)),
		defect(c.ID+".delete.missing", "400", "Deleting what does not exist in "+c.ID+" is answered with 400.",
			withStatus(remove, is(http.StatusNotFound), http.StatusBadRequest)),
	}
}

func batchDefects(c contract.Collection) []Defect {
	batch := at("POST " + c.Path + "/batch")
	return []Defect{
		defect(c.ID+".batch.create", "half", "A batch creates only the first of "+c.ID+".",
			sent(batch, func(body map[string]any) { shorten(body, "create") })),
		defect(c.ID+".batch.update", "ignored", "A batch does not update "+c.ID+".", unsent(batch, "update")),
		defect(c.ID+".batch.delete", "ignored", "A batch does not delete "+c.ID+".", unsent(batch, "delete")),
		defect(c.ID+".batch.optional-keys", "needed", "A batch of "+c.ID+" needs all of its keys.",
			refused(batch.and(lacks("delete")), http.StatusBadRequest)),
	}
}

// lost answers a create with its record and forgets the record.
func lost(when match) bend {
	return instead(when, func(inner http.Handler, r *http.Request) *answer {
		remove := copyOf(r)
		a := record(inner, r)
		if object, ok := a.tree().(map[string]any); ok && a.ok() {
			remove.Method = http.MethodDelete
			remove.URL.Path += "/" + textOf(object["id"])
			remove.URL.RawQuery = "force=true"
			record(inner, remove)
		}
		return a
	})
}

// unkept shows the sent fields in the answer of a write, and does not do it.
func unkept(when match) bend {
	return instead(when, func(inner http.Handler, r *http.Request) *answer {
		changes := fields(r)
		a := lookedAt(inner, r)
		tree, ok := a.tree().(map[string]any)
		if !ok || !a.ok() {
			return a
		}
		for name, value := range changes {
			tree[name] = value
		}
		a.setTree(tree)
		return a
	})
}

// shorten leaves one item of a list.
func shorten(body map[string]any, name string) {
	if list, ok := body[name].([]any); ok && len(list) > 1 {
		body[name] = list[:1]
	}
}
