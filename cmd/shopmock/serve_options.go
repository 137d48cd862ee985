package main

// What the flags of serve ask for, checked before anything is opened.

import (
	"errors"
	"fmt"
	"io"
	"log/slog"
	"strconv"
	"strings"
	"time"

	"shopcheck/mockserver"
	"shopcheck/mockserver/cluster"
)

// What --reads takes.
const (
	linearizable = "linearizable"
	local        = "local"
)

// options are those of the server whose clock begins at start, or is the system's. All but its storage, which has to be opened.
func (f serveFlags) options(start time.Time, log io.Writer) (mockserver.Options, error) {
	reject, err := share(f.nonceReject)
	switch nonce := mockserver.NonceMode(f.nonce); {
	case nonce != mockserver.RotateNonce && nonce != mockserver.StableNonce:
		return mockserver.Options{}, fmt.Errorf("--nonce %q: take %s or %s", f.nonce, mockserver.RotateNonce, mockserver.StableNonce)
	case err != nil:
		return mockserver.Options{}, fmt.Errorf("--nonce-reject %q: %w", f.nonceReject, err)
	case f.reads != local && f.reads != linearizable:
		return mockserver.Options{}, fmt.Errorf("--reads %q: take %s or %s", f.reads, linearizable, local)
	}
	options := mockserver.Options{
		Seed: f.seed, Scale: f.scale, Site: f.site, Dialect: f.dialect, Contract: f.contract,
		Nonce: mockserver.NonceMode(f.nonce), NonceReject: reject, RandomSeed: f.randomSeed,
		AllowOrigins: f.allowOrigins, TLS: f.tls, Strict: f.strict, TrustProxy: f.trustProxy, Public: f.public, Gzip: f.gzip,
		Advice: mockserver.AdviceMode(f.advice), SandboxIdle: f.sandboxIdle, LocalReads: f.reads == local,
	}
	options.Webhooks.AllowPrivate, options.Journal.Requests = f.privateWebhooks, f.journal
	if f.log {
		options.Log = slog.New(slog.NewTextHandler(log, nil))
	}
	if !start.IsZero() {
		started := time.Now()
		options.Clock = func() time.Time { return start.Add(time.Since(started)) }
	}
	return options, nil
}

// closingStorage is a storage that is open.
type closingStorage interface {
	mockserver.Storage
	io.Closer
}

// storage opens what keeps the shop, nil where it lives in memory alone. It writes to log what becomes of it later.
func (f serveFlags) storage(log io.Writer) (closingStorage, error) {
	switch {
	case f.cluster != "" && f.data != "":
		return nil, errors.New("--cluster and --data cannot be given together: the engine of the cluster keeps the shop")
	case f.cluster != "":
		shared, err := cluster.Connect(f.cluster, func(text string) { fmt.Fprintln(log, "shopmock:", text) })
		if err != nil {
			return nil, err
		}
		return shared, nil
	case f.data != "":
		store, err := openStore(f.data, f.sync)
		if err != nil {
			return nil, err
		}
		return &watchedStorage{Store: store, out: log}, nil
	}
	return nil, nil
}

// momentOf reads a moment; none gives the zero time.
func momentOf(text string) (time.Time, error) {
	if text == "" {
		return time.Time{}, nil
	}
	moment, err := time.Parse(time.RFC3339, text)
	if err != nil {
		return time.Time{}, fmt.Errorf("--clock %q: take a moment such as 2026-03-01T12:00:00Z", text)
	}
	return moment, nil
}

// share reads a part of the whole: "5%", or 0.05.
func share(text string) (float64, error) {
	number, percent := strings.CutSuffix(text, "%")
	part, err := strconv.ParseFloat(number, 64)
	if err != nil {
		return 0, errors.New("take a share such as 5%")
	}
	if percent {
		part /= 100
	}
	if !(part >= 0 && part <= mockserver.MaxNonceReject) {
		return 0, fmt.Errorf("take a share from 0%% to %v%%", mockserver.MaxNonceReject*100)
	}
	return part, nil
}
