package shopmock

// Snapshots: what a shop knows at one moment, kept under a name, and put back.

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"shopcheck/mockserver/internal/auth"
	"shopcheck/mockserver/internal/clock"
	"shopcheck/mockserver/internal/control"
	"shopcheck/mockserver/internal/persist"
	"shopcheck/mockserver/internal/rest"
	"shopcheck/mockserver/internal/shop"
)

// maxSnapshots is how many a shop keeps. Each costs what the shop has changed since.
const maxSnapshots = 100

// snapshots are those of one shop.
type snapshots struct {
	parts  persist.Divided // nil: they end with the process
	prefix string          // of the names of their parts
	below  *shop.State     // what they are kept over; nil: they are kept whole
	shared bool            // other replicas take and delete some, too
	clock  *clock.Clock    // of the shop

	taken atomic.Uint64 // how many were taken in this process

	mu   sync.Mutex
	kept map[string]snapshot
}

// snapshot is a state and how its clock differed from the server's.
type snapshot struct {
	control.Snapshot
	state  *shop.State // nil: it is in the storage, and nobody has asked for it
	clock  *clock.Clock
	number uint64 // which no other one has that was taken by any replica
}

// What the names of the parts begin with that hold snapshots: of the server's own shop, and of a sandbox, whose own part follows.
const (
	snapshotPart  = "snapshot "
	snapshotsPart = "snapshots "
)

// aboutSnapshot is what is written of a snapshot besides its state.
type aboutSnapshot struct {
	Taken  time.Time
	Clock  *clock.Setting
	Number uint64 // see snapshot
}

// openSnapshots finds the snapshots that were kept. Their states are read when somebody asks for them.
func (s *Server) openSnapshots() error {
	s.snapshots.kept, s.snapshots.clock = map[string]snapshot{}, s.clock
	parts, divided := s.options.Storage.(persist.Divided)
	if !divided {
		return nil
	}
	s.snapshots.parts, s.snapshots.prefix, s.snapshots.shared = parts, snapshotPart, s.shared() != nil
	if s.sandbox != nil {
		s.snapshots.prefix, s.snapshots.below = snapshotsOf(s.sandbox.part), &s.sandbox.base.state
		return nil // see sandboxes.goOn
	}
	if s.snapshots.shared {
		return nil // see snapshots.seek
	}
	names, err := parts.Parts(snapshotPart)
	if err != nil {
		return err
	}
	return s.takeOverSnapshots(names)
}

// snapshotsOf is what the names of the parts begin with that hold the snapshots of a sandbox.
func snapshotsOf(sandbox string) string { return snapshotsPart + sandbox + " " }

// snapshotsByOwner finds the parts among some that hold snapshots of sandboxes, by the part of the sandbox.
func snapshotsByOwner(parts []string) map[string][]string {
	taken := map[string][]string{}
	for _, part := range parts {
		rest, found := strings.CutPrefix(part, snapshotsPart)
		if end := strings.LastIndexByte(rest, ' '); found && end >= 0 {
			taken[rest[:end]] = append(taken[rest[:end]], part)
		}
	}
	return taken
}

// partNames are the parts that hold the snapshots.
func (s *snapshots) partNames() (parts []string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for name := range s.kept {
		parts = append(parts, s.prefix+name)
	}
	return parts
}

// takeOverSnapshots finds the snapshots of the shop among the parts that are kept.
func (s *Server) takeOverSnapshots(parts []string) error {
	for _, part := range parts {
		if name, found := strings.CutPrefix(part, s.snapshots.prefix); found {
			if err := s.snapshots.takeOver(name); err != nil {
				return fmt.Errorf("the snapshots that are kept cannot be read, and were left as they are: %w", err)
			}
		}
	}
	return nil
}

// takeOver finds out what a snapshot is that is kept.
func (s *snapshots) takeOver(name string) error {
	var about aboutSnapshot
	if err := persist.AboutPart(s.parts, s.prefix+name, &about); err != nil {
		return err
	}
	if known, is := s.kept[name]; !is || known.number != about.Number {
		s.kept[name] = snapshot{control.Snapshot{Name: name, Taken: about.Taken}, nil, s.clock.With(about.Clock), about.Number}
	}
	return nil
}

// seek finds out what has become of some snapshots, where other replicas take and delete some, too. The lock is held. The error is a
// *rest.Error.
func (s *snapshots) seek(names ...string) error {
	for _, name := range names {
		if !s.shared {
			break
		}
		switch err := s.takeOver(name); {
		case errors.Is(err, persist.ErrNothing):
			delete(s.kept, name)
		case err != nil:
			return auth.Alone()
		}
	}
	return nil
}

// seekAll is seek for all of them.
func (s *snapshots) seekAll() error {
	if !s.shared {
		return nil
	}
	parts, err := s.parts.Parts(s.prefix)
	if err != nil {
		return auth.Alone()
	}
	names := slices.Collect(maps.Keys(s.kept))
	for _, part := range parts {
		names = append(names, strings.TrimPrefix(part, s.prefix))
	}
	return s.seek(names...)
}

// find returns a snapshot. The error says that there is none, or that what was kept of it cannot be read.
func (s *snapshots) find(name string) (snapshot, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.known(name); err != nil {
		return snapshot{}, err
	}
	found := s.kept[name]
	if found.state == nil {
		state, err := persist.LoadPart(s.parts, s.prefix+name, s.below)
		if err != nil {
			return snapshot{}, cmp.Or(s.known(name), error(rest.Errorf(http.StatusConflict, "mock_damaged_snapshot",
				"The snapshot %q is damaged, and was left as it is: delete it.", name)))
		}
		found.state = &state
		s.kept[name] = found
	}
	return found, nil
}

// known returns a *rest.Error where there is no snapshot of a name.
func (s *snapshots) known(name string) error {
	if checkName(name) != nil {
		return noSnapshot(name)
	}
	if err := s.seek(name); err != nil {
		return err
	}
	if _, known := s.kept[name]; !known {
		return noSnapshot(name)
	}
	return nil
}

func noSnapshot(name string) error {
	return rest.Errorf(http.StatusNotFound, "mock_no_such_snapshot", "There is no snapshot %q: POST %s/snapshots takes one.", name,
		control.Root)
}

// keep writes a snapshot down, if snapshots are.
func (s *snapshots) keep(one snapshot) error {
	if s.parts == nil {
		return nil
	}
	err := persist.SavePart(s.parts, s.prefix+one.Name, one.state, s.below, aboutSnapshot{one.Taken, one.clock.Setting(), one.number})
	if err != nil {
		return shop.Faultf(shop.NotKept, "The shop cannot keep the snapshot at the moment, and has not taken it. Try again later.")
	}
	return nil
}

// TakeSnapshot keeps what the shop knows under a name, in the place of what had it before; "" finds a name. The error is a *rest.Error
// or, where it could not be kept, a *shop.Fault.
func (s *Server) TakeSnapshot(name string) (control.Snapshot, error) {
	s.snapshots.mu.Lock()
	defer s.snapshots.mu.Unlock()
	if err := s.snapshots.seekAll(); err != nil {
		return control.Snapshot{}, err
	}
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
	state := s.shop.Snapshot()
	taken := snapshot{control.Snapshot{Name: name, Taken: s.clock.Now().UTC()}, &state, s.clock.Copy(),
		s.drawnBefore() + s.snapshots.taken.Add(1)}
	if err := s.snapshots.keep(taken); err != nil {
		return control.Snapshot{}, err
	}
	s.snapshots.kept[name] = taken
	return taken.Snapshot, nil
}

// RestoreSnapshot puts back what a snapshot holds, clock included. Sessions go on; what waits to be delivered is forgotten. An
// error is a *rest.Error or, where the state could not be kept, a *shop.Fault; nothing has changed then.
func (s *Server) RestoreSnapshot(name string) error {
	found, err := s.snapshots.find(name)
	if err != nil {
		return err
	}
	err = s.hooks.Reset(func() error {
		return s.shop.RestoreWith(*found.state, func() (undo func()) {
			before := s.clock.Copy()
			s.clock.Follow(found.clock)
			return func() { s.clock.Follow(before) }
		})
	})
	if err != nil {
		return err
	}
	s.catcher.Clear("")
	s.changed.Notify()
	return nil
}

// DeleteSnapshot forgets a snapshot. The error is a *rest.Error where there is none and, where it could not be forgotten, a *shop.Fault.
func (s *Server) DeleteSnapshot(name string) error {
	s.snapshots.mu.Lock()
	defer s.snapshots.mu.Unlock()
	if err := s.snapshots.known(name); err != nil {
		return err
	}
	if parts := s.snapshots.parts; parts != nil && parts.RemoveParts(s.snapshots.prefix+name) != nil {
		return shop.Faultf(shop.NotKept, "The shop cannot forget the snapshot at the moment. Try again later.")
	}
	delete(s.snapshots.kept, name)
	return nil
}

// ListSnapshots returns the snapshots by their names; with an error, a *rest.Error, those that are known here.
func (s *Server) ListSnapshots() ([]control.Snapshot, error) {
	s.snapshots.mu.Lock()
	defer s.snapshots.mu.Unlock()
	err := s.snapshots.seekAll()
	list := make([]control.Snapshot, 0, len(s.snapshots.kept))
	for _, one := range s.snapshots.kept {
		list = append(list, one.Snapshot)
	}
	slices.SortFunc(list, func(a, b control.Snapshot) int { return strings.Compare(a.Name, b.Name) })
	return list, err
}
