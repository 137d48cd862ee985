package cluster

// The log: one message for each save, in one order.

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
	"github.com/nats-io/nuid"

	"shopcheck/mockserver/internal/persist"
	"shopcheck/mockserver/internal/shop"
)

const (
	// maxMessage is the size from which on a save is an object, and the message says which.
	maxMessage = 512 << 10
	// objectHeader names the object of a message.
	objectHeader = "Shopmock-Object"
	// tries is how often the engine is asked to take a message before it counts as silent.
	tries = 3
	// lookAround is after what time a replica asks for what it may not have been told.
	lookAround = time.Second
)

// Load implements mockserver.Storage: the newest state, and what was saved since.
func (c *Cluster) Load(each func(key, value []byte) error) error {
	var pairs map[string][]byte
	err := c.loadAll(&pairs)
	for attempts := 0; errors.Is(err, errGone) && attempts < tries; attempts++ { // others have condensed meanwhile
		err = c.loadAll(&pairs)
	}
	if err != nil {
		return err
	}
	return eachSorted(pairs, each)
}

func eachSorted(pairs map[string][]byte, each func(key, value []byte) error) error {
	for _, key := range slices.Sorted(maps.Keys(pairs)) {
		if err := each([]byte(key), pairs[key]); err != nil {
			return err
		}
	}
	return nil
}

func (c *Cluster) loadAll(pairs *map[string][]byte) error {
	last, err := c.Last()
	if err != nil {
		return err
	}
	state, number, err := c.newestState()
	if err != nil {
		return err
	}
	condensed := number
	*pairs = map[string][]byte{}
	put(*pairs, state)
	for number < last {
		number++
		saved, err := c.saved(number)
		if err != nil {
			return err
		}
		put(*pairs, saved)
	}
	c.known.Store(number)
	c.condensed.Store(condensed)
	return nil
}

// put does to pairs what a save did.
func put(pairs map[string][]byte, saved persist.Saved) {
	if saved.Anew {
		clear(pairs)
	}
	for _, pair := range saved.Pairs {
		if pair.Value == nil {
			delete(pairs, string(pair.Key))
			continue
		}
		pairs[string(pair.Key)] = pair.Value
	}
}

// errGone says that a message or an object was there, and is not any more: somebody has condensed.
var errGone = errors.New("what was saved has been condensed")

// saved reads the save of a number.
func (c *Cluster) saved(number uint64) (saved persist.Saved, err error) {
	err = within(func(ctx context.Context) error {
		message, err := c.log.GetMsg(ctx, number)
		if errors.Is(err, jetstream.ErrMsgNotFound) {
			return errGone
		}
		if err != nil {
			return err
		}
		saved, err = c.read(c.objects, message)
		return err
	})
	return saved, err
}

func (c *Cluster) read(objects jetstream.ObjectStore, message *jetstream.RawStreamMsg) (persist.Saved, error) {
	name := message.Header.Get(objectHeader)
	if name == "" {
		return decodeSaved(message.Data)
	}
	return c.readObject(objects, name)
}

// Last implements persist.Shared.
func (c *Cluster) Last() (last uint64, err error) {
	err = within(func(ctx context.Context) error {
		info, err := c.log.Info(ctx)
		if err == nil {
			last = info.State.LastSeq
		}
		return err
	})
	return last, err
}

// Length implements persist.Shared.
func (c *Cluster) Length() uint64 { return c.Known() - c.condensed.Load() }

// Known implements persist.Shared.
func (c *Cluster) Known() uint64 { return c.known.Load() }

// Next implements persist.Shared.
func (c *Cluster) Next() (persist.Saved, error) {
	saved, err := c.saved(c.Known() + 1)
	if errors.Is(err, errGone) {
		return c.anew()
	}
	if err == nil {
		c.known.Add(1)
	}
	return saved, err
}

// anew is all that is there, for a replica that missed what others have condensed.
func (c *Cluster) anew() (persist.Saved, error) {
	saved := persist.Saved{Anew: true}
	err := c.Load(func(key, value []byte) error {
		saved.Pairs = append(saved.Pairs, persist.Pair{Key: key, Value: value})
		return nil
	})
	return saved, err
}

// Await implements persist.Shared.
func (c *Cluster) Await(ctx context.Context) error {
	timer := time.NewTimer(lookAround)
	defer timer.Stop()
	select {
	case <-c.news:
	case <-timer.C:
	case <-ctx.Done():
	}
	return ctx.Err()
}

// Save implements mockserver.Storage.
func (c *Cluster) Save(anew bool, pairs func(put func(key, value []byte) error) error) error {
	return c.save(nats.NewMsg(c.subject+logSubject), anew, pairs)
}

func (c *Cluster) save(message *nats.Msg, anew bool, pairs func(put func(key, value []byte) error) error) error {
	encoded, err := encodeSaved(anew, pairs)
	if err != nil {
		return err
	}
	known := c.Known()
	if len(encoded) <= maxMessage {
		message.Data = encoded
	} else {
		name := fmt.Sprint(changePrefix, known+1, "-", nuid.Next())
		if err := c.writeObject(c.objects, name, encoded); err != nil {
			return err
		}
		message.Header.Set(objectHeader, name)
	}
	number, err := c.publish(c.log, message, jetstream.WithExpectLastSequence(known), c.subject+".*", known)
	if overtaken(err) {
		return persist.ErrOvertaken
	}
	if err == nil {
		c.known.Store(number)
	}
	return err
}

// publish adds a message to a stream where the one before it, of some subjects, is the expected one, and returns its number. Where the
// engine was silent and says later that another message is there, that may be this one. The error is such that overtaken knows it,
// where it is another one indeed.
func (c *Cluster) publish(to jetstream.Stream, message *nats.Msg, expected jetstream.PublishOpt, subjects string, after uint64) (
	number uint64, err error,
) {
	message.Header.Set(jetstream.MsgIDHeader, nuid.Next())
	silent := false
	for range tries {
		err := within(func(ctx context.Context) error {
			added, err := c.engine.PublishMsg(ctx, message, expected)
			if err == nil {
				number = added.Sequence
			}
			return err
		})
		switch {
		case err == nil:
			return number, nil
		case overtaken(err) && silent:
			if number, is := follows(to, after, subjects, message); is {
				return number, nil
			}
			return 0, err
		case overtaken(err):
			return 0, err
		case !silent && errors.Is(err, nats.ErrReconnectBufExceeded):
			return 0, err // it was not even sent
		}
		silent = true
	}
	return 0, shop.ErrUncertain
}

// overtaken reports whether the engine refused a message, or a value, because another one was first.
func overtaken(err error) bool {
	var refused *jetstream.APIError
	return errors.As(err, &refused) && (refused.ErrorCode == jetstream.JSErrCodeStreamWrongLastSequence ||
		refused.ErrorCode == jetstream.JSErrCodeStreamWrongLastSequenceConstant)
}

// follows reports whether it was this message that came next after a number, and which number it got.
func follows(in jetstream.Stream, after uint64, subjects string, sent *nats.Msg) (number uint64, is bool) {
	within(func(ctx context.Context) error { //nolint:errcheck // who cannot ask does not know
		there, err := in.GetMsg(ctx, after+1, jetstream.WithGetMsgSubject(subjects))
		if err == nil {
			number, is = there.Sequence, there.Header.Get(jetstream.MsgIDHeader) == sent.Header.Get(jetstream.MsgIDHeader)
		}
		return err
	})
	return number, is
}

// Names of objects: what they are, and the number of the save.
const (
	statePrefix  = "state-"
	changePrefix = "change-"
)

// numberOf reads the number in the name of an object.
func numberOf(prefix, name string) (uint64, bool) {
	text, found := strings.CutPrefix(name, prefix)
	if !found {
		return 0, false
	}
	text, _, _ = strings.Cut(text, "-")
	number, err := strconv.ParseUint(text, 10, 64)
	return number, err == nil
}

// Condense implements persist.Shared. Where another replica has done so lately, nothing is done.
func (c *Cluster) Condense(number uint64, pairs func(put func(key, value []byte) error) error) error {
	names, err := c.listObjects()
	if err != nil {
		return err
	}
	if newest := newestOf(names); newest+condenseApart > number {
		c.condensed.Store(newest)
		return nil
	}
	encoded, err := encodeSaved(true, pairs)
	if err != nil {
		return err
	}
	if err := c.writeObject(c.objects, fmt.Sprint(statePrefix, number), encoded); err != nil {
		return err
	}
	err = within(func(ctx context.Context) error {
		needless, err := c.work.needless(ctx, number)
		if err != nil {
			return err
		}
		return c.log.Purge(ctx, jetstream.WithPurgeSequence(needless+1))
	})
	if err != nil {
		return err
	}
	c.condensed.Store(number)
	return c.dropObjects(names, number)
}

// condenseApart is how many saves are between two states at least.
const condenseApart = 500

// newestOf is the number of the newest state, 0 if there is none.
func newestOf(names []string) uint64 {
	var newest uint64
	for _, name := range names {
		if number, is := numberOf(statePrefix, name); is {
			newest = max(newest, number)
		}
	}
	return newest
}

// dropObjects drops the states and changes from before a state.
func (c *Cluster) dropObjects(names []string, before uint64) error {
	var problems []error
	for _, name := range names {
		state, isState := numberOf(statePrefix, name)
		change, isChange := numberOf(changePrefix, name)
		if isState && state < before || isChange && change <= before {
			problems = append(problems, c.dropObject(c.objects, name))
		}
	}
	return errors.Join(problems...)
}

// newestState reads the newest state and its number; nothing, and 0, if there is none.
func (c *Cluster) newestState() (persist.Saved, uint64, error) {
	names, err := c.listObjects()
	if err != nil {
		return persist.Saved{}, 0, err
	}
	number := newestOf(names)
	if number == 0 {
		return persist.Saved{}, 0, nil
	}
	saved, err := c.readObject(c.objects, fmt.Sprint(statePrefix, number))
	return saved, number, err
}

func (c *Cluster) listObjects() (names []string, err error) {
	err = within(func(ctx context.Context) error {
		names, err = listIn(ctx, c.objects)
		return err
	})
	return names, err
}

func listIn(ctx context.Context, store jetstream.ObjectStore) (names []string, err error) {
	objects, err := store.List(ctx)
	if errors.Is(err, jetstream.ErrNoObjectsFound) {
		return nil, nil
	}
	for _, object := range objects {
		names = append(names, object.Name)
	}
	return names, err
}

// objectTime is how long the engine may take for a whole object.
const objectTime = 30 * time.Second

func (c *Cluster) writeObject(to jetstream.ObjectStore, name string, content []byte) error {
	ctx, cancel := context.WithTimeout(context.Background(), objectTime)
	defer cancel()
	_, err := to.PutBytes(ctx, name, content)
	return err
}

func (c *Cluster) readObject(from jetstream.ObjectStore, name string) (persist.Saved, error) {
	ctx, cancel := context.WithTimeout(context.Background(), objectTime)
	defer cancel()
	content, err := from.GetBytes(ctx, name)
	if errors.Is(err, jetstream.ErrObjectNotFound) {
		return persist.Saved{}, errGone
	}
	if err != nil {
		return persist.Saved{}, err
	}
	return decodeSaved(content)
}

// Get implements auth.Memory.
func (c *Cluster) Get(key string) (value []byte, revision uint64, err error) {
	err = within(func(ctx context.Context) error {
		entry, err := c.memory.Get(ctx, key)
		if errors.Is(err, jetstream.ErrKeyNotFound) {
			return nil
		}
		if err == nil {
			value, revision = entry.Value(), entry.Revision()
		}
		return err
	})
	return value, revision, err
}

// Put implements auth.Memory.
func (c *Cluster) Put(key string, value []byte, revision uint64) (stored bool, err error) {
	err = within(func(ctx context.Context) error {
		_, err := c.memory.Update(ctx, key, value, revision)
		if overtaken(err) {
			return nil
		}
		stored = err == nil
		return err
	})
	return stored, err
}
