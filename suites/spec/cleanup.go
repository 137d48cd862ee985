package spec

// Clean-up: what a run has made is deleted at the end, as far as it can be proven to be the run's.

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"shopcheck/suites/client"
)

const (
	requestsAtOnce = 8               // bounds the clean-up's connections
	cleaningBase   = time.Minute     // what clean-up may take beside the time for its records
	cleaningEach   = 5 * time.Second // what each record may take: a slow shop needs three requests for it
)

// Cleaner deletes records that carry the mark of a run. All others are left alone, whatever ids it is given: each record is read
// first. A hundred are read and deleted at a time where the target has lists by id and batches, else each by itself.
type Cleaner struct {
	Send  func(ctx context.Context, req client.Request) *client.Answer
	Key   client.Auth
	Nonce string              // of the run; empty: of any run
	Told  func(done, all int) // hears how far it is
}

// Delete deletes what is proven and returns what is left, a line each with the reason. unproven counts the records that are not proven
// and those that are not there: what the run has made in their place is not known. Kinds that refer to others are deleted before them.
func (c Cleaner) Delete(ctx context.Context, claims []Claim) (left []string, unproven int) {
	ctx, cancel := context.WithTimeout(ctx, cleaningBase+time.Duration(len(claims))*cleaningEach)
	defer cancel()
	byCollection := map[string][]Claim{}
	for _, claim := range claims {
		collection, _ := splitPath(claim.Path)
		byCollection[collection] = append(byCollection[collection], claim)
	}
	done := 0
	c.Told(done, len(claims))
	for _, p := range places() {
		for some := range slices.Chunk(byCollection[p.path()], sweptPage) {
			leftHere, unprovenHere := c.deleteSome(ctx, p, some)
			left, unproven, done = append(left, leftHere...), unproven+unprovenHere, done+len(some)
			c.Told(done, len(claims))
		}
		delete(byCollection, p.path())
	}
	for _, others := range byCollection {
		for _, claim := range others {
			left, unproven = append(left, claim.Path+" is left: records of its kind carry no mark that would prove whose it is"), unproven+1
		}
	}
	return left, unproven
}

// deleteSome deletes up to a hundred records of one kind.
func (c Cleaner) deleteSome(ctx context.Context, p place, claims []Claim) (left []string, unproven int) {
	listed, _ := c.look(ctx, p, idsOf(claims)) // what the lists do not show is read one by one
	var ours []int64
	var unseen []Claim
	for _, claim := range claims {
		_, id := splitPath(claim.Path)
		mark, seen := listed[id]
		switch {
		case seen && mark != "":
			ours = append(ours, id)
		case seen:
			left, unproven = append(left, leftAlone(claim.Path)), unproven+1
		case !claim.Deleted:
			unseen = append(unseen, claim)
		}
	}
	each(unseen, func(claim Claim) (ourID int64, why string) {
		return c.readOne(ctx, p, claim)
	}, func(id int64, why string) {
		switch {
		case why != "":
			left, unproven = append(left, why), unproven+1
		case id != 0:
			ours = append(ours, id)
		default:
			unproven++
		}
	})
	each(c.deleteBatch(ctx, p, ours), func(id int64) (int64, string) {
		path := recordPath(p.path(), id)
		a := c.Send(ctx, client.Request{Method: http.MethodDelete, Path: path, Query: url.Values{"force": {"true"}}, Auth: c.Key})
		if gone(a) {
			return 0, ""
		}
		return 0, "DELETE " + path + "?force=true"
	}, func(_ int64, failed string) {
		if failed != "" {
			left = append(left, failed)
		}
	})
	return left, unproven
}

func leftAlone(path string) string {
	return path + " is left: a create was answered with this id, and the record carries no mark of the run"
}

// each does something with several values at once, and takes the results one after the other.
func each[T any](values []T, do func(T) (int64, string), take func(int64, string)) {
	var mu sync.Mutex
	var group errgroup.Group
	group.SetLimit(requestsAtOnce)
	for _, value := range values {
		group.Go(func() error {
			id, text := do(value)
			mu.Lock()
			defer mu.Unlock()
			take(id, text)
			return nil
		})
	}
	_ = group.Wait() // no function of the group returns an error
}

func idsOf(claims []Claim) []int64 {
	ids := make([]int64, len(claims))
	for i, claim := range claims {
		_, ids[i] = splitPath(claim.Path)
	}
	return ids
}

// look returns the marks of those records that the lists of the collection show, "" for a record that carries none. An error means
// that a list could not be read.
func (c Cleaner) look(ctx context.Context, p place, ids []int64) (marks map[int64]string, err error) {
	pattern := mark(c.Nonce)
	marks = map[int64]string{}
	for i, query := range p.lists(url.Values{"include": {joined(ids)}, "per_page": {strconv.Itoa(sweptPage)}}) {
		if len(marks) == len(ids) {
			break
		}
		a := c.Send(ctx, client.Request{Method: http.MethodGet, Path: p.path(), Query: query, Auth: c.Key})
		if !a.OK() && !(i > 0 && a.Refused()) { // a status that the target does not know shows nothing more
			err = fmt.Errorf("look for records of %s: %s", p.name, a)
		}
		for _, record := range a.JSON().Array() {
			if id := record.Get("id").Int(); a.OK() && slices.Contains(ids, id) {
				marks[id] = p.markOf(record, pattern)
			}
		}
	}
	return marks, err
}

func joined(ids []int64) string {
	texts := make([]string, len(ids))
	for i, id := range ids {
		texts[i] = strconv.FormatInt(id, 10)
	}
	return strings.Join(texts, ",")
}

// readOne reads a record that no list shows. It returns its id where it is the run's, and why it is left where that is not known;
// neither where it is gone.
func (c Cleaner) readOne(ctx context.Context, p place, claim Claim) (id int64, why string) {
	a := c.Send(ctx, client.Request{Method: http.MethodGet, Path: claim.Path, Auth: c.Key})
	_, id = splitPath(claim.Path)
	switch {
	case a.Status == http.StatusNotFound, a.Status == http.StatusGone:
		return 0, ""
	case !a.OK():
		return 0, "DELETE " + claim.Path + "?force=true was not sent: nothing shows whose record it is, for " + a.String()
	case a.ID() != id || p.markOf(a.JSON(), mark(c.Nonce)) == "":
		return 0, leftAlone(claim.Path)
	}
	return id, ""
}

// deleteBatch deletes records in one request where the target has batches, and returns those that are still there.
func (c Cleaner) deleteBatch(ctx context.Context, p place, ids []int64) []int64 {
	if len(ids) < 2 {
		return ids
	}
	a := c.Send(ctx, client.Request{Method: http.MethodPost, Path: p.path() + "/batch", Body: Fields{"delete": ids}, Auth: c.Key})
	if !a.OK() {
		return ids
	}
	still, err := c.look(ctx, p, ids)
	if err != nil {
		return ids
	}
	return slices.DeleteFunc(ids, func(id int64) bool { return still[id] == "" })
}

func gone(a *client.Answer) bool {
	return a.OK() || a.Status == http.StatusNotFound || a.Status == http.StatusGone
}
