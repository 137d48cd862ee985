package suites

// Specs that have another id now. Ids are promises: waivers, reports and CI jobs name them, so an old one goes on meaning its spec.

// CurrentSpecID returns the id that a spec has now.
func CurrentSpecID(id string) string {
	if now, renamed := renamedSpecs()[id]; renamed {
		return now
	}
	return id
}

// renamedSpecs maps each former id to the present one. testdata/specs.txt beside the topics has all ids.
func renamedSpecs() map[string]string {
	return map[string]string{}
}
