package main

// Replicas of one shop in processes of their own, which are killed.

import (
	"sync"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"
)

// engine runs a NATS server with JetStream, and returns the address of a shop there.
func engine(t *testing.T) string {
	t.Helper()
	nats, err := server.NewServer(&server.Options{Host: "127.0.0.1", Port: -1, JetStream: true, StoreDir: t.TempDir(), NoLog: true,
		NoSigs: true})
	if err != nil {
		t.Fatal(err)
	}
	nats.Start()
	t.Cleanup(func() { nats.Shutdown(); nats.WaitForShutdown() })
	if !nats.ReadyForConnections(time.Minute) {
		t.Fatal("the engine does not start")
	}
	return nats.ClientURL() + "/killed"
}

// TestReplicasSurviveSIGKILL kills one replica after the other under load, while others join: what any of them has answered all know, each
// piece is sold once, and everybody is told of everything, though who should have told them is gone.
func TestReplicasSurviveSIGKILL(t *testing.T) {
	t.Parallel()
	address := engine(t)
	k, told := newKnown(), newTold(t)
	join := func() *program { return startProgram(t, "--cluster", address) }
	first := join()
	sold := first.must("POST", "/shop/v3/products",
		`{"name":"Sold","regular_price":"3","manage_stock":true,"stock_quantity":1000000}`).Get("id").Int()
	told.register(first)
	var workers sync.WaitGroup
	work := func(p *program) {
		for worker := range 2 {
			workers.Go(func() { k.work(p, worker, sold) })
		}
	}
	second := join()
	work(first)
	work(second)
	k.await(40)
	first.kill()
	third := join()
	work(third)
	k.await(40)
	second.kill()
	k.await(20)
	third.kill()
	workers.Wait()
	last := join()
	for !last.must("POST", "/_mock/deliveries/drain?timeout=10s", "").Get("drained").Bool() {
	}
	all := last.must("GET", "/_mock/export", "")
	k.checkAll(t, all, sold, func(token string) int64 {
		_, cart, _ := last.call("GET", "/shop/store/v1/cart", "", token)
		return cart.Get("items_count").Int()
	})
	told.check(t, k, all)
	t.Logf("%d products and %d orders were answered, and %d carts; %d deliveries came, %d of them twice", len(k.products), len(k.orders),
		len(k.carts), told.came, told.again)
}
