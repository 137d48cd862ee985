package webhooks

// Deliveries that one of several dispatchers makes.

// claim is what others have left to a dispatcher: the open entries whose ids lie in a range.
type claim struct {
	first, last int64
	done        func(done bool)
}

// Take makes the open deliveries whose ids lie in a range, unless it makes them already. done is told when it is kept what has become of
// them, or that they are left to others again.
func (d *Dispatcher) Take(first, last int64, done func(done bool)) {
	d.mu.Lock()
	for id := first; id <= last && !d.closed; id++ {
		if entry := d.open[id]; entry != nil && !d.claimed(id) {
			d.wait(entry)
		}
	}
	d.claims = append(d.claims, claim{first, last, done})
	var ended claims
	if d.closed {
		ended, d.claims = d.claims, nil
	} else {
		ended = d.settled()
	}
	closed := d.closed
	d.mu.Unlock()
	ended.tell(!closed)
}

// giveUp leaves to others what has not come to an end.
func (d *Dispatcher) giveUp() {
	d.mu.Lock()
	d.closed = true
	var left claims = d.claims
	d.claims = nil
	d.mu.Unlock()
	left.tell(false)
}

// claimed reports whether a delivery is made here. The lock is held.
func (d *Dispatcher) claimed(id int64) bool {
	for _, c := range d.claims {
		if c.first <= id && id <= c.last {
			return true
		}
	}
	return false
}

type claims []claim

func (all claims) tell(done bool) {
	for _, c := range all {
		c.done(done)
	}
}

// settled takes out the claims of which nothing is open any more, and all is kept. The lock is held.
func (d *Dispatcher) settled() (settled claims) {
	left := d.claims[:0]
	for _, c := range d.claims {
		if d.unsettled(c) {
			left = append(left, c)
		} else {
			settled = append(settled, c)
		}
	}
	clear(d.claims[len(left):])
	d.claims = left
	return settled
}

func (d *Dispatcher) unsettled(c claim) bool {
	for id := c.first; id <= c.last; id++ {
		_, unkept := d.outbox.unkept[id]
		_, keeping := d.outbox.keeping[id]
		if unkept || keeping || d.open[id] != nil {
			return true
		}
	}
	return false
}
