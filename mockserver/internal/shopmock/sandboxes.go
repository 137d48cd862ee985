package shopmock

// Sandboxes: many shops in one server, each with its own state, keys, sessions, webhooks, faults and journal. What they do not change
// they share.

import (
	"cmp"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"maps"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"shopcheck/mockserver/internal/auth"
	"shopcheck/mockserver/internal/clock"
	"shopcheck/mockserver/internal/control"
	"shopcheck/mockserver/internal/persist"
	"shopcheck/mockserver/internal/rest"
	"shopcheck/mockserver/internal/seed"
	"shopcheck/mockserver/internal/shop"
)

// SandboxHeader is the header by which a request names its sandbox.
const SandboxHeader = "X-Shop-Sandbox"

// sandboxRoot is what the addresses of sandboxes begin with.
const sandboxRoot = "/s/"

// maxSandboxes is how many there can be in one server.
const maxSandboxes = 10_000

// DefaultSandboxIdle is after what time a sandbox that nobody calls makes room.
const DefaultSandboxIdle = 4 * time.Hour

// Origin is what a sandbox begins with.
type Origin = control.Origin

// sandboxes are those of one server.
type sandboxes struct {
	parent *Server
	bases  *bases         // nil: sandboxes end with the process
	common persist.Common // nil: no other replica has them, too
	seeds  ownSeeds
	any    atomic.Bool

	mu     sync.RWMutex
	byName map[string]*Server // nil for one that is being made
	byKey  map[string]*Server
	byPart map[string]*Server // those that are kept
	coming map[string]*round  // by part: those that are being made, or brought here from where others have made them
	closed bool
	made   uint64
	swept  time.Time

	own atomic.Pointer[ownKey] // that came last; nil: none did
}

// sandbox is what a server knows of itself that is one of many.
type sandbox struct {
	control.Sandbox
	used atomic.Int64  // unix seconds
	home func() string // where the server is reached that it is in

	origin *shop.State // what it began with, and goes back to; nil: a seed
	seed   string      // the name of that; empty: the server's, or one that came with the request
	own    *ownSeed    // that came with a request, whose records it began with

	starts uint64 // see Server

	part  string       // of the storage, where it is kept
	base  *base        // nil: it ends with the process
	noted atomic.Int64 // what is kept of used

	of       *sandboxes
	shared   persist.Shared // where others save to it, too; else nil
	revision atomic.Uint64  // of its entry, the newest that is known here
}

func newSandboxes(parent *Server) *sandboxes {
	b := &sandboxes{parent: parent, common: parent.common(), seeds: ownSeeds{most: maxOwnSeeds}, byName: map[string]*Server{},
		byKey: map[string]*Server{}, byPart: map[string]*Server{}, coming: map[string]*round{}, made: parent.drawnBefore()}
	if parts, divided := parent.options.Storage.(persist.Divided); divided {
		b.bases = &bases{parts: parts, shared: b.common != nil}
	}
	b.any.Store(b.common != nil)
	return b
}

// prefix is what the addresses of a server begin with.
func (s *Server) prefix() string {
	if s.sandbox == nil {
		return ""
	}
	return sandboxRoot + s.sandbox.Name
}

// realm is what the tokens of a server say that they belong to.
func (s *Server) realm() string {
	if s.sandbox == nil {
		return ""
	}
	return s.sandbox.Name
}

var sandboxName = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$`) })

// Create makes a sandbox. The error is a *rest.Error.
func (b *sandboxes) Create(name string, from Origin) (control.Sandbox, error) {
	made, err := b.create(name, from)
	if err != nil {
		return control.Sandbox{}, err
	}
	return made.sandbox.Sandbox, nil
}

func (b *sandboxes) create(name string, from Origin) (*Server, error) {
	start, own, err := b.seedOf(from, b.openNew)
	if err != nil {
		return nil, err
	}
	defer own.release() // the sandbox holds it itself
	box, secret, err := b.reserve(name)
	if err != nil {
		return nil, err
	}
	box.own = own
	var made *Server
	if begin := func() (*Server, error) { return b.begin(box, from, start, secret) }; b.common != nil {
		made, err = b.beginShared(box, begin)
	} else if made, err = begin(); err == nil {
		err = b.admit(made)
	}
	if err != nil {
		b.mu.Lock()
		defer b.mu.Unlock()
		forget(b.byName, box.Name, nil)
		return nil, err
	}
	return made, nil
}

// forget takes away what leads to a sandbox, unless it leads to another one now. The lock is held.
func forget(in map[string]*Server, id string, gone *Server) {
	if in[id] == gone {
		delete(in, id)
	}
}

// reserve keeps a name for a sandbox that is about to be made, and draws what it is told by.
func (b *sandboxes) reserve(name string) (box *sandbox, secret []byte, err error) {
	if b.common == nil {
		b.sweep()
	} else if err := b.room(name); err != nil {
		return nil, nil, err
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.made++
	mac := hmac.New(sha256.New, b.parent.secret)
	fmt.Fprintf(mac, "sandbox %d", b.made)
	secret = mac.Sum(nil)
	name = cmp.Or(name, "sb-"+hex.EncodeToString(auth.Derive(secret, "name")[:6]))
	if err := checkName(name); err != nil {
		return nil, nil, err
	}
	switch _, taken := b.byName[name]; {
	case taken:
		return nil, nil, errTaken(name)
	case len(b.byName) >= maxSandboxes:
		return nil, nil, errTooMany()
	}
	b.byName[name] = nil
	now := b.parent.clock.Base()
	box = &sandbox{of: b, home: b.parent.URL, starts: b.parent.starts, part: fmt.Sprint(sandboxPart, b.made), Sandbox: control.Sandbox{
		Name: name, Created: now.UTC(),
		Key:    "ck_" + hex.EncodeToString(auth.Derive(secret, "key")[:20]),
		Secret: "cs_" + hex.EncodeToString(auth.Derive(secret, "secret")[:20]),
	}}
	if b.common != nil {
		box.shared = b.common.SharedPart(box.part)
	}
	box.used.Store(now.Unix())
	box.noted.Store(now.Unix())
	return box, secret, nil
}

func errTooMany() *rest.Error {
	return rest.Errorf(http.StatusConflict, "mock_too_many_sandboxes", "There are %d sandboxes: delete some.", maxSandboxes)
}

// begin makes a sandbox from what it begins with.
func (b *sandboxes) begin(box *sandbox, from Origin, start *seed.Seed, secret []byte) (*Server, error) {
	origin, time, err := b.originOf(from, box)
	if err != nil {
		return nil, err
	}
	box.origin, box.seed = origin, from.Seed
	state := shop.State{}
	if origin != nil {
		state = *origin
	} else if state, err = start.State(time.Now()); err != nil {
		return nil, err
	}
	if box.base, err = b.baseOf(state, from); err != nil {
		return nil, err
	}
	if err = b.announce(box); err != nil {
		b.bases.release(box.base)
		return nil, err
	}
	made, err := b.assemble(box, start, secret, time)
	if err != nil && box.base != nil {
		b.bases.release(box.base)
	}
	return made, err
}

// assemble makes a sandbox's server, which is told what its server was told. It holds the seed that the sandbox came with.
func (b *sandboxes) assemble(box *sandbox, start *seed.Seed, secret []byte, time *clock.Clock) (*Server, error) {
	p := b.parent
	made, err := assemble(p.options, start, p.identity, p.spoken, secret, time, p.totals, box)
	if err == nil {
		box.own.hold()
	}
	return made, err
}

// admit lets requests find a sandbox, unless there are to be none any more.
func (b *sandboxes) admit(made *Server) error {
	b.mu.Lock()
	closed := b.closed
	if !closed {
		b.byName[made.sandbox.Name], b.byKey[made.sandbox.Key], b.byPart[made.sandbox.part] = made, made, made
		b.any.Store(true)
	}
	b.mu.Unlock()
	if closed {
		b.discard(made)
		return errNotMade()
	}
	return nil
}

// ownShop is what a clone of the server's own shop is made from.
const ownShop = "."

// originOf finds what a sandbox begins with, nil for a seed, and the clock that it begins with. A clone is told whose seed it shares.
func (b *sandboxes) originOf(from Origin, box *sandbox) (*shop.State, *clock.Clock, error) {
	source, behind, err := b.find(nameKind, from.Clone, (*Server).abreast)
	switch {
	case err != nil || behind != nil:
		return nil, nil, auth.Alone()
	case from.Count() > 1:
		return nil, nil, rest.InvalidParamf("seed, clone, snapshot", "A sandbox begins with one of these alone.")
	case from.Clone == ownShop:
		state := b.parent.shop.Snapshot()
		return &state, b.parent.clock.Copy(), nil
	case source != nil:
		box.own = source.sandbox.own
		state, err := source.withoutOwnKey()
		return &state, source.clock.Copy(), err
	case from.Clone != "":
		return nil, nil, rest.InvalidParamf("clone", `There is no sandbox %q to clone; the server's own shop is ".".`, from.Clone)
	case from.Snapshot != "":
		found, err := b.parent.snapshots.find(from.Snapshot)
		if err != nil {
			return nil, nil, err
		}
		return found.state, found.clock.Copy(), nil
	}
	return nil, b.parent.clock.Copy(), nil
}

// seedOf finds what a sandbox goes back to that began with nothing else. A seed of its own is opened, and held once.
func (b *sandboxes) seedOf(from Origin, open func([]byte) (*seed.Seed, error)) (start *seed.Seed, own *ownSeed, err error) {
	switch {
	case from.SeedData != nil:
		return b.seeds.read(from.SeedData, open, b.parent.clock.Now())
	case from.Seed != "":
		if start, err = seed.Named(from.Seed); err != nil {
			err = refusedSeed("rest_not_in_enum", err)
		}
		return start, nil, err
	}
	return b.parent.seed, nil, nil
}

func refusedSeed(code string, err error) *rest.Error {
	return rest.InvalidParams(rest.Invalid{Param: "seed", Code: code, Reason: err.Error()})
}

// openNew is openSeed for one more, if there is room.
func (b *sandboxes) openNew(document []byte) (*seed.Seed, error) {
	if err := b.seeds.room(); err != nil {
		return nil, err
	}
	return b.openSeed(document)
}

// openSeed makes a seed of a document, and shows once what it makes.
func (b *sandboxes) openSeed(document []byte) (*seed.Seed, error) {
	made, err := seed.Open(seed.Source{Data: document}, b.parent.clock.Now())
	if err == nil {
		err = b.parent.tryOut(made)
	}
	if err != nil {
		return nil, refusedSeed("rest_invalid_param", err)
	}
	return made, nil
}

// tryOut shows what a seed makes once.
func (s *Server) tryOut(own *seed.Seed) error {
	state, err := own.State(s.clock.Now())
	if err != nil {
		return err
	}
	return s.try(state)
}

// checkName returns a *rest.Error for what is no name of a sandbox or a snapshot.
func checkName(name string) error {
	if sandboxName().MatchString(name) {
		return nil
	}
	return rest.InvalidParamf("name", "name must be 1 to 63 of a-z, 0-9 and -, and neither begin nor end with -.")
}

// sweepApart is how often somebody looks for sandboxes that nobody has called for long.
const sweepApart = time.Minute

// sweep ends the sandboxes that nobody has called for long, once in a while.
func (b *sandboxes) sweep() {
	now := b.parent.clock.Base()
	b.mu.Lock()
	due := now.Sub(b.swept) >= sweepApart
	if due {
		b.swept = now
	}
	b.mu.Unlock()
	switch {
	case due && b.common != nil:
		b.sweepShared(now)
	case due:
		for _, name := range b.idle() {
			b.Delete(name) //nolint:errcheck // one that cannot be forgotten now is tried again
		}
	}
}

// idle lists the sandboxes that nobody has called for long.
func (b *sandboxes) idle() (names []string) {
	b.mu.RLock()
	defer b.mu.RUnlock()
	for name, one := range b.byName {
		if one != nil && b.isIdle(time.Unix(one.sandbox.used.Load(), 0)) {
			names = append(names, name)
		}
	}
	return names
}

// isIdle reports whether a sandbox makes room that was called at a moment and not after it.
func (b *sandboxes) isIdle(used time.Time) bool {
	return b.parent.clock.Base().Sub(used) > b.parent.options.SandboxIdle
}

// Delete ends a sandbox. The error is a *rest.Error where there is none and, where it could not be forgotten, a *shop.Fault.
func (b *sandboxes) Delete(name string) error {
	if b.common != nil {
		return b.endShared(name)
	}
	gone := b.here(nameKind, name)
	if gone == nil {
		return errNoSandbox()
	}
	if gone.sandbox.base != nil && gone.kept.End(gone.snapshots.partNames()...) != nil {
		return shop.Faultf(shop.NotKept, "The shop cannot forget the sandbox at the moment. Try again later.")
	}
	b.drop(gone)
	return nil
}

// drop ends a sandbox here.
func (b *sandboxes) drop(gone *Server) {
	if b.remove(gone) {
		b.discard(gone)
	}
}

// discard ends a sandbox that no request finds.
func (b *sandboxes) discard(gone *Server) {
	gone.hooks.Close()
	gone.unfollow()
	gone.sandbox.own.release()
	if gone.sandbox.base != nil {
		b.bases.release(gone.sandbox.base)
	}
}

// remove lets no request find a sandbox any more, and reports whether one did until now.
func (b *sandboxes) remove(gone *Server) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.byPart[gone.sandbox.part] != gone {
		return false
	}
	forget(b.byName, gone.sandbox.Name, gone)
	forget(b.byKey, gone.sandbox.Key, gone)
	forget(b.byPart, gone.sandbox.part, gone)
	b.any.Store(len(b.byName) > 0 || b.common != nil)
	return true
}

// List returns the sandboxes by their names.
func (b *sandboxes) List() (all []control.Sandbox, err error) {
	if b.common != nil {
		all, err = b.listShared()
	} else {
		all = b.list()
	}
	slices.SortFunc(all, func(a, b control.Sandbox) int { return strings.Compare(a.Name, b.Name) })
	return all, err
}

func (b *sandboxes) list() []control.Sandbox {
	b.mu.RLock()
	defer b.mu.RUnlock()
	all := make([]control.Sandbox, 0, len(b.byName))
	for _, one := range b.byName {
		if one == nil {
			continue
		}
		shown := one.sandbox.Sandbox
		shown.Used = time.Unix(one.sandbox.used.Load(), 0).UTC()
		all = append(all, shown)
	}
	return all
}

// count returns how many there are.
func (b *sandboxes) count() int {
	b.mu.RLock()
	defer b.mu.RUnlock()
	return len(b.byName)
}

// close ends all sandboxes; those that are kept the next process brings back.
func (b *sandboxes) close() {
	b.mu.Lock()
	ending := slices.Collect(maps.Values(b.byPart))
	b.closed = true
	b.mu.Unlock()
	for _, one := range ending {
		if b.remove(one) {
			one.hooks.Close()
			one.unfollow()
		}
	}
}

// fresh is the state of a seed, with the sandbox's own key; without a name it is what the server began with.
func (s *Server) fresh(name string) (shop.State, error) {
	if name == "" && s.sandbox != nil && s.sandbox.origin != nil {
		return s.withOwnKey(*s.sandbox.origin)
	}
	from := s.seed
	if name != "" {
		var err error
		if from, err = seed.Named(name); err != nil {
			return shop.State{}, err
		}
	}
	state, err := from.State(s.clock.Now())
	if err != nil {
		return state, err
	}
	return s.withOwnKey(state)
}

// withoutOwnKey is what a sandbox knows but for its key.
func (s *Server) withoutOwnKey() (shop.State, error) {
	return shop.Build(s.shop.Snapshot(), s.clock.Now(), 0, func(tx *shop.Tx) error {
		tx.DropKey(s.sandbox.Key)
		return nil
	})
}

// withOwnKey gives a state the sandbox's own key.
func (s *Server) withOwnKey(state shop.State) (shop.State, error) {
	if s.sandbox == nil {
		return state, nil
	}
	return shop.Build(state, s.clock.Now(), 0, func(tx *shop.Tx) error {
		tx.DropKey(s.sandbox.Key)
		key := &shop.APIKey{Key: s.sandbox.Key, Secret: s.sandbox.Secret, Permission: shop.ReadWrite}
		return key.Add(tx)
	})
}

// Sandbox makes a shop of its own for one test, in this server, and ends it with the test.
func (s *Server) Sandbox(tb testing.TB) *Server {
	tb.Helper()
	return s.SandboxFrom(tb, "", Origin{})
}

// SandboxFrom makes a sandbox of a name that begins with something.
func (s *Server) SandboxFrom(tb testing.TB, name string, from Origin) *Server {
	tb.Helper()
	made, err := s.sandboxes.create(name, from)
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() { s.sandboxes.Delete(made.sandbox.Name) }) //nolint:errcheck // the test may have ended it itself
	return made
}

// Key returns the API key of a sandbox and its secret; nothing for a server that is none.
func (s *Server) Key() (key, secret string) {
	if s.sandbox == nil {
		return "", ""
	}
	return s.sandbox.Key, s.sandbox.Secret
}
