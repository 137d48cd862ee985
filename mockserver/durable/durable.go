// Package durable keeps a shop of package mockserver in a folder, so that it survives the end of its process, however it ends:
//
//	store, err := durable.Open("shop-data")
//	server, err := mockserver.Listen("127.0.0.1:8080", mockserver.Options{Storage: store})
//
// It is a file of bbolt, an embedded engine: a commit is a transaction of it, and what was being written when the machine stopped is as
// if it had never been.
package durable

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strings"
	"sync/atomic"
	"time"

	"github.com/cespare/xxhash/v2"
	"go.etcd.io/bbolt"
	bolterrors "go.etcd.io/bbolt/errors"

	"shopcheck/mockserver/internal/shop"
)

// FileName is the name of the file in the folder.
const FileName = "shop.db"

// lockTime is how long Open waits for another process to let go of the file.
const lockTime = time.Second

// growth is by how many bytes the file becomes longer than is needed at the moment.
const growth = 256 << 10

// firstMap is how much of the file is mapped at first, be it so long or not. To map more of it the engine copies what it is about to write.
// On Windows the file would become as long.
func firstMap() int {
	if runtime.GOOS == "windows" {
		return 0
	}
	return 1 << 30
}

// Store keeps pairs in a file. It implements mockserver.Storage.
type Store struct {
	path  string
	db    *bbolt.DB
	later *gathered // nil: each commit is on the disk when Save returns

	unsure atomic.Bool // the file may hold what Save has refused
}

// Open opens the file of a folder, and makes both where they are missing. It returns an error where another process has the file open,
// and where it is damaged; it says what to do then.
func Open(folder string) (*Store, error) {
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return nil, fmt.Errorf("cannot keep a shop in %s: %w", folder, err)
	}
	s := &Store{path: filepath.Join(folder, FileName)}
	err := s.guarded(func() (err error) {
		s.db, err = bbolt.Open(s.path, 0o600, &bbolt.Options{
			Timeout: lockTime, FreelistType: bbolt.FreelistMapType, InitialMmapSize: firstMap(),
		})
		if err == nil {
			s.db.AllocSize = growth
		}
		return err
	})
	switch {
	case errors.Is(err, bolterrors.ErrTimeout):
		return nil, fmt.Errorf("%s is in use by another process: end that, or keep the shop in another folder", s.path)
	case errors.Is(err, errDamaged), errors.Is(err, bolterrors.ErrInvalid), errors.Is(err, bolterrors.ErrChecksum),
		errors.Is(err, bolterrors.ErrVersionMismatch):
		return nil, s.damaged(err)
	case err != nil:
		return nil, fmt.Errorf("cannot keep a shop in %s: %w", s.path, err)
	}
	if err := s.whole(); err != nil {
		return nil, errors.Join(s.damaged(err), s.db.Close())
	}
	return s, nil
}

// Close lets go of the file. It is called after the server has been closed.
func (s *Store) Close() error {
	if s.later == nil {
		return s.db.Close()
	}
	return errors.Join(s.later.stop(), s.db.Close())
}

var (
	errDamaged = errors.New("it does not hang together")
	errOld     = errors.New("a part of it is older than the rest, as when a disk has confirmed what it has not kept")
)

// damaged says what to do with a file that cannot be read.
func (s *Store) damaged(why error) error {
	return fmt.Errorf("%s is damaged (%w), and was left as it is: put a copy of it back, or move it away to begin with a new shop",
		s.path, why)
}

// whole reports whether the file is as long as it says. The engine maps it into memory and would not ask.
func (s *Store) whole() error {
	return s.guarded(func() error {
		return s.db.View(func(tx *bbolt.Tx) error {
			file, err := os.Stat(s.path)
			if err == nil && file.Size() < tx.Size() {
				err = fmt.Errorf("it has %d bytes, and had %d", file.Size(), tx.Size())
			}
			return err
		})
	})
}

// guarded turns what the engine does on a damaged file, which is to panic, or to read where nothing is, into an error.
func (s *Store) guarded(do func() error) (err error) {
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer func() {
		if cause := recover(); cause != nil {
			err = fmt.Errorf("%w: %v", errDamaged, cause)
		}
	}()
	return do()
}

// shopBucket holds the pairs of the shop.
const shopBucket = "shop"

// Load implements mockserver.Storage.
func (s *Store) Load(each func(key, value []byte) error) error { return s.load(shopBucket, each) }

func (s *Store) load(bucket string, each func(key, value []byte) error) error {
	err := s.guarded(func() error {
		return s.db.View(func(tx *bbolt.Tx) error {
			pairs := tx.Bucket([]byte(bucket))
			switch {
			case pairs == nil && bucket == shopBucket:
				return beforeShop(tx)
			case pairs == nil:
				return nil
			}
			sum, last := uint64(0), []byte(nil)
			err := pairs.ForEach(func(key, value []byte) error {
				if bytes.Compare(key, last) <= 0 { // for ever, perhaps: pages of several moments may point to each other
					return errOld
				}
				sum, last = sum+sumOf(key, value), key
				return each(key, value)
			})
			if written := pairs.Sequence(); err == nil && written != 0 && written != sum {
				err = errOld
			}
			return err
		})
	})
	if err != nil {
		return s.damaged(err)
	}
	return nil
}

// beforeShop returns an error where the shop is missing although there must have been one: the page of buckets is another one then.
func beforeShop(tx *bbolt.Tx) error {
	count := 0
	err := tx.ForEach(func(name []byte, _ *bbolt.Bucket) error {
		if count++; !strings.HasPrefix(string(name), partPrefix) {
			return errOld
		}
		return nil
	})
	if err == nil && count == 0 && tx.ID() > firstID {
		err = errOld
	}
	return err
}

// firstID is the number that the engine gives to a file that nothing was written to.
const firstID = 1

// Save implements mockserver.Storage.
func (s *Store) Save(anew bool, pairs func(put func(key, value []byte) error) error) error {
	return s.save(change{shopBucket, anew, pairs})
}

func (s *Store) save(c change) error {
	if s.later == nil {
		return s.writeOnce(c)
	}
	taken, err := gathering(c)
	if err != nil {
		return err
	}
	return s.later.save(taken)
}

// SaveLast is Save for rows that nobody changes, by what appends their values, nil for one that is gone, and for pairs behind them that
// the next change puts as well. Of changes that wait for each other only the newest row of a key is encoded, and only the newest change is
// asked for its last pairs.
func (s *Store) SaveLast(anew bool, rows func(put func(key []byte, value value) error) error, last func(put) error) error {
	if s.later == nil {
		return s.Save(anew, func(put put) error { return errors.Join(rows(encoding(put)), last(put)) })
	}
	taken := &addition{bucket: shopBucket, anew: anew, last: last}
	if err := rows(func(key []byte, value value) error {
		taken.add(key, value, usualRow)
		return nil
	}); err != nil {
		return err
	}
	return s.later.save(taken)
}

// Sync returns when all that was saved is on the disk, or why it is not.
func (s *Store) Sync() error {
	if s.later == nil {
		return nil
	}
	return s.later.flush()
}

// encoding puts values as they come.
func encoding(put put) func(key []byte, value value) error {
	return func(key []byte, value value) error {
		if value == nil {
			return put(key, nil)
		}
		encoded, err := value(nil)
		return errors.Join(err, put(key, encoded))
	}
}

// errUnsure is why nothing is written any more.
var errUnsure = errors.New("the disk has failed amid a change: end the program, see to the disk, and start it again from what is there")

// writeOnce is write for changes that are not written again after an error. The engine goes on from a commit that the disk has taken and
// then failed to confirm: later ones would lie over what was refused. So there are none until the next start.
func (s *Store) writeOnce(changes ...change) error {
	if s.unsure.Load() {
		return errUnsure
	}
	err := s.write(changes...)
	if errors.Is(err, shop.ErrUncertain) {
		s.unsure.Store(true)
		err = errors.Join(err, errUnsure)
	}
	return err
}

// put takes a pair, nil for the value of one that goes.
type put = func(key, value []byte) error

// change is what is to become of a bucket.
type change struct {
	bucket string
	anew   bool                // without what it held
	pairs  func(put put) error // nil: the bucket goes
}

// write makes changes in the file, in one step, and waits for the disk. An error may be shop.ErrUncertain.
func (s *Store) write(changes ...change) error {
	number := 0
	err := s.db.Update(func(tx *bbolt.Tx) error {
		number = tx.ID()
		for _, c := range changes {
			if err := c.in(tx); err != nil {
				return err
			}
		}
		return nil
	})
	if err == nil {
		return nil
	}
	return errors.Join(err, s.db.View(func(tx *bbolt.Tx) error {
		if number > 0 && tx.ID() >= number {
			return shop.ErrUncertain
		}
		return nil
	}))
}

// in makes the change, but for what comes to a part that is there no more.
func (c change) in(tx *bbolt.Tx) error {
	if c.anew {
		if err := tx.DeleteBucket([]byte(c.bucket)); err != nil && !errors.Is(err, bolterrors.ErrBucketNotFound) {
			return err
		}
	}
	if c.pairs == nil || !c.anew && c.bucket != shopBucket && tx.Bucket([]byte(c.bucket)) == nil {
		return nil
	}
	kept, err := tx.CreateBucketIfNotExists([]byte(c.bucket))
	if err != nil {
		return err
	}
	sum := kept.Sequence()
	if sum == 0 { // it is empty, or from before there were sums
		kept.ForEach(func(key, value []byte) error { sum += sumOf(key, value); return nil }) //nolint:errcheck // it is none
	}
	found := kept.Cursor()
	err = c.pairs(func(key, value []byte) error {
		if at, before := found.Seek(key); bytes.Equal(at, key) {
			sum -= sumOf(key, before)
		}
		if value == nil {
			return kept.Delete(key)
		}
		sum += sumOf(key, value)
		return kept.Put(key, value)
	})
	return errors.Join(err, kept.SetSequence(sum))
}

// sumOf is the part of a pair in the sum of its bucket, which stands where the engine has a number for each bucket. The engine has no
// checksums of pages: where a disk confirms what it has not kept, a page is as it was earlier, and fits the others all the same.
func sumOf(key, value []byte) uint64 {
	var sum xxhash.Digest
	sum.ResetWithSeed(xxhash.Sum64(key))
	sum.Write(value) //nolint:errcheck // it never fails
	return sum.Sum64()
}
