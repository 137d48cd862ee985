package cluster

// The registry: values under keys that all replicas agree on, each the newest message of a subject. The engine's leader is asked for them,
// as for the log: who has been told of a value finds it, whichever replica is asked then.

import (
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// registrySubject comes before a key in the subjects of the registry.
const registrySubject = ".registry."

// Kinds of keys: what replicas agree on by Look and Enter, the parts that are kept, and the objects of parts that are saved to.
const (
	namedKind   = "named."
	partKind    = "part."
	objectsKind = "objects."
)

// openRegistry finds the registry, or makes it.
func (c *Cluster) openRegistry(ctx context.Context, at place) (err error) {
	c.registry, err = c.engine.CreateOrUpdateStream(ctx, jetstream.StreamConfig{Name: "shopmock-registry_" + at.shop, Replicas: at.copies,
		Subjects: []string{c.subject + registrySubject + ">"}, MaxMsgsPerSubject: 1,
		Description: "sandboxes, snapshots and what else the replicas of a shop agree on"})
	return err
}

// registered returns the newest message of a key, nil if there is none.
func (c *Cluster) registered(key string) (found *jetstream.RawStreamMsg, err error) {
	err = within(func(ctx context.Context) error {
		found, err = c.registry.GetLastMsgForSubject(ctx, c.subject+registrySubject+key)
		if errors.Is(err, jetstream.ErrMsgNotFound) {
			return nil
		}
		return err
	})
	return found, err
}

// register puts a message in the place of one that has a number, 0: of none. It returns the number of the new one, 0 if another is there.
func (c *Cluster) register(key string, message *nats.Msg, after uint64) (number uint64, err error) {
	message.Subject = c.subject + registrySubject + key
	number, err = c.publish(c.registry, message, jetstream.WithExpectLastSequencePerSubject(after), message.Subject, after)
	if overtaken(err) {
		return 0, nil
	}
	return number, err
}

// unregister forgets a message, unless there is a newer one of its key.
func (c *Cluster) unregister(key string, number uint64) error {
	return within(func(ctx context.Context) error {
		return c.registry.Purge(ctx, jetstream.WithPurgeSubject(c.subject+registrySubject+key), jetstream.WithPurgeSequence(number+1))
	})
}

// keys lists the keys of a pattern, sorted.
func (c *Cluster) keys(pattern string) (keys []string, err error) {
	err = within(func(ctx context.Context) error {
		info, err := c.registry.Info(ctx, jetstream.WithSubjectFilter(c.subject+registrySubject+pattern))
		if err != nil {
			return err
		}
		for subject := range info.State.Subjects {
			keys = append(keys, strings.TrimPrefix(subject, c.subject+registrySubject))
		}
		return nil
	})
	slices.Sort(keys)
	return keys, err
}

// forget forgets a key, whatever its message is.
func (c *Cluster) forget(key string) error {
	return within(func(ctx context.Context) error {
		return c.registry.Purge(ctx, jetstream.WithPurgeSubject(c.subject+registrySubject+key))
	})
}

// Look implements persist.Common.
func (c *Cluster) Look(key string) (value []byte, revision uint64, err error) {
	message, err := c.registered(namedKind + key)
	if err != nil || message == nil {
		return nil, 0, err
	}
	return message.Data, message.Sequence, nil
}

// Enter implements persist.Common.
func (c *Cluster) Enter(key string, value []byte, revision uint64) (uint64, error) {
	message := nats.NewMsg("")
	message.Data = value
	entered, err := c.register(namedKind+key, message, revision)
	if err == nil && entered > 0 && len(value) == 0 {
		err = c.unregister(namedKind+key, entered)
	}
	return entered, err
}

// Keys implements persist.Common.
func (c *Cluster) Keys(kind string) (names []string, err error) {
	keys, err := c.keys(namedKind + kind + ".*")
	for _, key := range keys {
		names = append(names, strings.TrimPrefix(key, namedKind+kind+"."))
	}
	return names, err
}

// Size implements persist.Common.
func (c *Cluster) Size() (size int, err error) {
	err = within(func(ctx context.Context) error {
		info, err := c.registry.Info(ctx)
		if err == nil {
			size = int(info.State.NumSubjects)
		}
		return err
	})
	return size, err
}
