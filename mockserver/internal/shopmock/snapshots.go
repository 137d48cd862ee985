package shopmock

// Snapshots: what a shop knows at one moment, kept under a name, and put back.

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"

	"shopcheck/mockserver/internal/clock"
	"shopcheck/mockserver/internal/control"
	"shopcheck/mockserver/internal/rest"
	"shopcheck/mockserver/internal/shop"
)

// maxSnapshots is how many a shop keeps. Each costs what the shop has changed since.
const maxSnapshots = 100

// snapshots are those of one shop.
type snapshots struct {
	mu   sync.Mutex
	kept map[string]snapshot
}

// snapshot is a state and how its clock differed from the server's.
type snapshot struct {
	control.Snapshot
	state shop.State
	clock *clock.Clock
}

// find returns a snapshot; the error says that there is none.
func (s *snapshots) find(name string) (snapshot, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	found, known := s.kept[name]
	if !known {
		return snapshot{}, rest.Errorf(http.StatusNotFound, "mock_no_such_snapshot",
			"There is no snapshot %q: POST %s/snapshots takes one.", name, control.Root)
	}
	return found, nil
}

// TakeSnapshot keeps what the shop knows under a name, in the place of what had it before; "" finds a name. The error is a *rest.Error.
func (s *Server) TakeSnapshot(name string) (control.Snapshot, error) {
	s.snapshots.mu.Lock()
	defer s.snapshots.mu.Unlock()
	for number := 1; name == ""; number++ {
		if free := fmt.Sprintf("snapshot-%d", number); s.snapshots.kept[free].Name == "" {
			name = free
		}
	}
	if err := checkName(name); err != nil {
		return control.Snapshot{}, err
	}
	if _, known := s.snapshots.kept[name]; !known && len(s.snapshots.kept) >= maxSnapshots {
		return control.Snapshot{}, rest.Errorf(http.StatusConflict, "mock_too_many_snapshots", "There are %d snapshots: delete some.",
			maxSnapshots)
	}
	if s.snapshots.kept == nil {
		s.snapshots.kept = map[string]snapshot{}
	}
	taken := control.Snapshot{Name: name, Taken: s.clock.Now().UTC()}
	s.snapshots.kept[name] = snapshot{taken, s.shop.Snapshot(), s.clock.Copy()}
	return taken, nil
}

// RestoreSnapshot puts back what a snapshot holds, clock included. Sessions go on; what waits to be delivered is forgotten. An
// error is a *rest.Error or, where the state could not be kept, a *shop.Fault; nothing has changed then.
func (s *Server) RestoreSnapshot(name string) error {
	found, err := s.snapshots.find(name)
	if err != nil {
		return err
	}
	err = s.hooks.Reset(func() error {
		before := s.clock.Copy()
		s.clock.Follow(found.clock)
		err := s.shop.Restore(found.state)
		if err != nil {
			s.clock.Follow(before)
		}
		return err
	})
	if err != nil {
		return err
	}
	s.catcher.Clear("")
	s.changed.Notify()
	return nil
}

// DeleteSnapshot forgets a snapshot, and reports whether there was one.
func (s *Server) DeleteSnapshot(name string) bool {
	s.snapshots.mu.Lock()
	defer s.snapshots.mu.Unlock()
	_, known := s.snapshots.kept[name]
	delete(s.snapshots.kept, name)
	return known
}

// ListSnapshots returns the snapshots by their names.
func (s *Server) ListSnapshots() []control.Snapshot {
	s.snapshots.mu.Lock()
	defer s.snapshots.mu.Unlock()
	list := make([]control.Snapshot, 0, len(s.snapshots.kept))
	for _, one := range s.snapshots.kept {
		list = append(list, one.Snapshot)
	}
	slices.SortFunc(list, func(a, b control.Snapshot) int { return strings.Compare(a.Name, b.Name) })
	return list
}
