package persist

// More than one shop in one storage: each other one is a part. What it has in common with a state that is kept elsewhere is not written
// again: a part is a layer over that state.

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"sync"

	"github.com/go-json-experiment/json"

	"shopcheck/mockserver/internal/shop"
	"shopcheck/mockserver/internal/state"
)

// Divided is a Storage that has parts besides, which its Load and Save know nothing of.
type Divided interface {
	Storage
	// Parts lists the names of the parts that begin with some words, each followed by a space; "" is all.
	Parts(prefix string) ([]string, error)
	// LoadPart is Load for a part.
	LoadPart(name string, each func(key, value []byte) error) error
	// SavePart is Save for a part. With anew it makes the part where it is missing; without it does nothing then: what is still done to
	// a shop that has ended counts no more.
	SavePart(name string, anew bool, pairs func(put func(key, value []byte) error) error) error
	// RemoveParts takes parts away, in one step. One that is not there is no error.
	RemoveParts(names ...string) error
}

// ErrNothing says that there is no part of a name, or nothing in it.
var ErrNothing = errors.New("there is nothing in it")

// SavePart keeps a state in a part as what differs from the one below it, whole where that is nil, and what is to be known of it.
func SavePart(storage Divided, name string, kept, below *shop.State, about any) error {
	return storage.SavePart(name, true, func(put func(key, value []byte) error) error {
		return encodeLayer(put, kept, below, about)
	})
}

func encodeLayer(put func(key, value []byte) error, kept, below *shop.State, about any) error {
	below = cmp.Or(below, nothing())
	config, err := encodeConfig(kept.Config, below.Config)
	if err != nil {
		return err
	}
	text, err := encodeAbout(about)
	if err != nil {
		return err
	}
	head := headOf(kept, config, 0, Identity{}, text)
	return encodeAll(put, rowsOf(kept, below), &head)
}

// Digest returns the same for all states whose part would hold the same.
func Digest(kept, below *shop.State, about any) (string, error) {
	sum := sha256.New()
	err := encodeLayer(func(key, value []byte) error {
		sum.Write(key)
		sum.Write(value)
		return nil
	}, kept, below, about)
	return hex.EncodeToString(sum.Sum(nil)[:16]), err
}

// Differ counts the rows of a state that are not those of another one, up to a number.
func Differ(kept, below *shop.State, most int) (rows int) {
	enough := errors.New("enough")
	rowsOf(kept, cmp.Or(below, nothing()))(func([]byte, any) error { //nolint:errcheck // it is none
		if rows++; rows >= most {
			return enough
		}
		return nil
	})
	return rows
}

// LoadPart reads the state in a part over the one below it. An error says what is wrong with it.
func LoadPart(storage Divided, name string, below *shop.State) (shop.State, error) {
	found, err := loadOver(&part{storage: storage, name: name}, below)
	if err == nil && found == nil {
		err = ErrNothing
	}
	if err != nil {
		return shop.State{}, err
	}
	return found.state, nil
}

// OpenPart is Open for a part over the state below it. Each commit keeps what about returns, too.
func OpenPart(storage Divided, name string, below *shop.State, about func() any, owed func() state.Row) (*Journal, *Kept, error) {
	p := &part{storage: storage, name: name}
	j := newJournal(p, below, about, owed)
	return j.opened(loadOver(p, below))
}

// End takes the part of a journal away that OpenPart has opened, and others in the same step. What is still done to its shop counts no
// more.
func (j *Journal) End(others ...string) error { return j.storage.(*part).end(others) }

// OpenShared is OpenPart for a part that others save to as well.
func OpenShared(storage Shared, below *shop.State, about func() any, owed func() state.Row) (*Journal, *Kept, error) {
	j := newJournal(storage, below, about, owed)
	j.shared = storage
	return j.opened(loadOver(storage, below))
}

// loadOver returns nil if the part is empty.
func loadOver(p loadable, below *shop.State) (*found, error) {
	if below == nil {
		return load(p)
	}
	var pairs []Pair
	err := p.Load(func(key, value []byte) error {
		pairs = append(pairs, Pair{bytes.Clone(key), bytes.Clone(value)})
		return nil
	})
	if err != nil || len(pairs) == 0 {
		return nil, err
	}
	made, err := changed(below, pairs)
	if err == nil {
		err = made.complete(below.Config, len(made.owed))
	}
	if err != nil {
		return nil, err
	}
	return made, nil
}

// AboutPart reads what is to be known of the state in a part, and not the state.
func AboutPart(storage Divided, name string, about any) error {
	r, enough := &reader{found: &found{}}, errors.New("the head is all")
	err := storage.LoadPart(name, func(key, value []byte) error {
		if err := r.first(key, value); err != nil {
			return err
		}
		return enough
	})
	switch {
	case err == nil:
		return ErrNothing
	case !errors.Is(err, enough):
		return err
	}
	return json.Unmarshal(r.found.head.About, about)
}

// part is a part as a storage of its own.
type part struct {
	storage Divided
	name    string

	mu    sync.Mutex
	ended bool
}

// Load implements Storage.
func (p *part) Load(each func(key, value []byte) error) error {
	return p.storage.LoadPart(p.name, each)
}

// Save implements Storage. It does nothing to a part that has ended: a change anew would make it again.
func (p *part) Save(anew bool, pairs func(put func(key, value []byte) error) error) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.ended {
		return nil
	}
	return p.storage.SavePart(p.name, anew, pairs)
}

// end takes the part away, and others with it.
func (p *part) end(others []string) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	err := p.storage.RemoveParts(append(others, p.name)...)
	p.ended = p.ended || err == nil
	return err
}
