package spec

// Keeping: what a spec has made, or was given, stays at the target for who wants to look at it.

import (
	"slices"

	"shopcheck/reports"
)

// begin notes which spec runs: what is made from now on is its.
func (m *Made) begin(spec string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.spec = spec
}

// use notes that the running spec was given records that are there already.
func (m *Made) use(paths []string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, path := range paths {
		m.at(path).use(m.spec)
	}
}

func (s *standing) use(spec string) {
	if spec != "" && !slices.Contains(s.specs, spec) {
		s.specs = append(s.specs, spec)
	}
}

// Keep notes that what a spec has made, and what it was given, stays for its sake.
func (m *Made) Keep(spec string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, s := range m.records {
		if slices.Contains(s.specs, spec) {
			s.kept = append(s.kept, spec)
		}
	}
}

// Stays reports whether a record is kept.
func (m *Made) Stays(path string) bool { return len(m.standing(path).kept) > 0 }

// Kept lists the records that stay, oldest first. Those that the specs have deleted themselves are not there any more, and what belongs
// to another record stays with it.
func (m *Made) Kept() []reports.Kept {
	m.mu.Lock()
	defer m.mu.Unlock()
	var out []reports.Kept
	for _, path := range m.paths {
		s := m.records[path]
		collection, id := splitPath(path)
		p, known := placeOf(collection)
		if len(s.kept) > 0 && !s.deleted && known {
			out = append(out, reports.Kept{Path: path, Kind: p.name, ID: id, Specs: slices.Clone(s.kept)})
		}
	}
	return out
}
