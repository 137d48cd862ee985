// Package cluster lets any number of servers of package mockserver be replicas of one shop, over NATS JetStream:
//
//	shared, err := cluster.Connect("nats://127.0.0.1:4222/shop", nil)
//	server, err := mockserver.Listen("127.0.0.1:8080", mockserver.Options{Storage: shared})
//
// What each commit changes is a message of one stream, which all replicas follow. A replica adds to it only what it has made of everything
// before: where another was first, it takes over what that did, and carries the change out again. What is remembered of visitors is in a
// bucket of keys and values. Whole states, which a replica starts from, and changes that are too large for a message are in a store of
// objects.
package cluster

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

const (
	// connectTime is how long Connect waits for an engine that may be starting, too.
	connectTime = 30 * time.Second
	// answerTime is how long the engine may take for an answer.
	answerTime = 5 * time.Second
	// pingTime is how often the engine is asked whether it is there at all.
	pingTime = 2 * time.Second
	// memoryLife is how long what is remembered of a visitor or a client stays when nobody uses it: longer than a nonce lives.
	memoryLife = 25 * time.Hour
	// defaultShop is the name of the shop where the address names none.
	defaultShop = "shop"
)

// Cluster is what the replicas of one shop share. It implements mockserver.Storage.
type Cluster struct {
	connection *nats.Conn
	engine     jetstream.JetStream
	subject    string
	log        jetstream.Stream
	objects    jetstream.ObjectStore

	registry    jetstream.Stream
	partObjects jetstream.ObjectStore
	shards      []shard

	memory    jetstream.KeyValue
	work      *queue
	news      chan struct{} // holds an entry when somebody has tried to add something to the log
	known     atomic.Uint64
	condensed atomic.Uint64 // the newest save that a state is known to be of
}

// place is what an address says.
type place struct {
	servers string
	shop    string
	copies  int // how many servers of the engine keep everything
}

var shopName = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[A-Za-z0-9_-]{1,64}$`) })

// Connect reaches the engine at an address, and makes there what is missing. The address is that of one or more servers, with the name of
// the shop, and how many servers of the engine are to keep it: nats://user:password@a:4222,nats://b:4222/shop?copies=3. notice is told when
// the engine is lost, and when it is found again; it may be nil.
func Connect(address string, notice func(text string)) (*Cluster, error) {
	return connectWith(address, notice, usualPatience)
}

func connectWith(address string, notice func(text string), patience time.Duration) (*Cluster, error) {
	at, err := placeOf(address)
	if err != nil {
		return nil, err
	}
	if notice == nil {
		notice = func(string) {}
	}
	c := &Cluster{news: make(chan struct{}, 1), subject: "shopmock." + at.shop}
	if err := c.connect(at, notice, patience); err != nil {
		return nil, errors.Join(fmt.Errorf("cannot share a shop at %s: %w; is a NATS server with JetStream running there?",
			withoutPasswords(at.servers), err), c.Close())
	}
	return c, nil
}

// placeOf reads an address.
func placeOf(address string) (place, error) {
	servers := strings.Split(address, ",")
	last, err := url.Parse(strings.TrimSpace(servers[len(servers)-1]))
	if err != nil || last.Host == "" {
		return place{}, errors.New("the address of a cluster must be such as nats://127.0.0.1:4222/shop")
	}
	copies, err := strconv.Atoi(cmp.Or(last.Query().Get("copies"), "1"))
	if err != nil || copies < 1 || copies > 5 {
		return place{}, errors.New("copies in the address of a cluster must be 1 to 5")
	}
	shop := cmp.Or(strings.Trim(last.Path, "/"), defaultShop)
	if !shopName().MatchString(shop) {
		return place{}, fmt.Errorf("%q in the address of a cluster is no name of a shop: take letters, digits, - and _", shop)
	}
	last.Path, last.RawQuery = "", ""
	servers[len(servers)-1] = last.String()
	return place{strings.Join(servers, ","), shop, copies}, nil
}

func withoutPasswords(servers string) string {
	shown := strings.Split(servers, ",")
	for i, one := range shown {
		if address, err := url.Parse(strings.TrimSpace(one)); err == nil {
			shown[i] = address.Redacted()
		}
	}
	return strings.Join(shown, ",")
}

func (c *Cluster) connect(at place, notice func(string), patience time.Duration) error {
	ctx, cancel := context.WithTimeout(context.Background(), connectTime)
	defer cancel()
	if err := c.dial(ctx, at.servers, notice); err != nil {
		return err
	}
	var err error
	if c.engine, err = jetstream.New(c.connection); err != nil {
		return err
	}
	name := "shopmock_" + at.shop
	c.log, err = c.engine.CreateOrUpdateStream(ctx, jetstream.StreamConfig{Name: name, Replicas: at.copies,
		Subjects: []string{c.subject + logSubject, c.subject + workSubject}, Description: "what each commit of a shop changes"})
	if err != nil {
		return err
	}
	if c.work, err = newQueue(ctx, c.log, c.subject+workSubject, patience); err != nil {
		return err
	}
	c.objects, err = c.engine.CreateOrUpdateObjectStore(ctx, jetstream.ObjectStoreConfig{Bucket: name, Replicas: at.copies,
		Description: "states of a shop, and changes that are too large for its stream"})
	if err != nil {
		return err
	}
	if err := c.openRegistry(ctx, at); err != nil {
		return err
	}
	if err := c.openShards(ctx, at, patience); err != nil {
		return err
	}
	c.partObjects, err = c.engine.CreateOrUpdateObjectStore(ctx, jetstream.ObjectStoreConfig{Bucket: "shopmock-parts_" + at.shop,
		Replicas: at.copies, Description: "snapshots of a shop, and what its sandboxes begin with"})
	if err != nil {
		return err
	}
	c.memory, err = c.engine.CreateOrUpdateKeyValue(ctx, jetstream.KeyValueConfig{Bucket: name, Replicas: at.copies, TTL: memoryLife,
		Description: "what is remembered of a shop's visitors and clients"})
	if err != nil {
		return err
	}
	_, err = c.connection.Subscribe(c.subject+".*", func(*nats.Msg) {
		select {
		case c.news <- struct{}{}:
		default:
		}
	})
	return err
}

// dial tries until there is an engine, or the context is done.
func (c *Cluster) dial(ctx context.Context, servers string, notice func(string)) (err error) {
	lost := func(_ *nats.Conn, why error) {
		if why != nil { // else it was closed here
			notice(fmt.Sprintf("the cluster is lost, and requests are answered with 503 until it is found: %v", why))
		}
	}
	found := func(*nats.Conn) { notice("the cluster is found again") }
	for {
		c.connection, err = nats.Connect(servers, nats.Name("shopmock"), nats.Timeout(answerTime), nats.MaxReconnects(-1),
			nats.ReconnectWait(100*time.Millisecond), nats.PingInterval(pingTime), nats.MaxPingsOutstanding(2), nats.ReconnectBufSize(-1),
			nats.DisconnectErrHandler(lost), nats.ReconnectHandler(found),
			nats.ErrorHandler(func(*nats.Conn, *nats.Subscription, error) {})) // what fails is told to whoever asked for it
		if err == nil {
			return nil
		}
		select {
		case <-ctx.Done():
			return err
		case <-time.After(100 * time.Millisecond):
		}
	}
}

// Close ends the connection. It is called after the server has been closed.
func (c *Cluster) Close() error {
	if c.work != nil {
		c.work.end()
	}
	for _, one := range c.shards {
		one.work.end()
	}
	if c.connection != nil {
		c.connection.Close()
	}
	return nil
}

// within gives the engine the time for an answer.
func within(ask func(ctx context.Context) error) error {
	ctx, cancel := context.WithTimeout(context.Background(), answerTime)
	defer cancel()
	return ask(ctx)
}
