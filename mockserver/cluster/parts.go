package cluster

// Parts that are written as a whole: each is a message of the registry. Of one that is too large the message has the first pair, which says
// what the part is about, and the name of an object that has all of them.

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
	"github.com/nats-io/nuid"

	"shopcheck/mockserver/internal/persist"
)

// errNoChanges says that what is written as a whole is not changed piece by piece.
var errNoChanges = errors.New("a part of a cluster is saved anew, or opened")

// tokens are a name of a part as it stands in subjects.
func tokens(part string) string { return strings.ReplaceAll(part, " ", ".") }

// partNamed is the inverse of tokens.
func partNamed(tokens string) string { return strings.ReplaceAll(tokens, ".", " ") }

// Parts implements persist.Divided. A prefix ends between two words.
func (c *Cluster) Parts(prefix string) (names []string, err error) {
	keys, err := c.keys(partKind + tokens(prefix) + ">")
	for _, key := range keys {
		names = append(names, partNamed(strings.TrimPrefix(key, partKind)))
	}
	return names, err
}

// LoadPart implements persist.Divided.
func (c *Cluster) LoadPart(name string, each func(key, value []byte) error) error {
	err := c.loadPart(name, each)
	for attempts := 0; errors.Is(err, errGone) && attempts < tries; attempts++ { // another replica has put another one in its place
		err = c.loadPart(name, each)
	}
	return err
}

func (c *Cluster) loadPart(name string, each func(key, value []byte) error) error {
	message, err := c.registered(partKind + tokens(name))
	if err != nil || message == nil {
		return err
	}
	saved, err := decodeSaved(message.Data)
	if object := message.Header.Get(objectHeader); err == nil && object != "" && len(saved.Pairs) > 0 {
		return c.loadLarge(object, saved.Pairs[0], each)
	}
	if err != nil {
		return err
	}
	return eachPair(saved.Pairs, each)
}

// loadLarge reads the object of a part only for those who want more than its first pair.
func (c *Cluster) loadLarge(object string, first persist.Pair, each func(key, value []byte) error) error {
	if err := each(first.Key, first.Value); err != nil {
		return err
	}
	saved, err := c.readObject(c.partObjects, object)
	if err != nil {
		return err
	}
	return eachPair(saved.Pairs[1:], each)
}

func eachPair(pairs []persist.Pair, each func(key, value []byte) error) error {
	for _, pair := range pairs {
		if err := each(pair.Key, pair.Value); err != nil {
			return err
		}
	}
	return nil
}

// SavePart implements persist.Divided for parts that are saved anew.
func (c *Cluster) SavePart(name string, anew bool, pairs func(put func(key, value []byte) error) error) error {
	if !anew {
		return errNoChanges
	}
	message, err := c.partMessage(name, pairs)
	if err != nil {
		return err
	}
	for {
		before, err := c.registered(partKind + tokens(name))
		if err != nil {
			return err
		}
		after := uint64(0)
		if before != nil {
			after = before.Sequence
		}
		if number, err := c.register(partKind+tokens(name), message, after); err != nil {
			return err
		} else if number > 0 {
			return c.dropObjectOf(before)
		}
	}
}

// partMessage makes the message of a part, and its object if it needs one.
func (c *Cluster) partMessage(name string, pairs func(put func(key, value []byte) error) error) (*nats.Msg, error) {
	sorted, err := sortedPairs(pairs)
	if err != nil {
		return nil, err
	}
	message := nats.NewMsg("")
	if message.Data, err = encodeSaved(true, pairsOf(sorted...)); err != nil || len(message.Data) <= maxMessage {
		return message, err
	}
	object := tokens(name) + "." + nuid.Next()
	if err := c.writeObject(c.partObjects, object, message.Data); err != nil {
		return nil, err
	}
	message.Header.Set(objectHeader, object)
	message.Data, err = encodeSaved(true, pairsOf(sorted[0]))
	return message, err
}

func sortedPairs(pairs func(put func(key, value []byte) error) error) (all []persist.Pair, err error) {
	err = pairs(func(key, value []byte) error {
		all = append(all, persist.Pair{Key: key, Value: value})
		return nil
	})
	slices.SortFunc(all, func(a, b persist.Pair) int { return bytes.Compare(a.Key, b.Key) })
	return all, err
}

func pairsOf(pairs ...persist.Pair) func(put func(key, value []byte) error) error {
	return func(put func(key, value []byte) error) error { return eachPair(pairs, put) }
}

// dropObjectOf drops the object of a message that is there no more, if it had one.
func (c *Cluster) dropObjectOf(message *jetstream.RawStreamMsg) error {
	if message == nil || message.Header.Get(objectHeader) == "" {
		return nil
	}
	return c.dropObject(c.partObjects, message.Header.Get(objectHeader))
}

// RemoveParts implements persist.Divided.
func (c *Cluster) RemoveParts(names ...string) error { return c.RemoveOld(0, names...) }

// RemoveOld implements persist.Common.
func (c *Cluster) RemoveOld(age time.Duration, names ...string) error {
	var problems []error
	for _, name := range names {
		message, err := c.registered(partKind + tokens(name))
		if err == nil && message != nil && (age == 0 || time.Since(message.Time) > age) {
			err = errors.Join(c.unregister(partKind+tokens(name), message.Sequence), c.dropObjectOf(message))
		}
		if err != nil {
			problems = append(problems, fmt.Errorf("%s: %w", name, err))
		}
	}
	return errors.Join(problems...)
}

func (c *Cluster) dropObject(from jetstream.ObjectStore, name string) error {
	return within(func(ctx context.Context) error {
		err := from.Delete(ctx, name)
		if errors.Is(err, jetstream.ErrObjectNotFound) {
			return nil
		}
		return err
	})
}
