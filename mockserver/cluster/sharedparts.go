package cluster

// Parts that replicas share as they share the shop: each has an order of saves of its own, which is that of the messages of two subjects.
// There are a few streams for all of them. A stream for each would cost the engine far more than what it carries (see DECISIONS.md).

import (
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
	"github.com/nats-io/nuid"

	"shopcheck/mockserver/internal/persist"
)

const (
	// shardCount is how many streams the parts are spread over. It is part of where they lie.
	shardCount = 4
	// shardSubject comes before the number of a stream in the subjects of the parts that lie there.
	shardSubject = ".shared."
	// afterHeader says which save a save was made on: who misses some between the two knows it.
	afterHeader = "Shopmock-After"
	// sameHeader marks a save that puts anew what is there.
	sameHeader = "Shopmock-Same"
	// lookForParts is after what time a replica asks for what it may not have been told of a part.
	lookForParts = 10 * time.Second
)

// shard is one of the streams.
type shard struct {
	subject string // before the names of parts
	stream  jetstream.Stream
	work    *queue
}

// openShards finds the streams, or makes them.
func (c *Cluster) openShards(ctx context.Context, at place, patience time.Duration) error {
	for i := range shardCount {
		one := shard{subject: c.subject + shardSubject + strconv.Itoa(i) + "."}
		var err error
		one.stream, err = c.engine.CreateOrUpdateStream(ctx, jetstream.StreamConfig{Name: fmt.Sprintf("shopmock-shared-%d_%s", i, at.shop),
			Replicas: at.copies, Subjects: []string{one.subject + ">"}, Description: "what each commit of some sandboxes changes"})
		if err != nil {
			return err
		}
		if one.work, err = newQueue(ctx, one.stream, one.subject+"*.*"+workSubject, patience); err != nil {
			return err
		}
		c.shards = append(c.shards, one)
	}
	return nil
}

// sharedPart is a part as one replica follows it. It implements persist.SharedPart and auth.Memory.
type sharedPart struct {
	prefixed
	cluster *Cluster
	shard   shard
	name    string
	subject string // before the kinds of its saves
	known   atomic.Uint64
	length  atomic.Uint64 // saves that whoever begins to follow it has to read, about
	news    chan struct{}
	told    *nats.Subscription // only Await looks at it; nil: nobody waits
}

// SharedPart implements persist.Common. Its name has two words.
func (c *Cluster) SharedPart(name string) persist.SharedPart {
	hash := fnv.New32a()
	hash.Write([]byte(name)) //nolint:errcheck // it never fails
	at := c.shards[hash.Sum32()%shardCount]
	return &sharedPart{prefixed: prefixed{c, tokens(name) + "."}, cluster: c, shard: at, name: name, subject: at.subject + tokens(name),
		news: make(chan struct{}, 1)}
}

// prefixed is a part of what is remembered.
type prefixed struct {
	memory *Cluster
	prefix string
}

// Get implements auth.Memory.
func (p prefixed) Get(key string) (value []byte, revision uint64, err error) {
	return p.memory.Get(p.prefix + key)
}

// Put implements auth.Memory.
func (p prefixed) Put(key string, value []byte, revision uint64) (stored bool, err error) {
	return p.memory.Put(p.prefix+key, value, revision)
}

// WorkOfParts implements persist.Common.
func (c *Cluster) WorkOfParts(ctx context.Context, take func(part string, work persist.Work)) {
	var working sync.WaitGroup
	for _, one := range c.shards {
		working.Go(func() {
			for work, subject, err := one.work.next(ctx); err == nil; work, subject, err = one.work.next(ctx) {
				take(partNamed(strings.TrimSuffix(strings.TrimPrefix(subject, one.subject), workSubject)), work)
			}
		})
	}
	working.Wait()
}

// subjects are those of all its saves.
func (p *sharedPart) subjects() string { return p.subject + ".*" }

// Known implements persist.Shared.
func (p *sharedPart) Known() uint64 { return p.known.Load() }

// Length implements persist.Shared.
func (p *sharedPart) Length() uint64 { return p.length.Load() }

// Last implements persist.Shared. A part that was known and has no saves any more is gone.
func (p *sharedPart) Last() (last uint64, err error) {
	err = within(func(ctx context.Context) error {
		message, err := p.shard.stream.GetLastMsgForSubject(ctx, p.subjects())
		if errors.Is(err, jetstream.ErrMsgNotFound) {
			if p.Known() > 0 {
				return persist.ErrEnded
			}
			return nil
		}
		if err == nil {
			last = message.Sequence
		}
		return err
	})
	return last, err
}

// after returns the first message after a number, nil if there is none.
func (p *sharedPart) after(number uint64) (message *jetstream.RawStreamMsg, err error) {
	err = within(func(ctx context.Context) error {
		message, err = p.shard.stream.GetMsg(ctx, number+1, jetstream.WithGetMsgSubject(p.subjects()))
		if errors.Is(err, jetstream.ErrMsgNotFound) {
			return nil
		}
		return err
	})
	return message, err
}

// Load implements persist.Storage.
func (p *sharedPart) Load(each func(key, value []byte) error) error {
	pairs, err := p.load()
	for attempts := 0; errors.Is(err, errGone) && attempts < tries; attempts++ { // others have condensed meanwhile
		pairs, err = p.load()
	}
	if err != nil {
		return err
	}
	return eachSorted(pairs, each)
}

// load reads all saves that there are. Those before the first that puts all anew count nothing: what they were made on is gone.
func (p *sharedPart) load() (pairs map[string][]byte, err error) {
	last, err := p.Last()
	if err != nil {
		return nil, err
	}
	pairs = map[string][]byte{}
	number, length, whole := uint64(0), uint64(0), false
	for number < last || !whole {
		message, err := p.after(number)
		switch {
		case err != nil:
			return nil, err
		case message == nil && number == 0:
			return nil, nil
		case message == nil:
			return nil, errGone
		}
		saved, err := p.cluster.read(p.cluster.partObjects, message)
		if err != nil {
			return nil, err
		}
		if saved.Anew {
			whole, length = true, 0
		}
		put(pairs, saved)
		number, length = message.Sequence, length+1
	}
	p.known.Store(number)
	p.length.Store(length)
	return pairs, nil
}

// Next implements persist.Shared.
func (p *sharedPart) Next() (persist.Saved, error) {
	for number := p.Known(); ; {
		message, err := p.after(number)
		switch {
		case err != nil:
			return persist.Saved{}, err
		case message == nil:
			return persist.Saved{}, persist.ErrEnded
		}
		number = message.Sequence
		follows := message.Header.Get(afterHeader) == strconv.FormatUint(p.Known(), 10)
		if follows && message.Header.Get(sameHeader) != "" {
			p.nowKnown(number, true)
			return persist.Saved{Same: true}, nil
		}
		saved, err := p.cluster.read(p.cluster.partObjects, message)
		if err != nil {
			return persist.Saved{}, err
		}
		if follows || saved.Anew { // else others have condensed, and what puts all anew comes later
			p.nowKnown(number, saved.Anew)
			return saved, nil
		}
	}
}

// nowKnown notes the newest save that is known.
func (p *sharedPart) nowKnown(number uint64, anew bool) {
	p.known.Store(number)
	if anew {
		p.length.Store(0)
	}
	p.length.Add(1)
}

// Await implements persist.Shared. The first time it returns at once: nobody was told of what was saved before.
func (p *sharedPart) Await(ctx context.Context) error {
	if p.told == nil {
		p.told, _ = p.cluster.connection.Subscribe(p.subjects(), func(*nats.Msg) { p.tell() }) //nolint:errcheck // it is tried again
		p.tell()
	}
	timer := time.NewTimer(lookForParts)
	defer timer.Stop()
	select {
	case <-p.news:
	case <-timer.C:
	case <-ctx.Done():
	}
	if ctx.Err() != nil && p.told != nil {
		p.told.Unsubscribe() //nolint:errcheck // then there is no connection
		p.told = nil
	}
	return ctx.Err()
}

func (p *sharedPart) tell() {
	select {
	case p.news <- struct{}{}:
	default:
	}
}

// Save implements persist.Storage.
func (p *sharedPart) Save(anew bool, pairs func(put func(key, value []byte) error) error) error {
	return p.save(nats.NewMsg(p.subject+logSubject), anew, p.Known(), pairs)
}

// SaveOwing implements persist.Shared.
func (p *sharedPart) SaveOwing(ids persist.Range, pairs func(put func(key, value []byte) error) error) error {
	return p.save(owing(p.subject, ids), false, p.Known(), pairs)
}

func (p *sharedPart) save(message *nats.Msg, anew bool, known uint64, pairs func(put func(key, value []byte) error) error) error {
	encoded, err := encodeSaved(anew, pairs)
	if err != nil {
		return err
	}
	message.Header.Set(afterHeader, strconv.FormatUint(known, 10))
	if message.Data = encoded; len(encoded) > maxMessage {
		if err := p.putObject(message, known+1, encoded); err != nil {
			return err
		}
	}
	number, err := p.cluster.publish(p.shard.stream, message, jetstream.WithExpectLastSequenceForSubject(known, p.subjects()),
		p.subjects(), known)
	if overtaken(err) {
		return persist.ErrOvertaken
	}
	if err == nil && p.known.CompareAndSwap(known, number) {
		p.nowKnown(number, anew)
	}
	return err
}

// putObject makes an object of what a message would hold, and has it registered: whoever ends the part finds it.
func (p *sharedPart) putObject(message *nats.Msg, number uint64, encoded []byte) error {
	name := fmt.Sprint(tokens(p.name), ".", changePrefix, number, "-", nuid.Next())
	if _, err := p.cluster.register(objectsKind+name, nats.NewMsg(""), 0); err != nil {
		return err
	}
	if err := p.cluster.writeObject(p.cluster.partObjects, name, encoded); err != nil {
		return err
	}
	message.Data = nil
	message.Header.Set(objectHeader, name)
	return nil
}

// Condense implements persist.Shared: what is there is put anew after the last save, so that those before it can go.
func (p *sharedPart) Condense(number uint64, pairs func(put func(key, value []byte) error) error) error {
	message := nats.NewMsg(p.subject + logSubject)
	message.Header.Set(sameHeader, "1")
	if err := p.save(message, true, number, pairs); err != nil {
		return err
	}
	err := within(func(ctx context.Context) error {
		needless, err := p.shard.work.needless(ctx, number)
		if err != nil {
			return err
		}
		return p.shard.stream.Purge(ctx, jetstream.WithPurgeSubject(p.subjects()), jetstream.WithPurgeSequence(needless+1))
	})
	return errors.Join(err, p.dropObjects(number))
}

// dropObjects drops the objects of the saves up to a number.
func (p *sharedPart) dropObjects(upTo uint64) error {
	keys, err := p.cluster.keys(objectsKind + tokens(p.name) + ".*")
	for _, key := range keys {
		name := strings.TrimPrefix(key, objectsKind)
		if number, is := numberOf(tokens(p.name)+"."+changePrefix, name); is && number <= upTo {
			err = errors.Join(err, p.cluster.dropObject(p.cluster.partObjects, name), p.cluster.forget(key))
		}
	}
	return err
}

// End implements persist.SharedPart.
func (p *sharedPart) End() error {
	err := within(func(ctx context.Context) error {
		return p.shard.stream.Purge(ctx, jetstream.WithPurgeSubject(p.subjects()))
	})
	return errors.Join(err, p.dropObjects(^uint64(0)))
}
