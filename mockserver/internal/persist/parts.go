package persist

// More than one shop in one storage: each other one is a part, which is written at once and not changed.

import (
	"errors"

	"github.com/go-json-experiment/json"

	"shopcheck/mockserver/internal/shop"
)

// Divided is a Storage that has parts besides, which its Load and Save know nothing of.
type Divided interface {
	Storage
	// Parts lists the names of the parts.
	Parts() ([]string, error)
	// LoadPart is Load for a part.
	LoadPart(name string, each func(key, value []byte) error) error
	// SavePart is Save for a part, anew, and makes the part where it is missing.
	SavePart(name string, pairs func(put func(key, value []byte) error) error) error
	// RemovePart takes a part away. One that is not there is no error.
	RemovePart(name string) error
}

// SavePart keeps a state in a part, and what is to be known of it.
func SavePart(storage Divided, name string, kept *shop.State, about any) error {
	text, err := json.Marshal(about)
	if err != nil {
		return err
	}
	head := headOf(kept, 0, Identity{})
	head.About = text
	return storage.SavePart(name, func(put func(key, value []byte) error) error { return encodeAll(put, rowsOf(kept), head) })
}

// LoadPart reads the state in a part. An error says what is wrong with it.
func LoadPart(storage Divided, name string) (shop.State, error) {
	found, err := load(part{storage, name})
	if err == nil && found == nil {
		err = errors.New("there is nothing in it")
	}
	if err != nil {
		return shop.State{}, err
	}
	return found.state, nil
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
		return errors.New("there is nothing in it")
	case !errors.Is(err, enough):
		return err
	}
	return json.Unmarshal(r.found.head.About, about)
}

// part is a part, for reading.
type part struct {
	storage Divided
	name    string
}

func (p part) Load(each func(key, value []byte) error) error { return p.storage.LoadPart(p.name, each) }
