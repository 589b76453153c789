package placement

import "math"

// Headroom returns how many more tasks of a demand would be placed, one after the other, until the next finds no place;
// 0 if none would, and Unlimited where nothing that the task needs can run out: on Fargate, which has no capacity to
// fill, and for a task of size zero without static ports or a constraint that ends it.
//
// A host's answer to a task depends on nothing but the host, so that the number is the sum over the hosts of how many
// each would take, whatever the strategy. The cost is linear in the number of hosts.
func (l *Ledger) Headroom(d *Demand) int64 {
	a := l.account(d)
	total := int64(0)
	for h := range l.hosts {
		rec := &l.hosts[h]
		if !rec.open || !a.suits[rec.class] || !l.fits(a, int32(h), a.service.tally.at(int32(h))) {
			continue
		}
		n := l.room(a, int32(h))
		if n > 0 && len(a.onTasks) > 0 {
			n = l.allowed(a, int32(h), n)
		}
		if n == math.MaxInt64 {
			return Unlimited
		}
		total += n
	}
	return total
}

// room returns how many more tasks a host that fits one has room for, MaxInt64 if there is no end to it.
func (l *Ledger) room(a *account, h int32) int64 {
	if a.fargate {
		return math.MaxInt64
	}
	if a.distinct || len(a.ports) > 0 {
		return 1
	}
	rec, own := &l.hosts[h], a.own(h)
	n := int64(math.MaxInt64)
	if a.cpu > 0 {
		n = min(n, rec.cpu/a.cpu+own)
	}
	if a.memory > 0 {
		n = min(n, rec.memory/a.memory+own)
	}
	if a.gpu > 0 {
		n = min(n, rec.gpu/a.gpu+own)
	}
	if a.interfaces > 0 && l.classes[rec.class].NetworkInterfaces != Unlimited {
		n = min(n, rec.interfaces/a.interfaces+own)
	}
	return n
}

// allowed returns how many of n more tasks the constraints on what runs on a host let in. A constraint can change its
// mind only when the service's group appears, with the first task, and when runningTasksCount comes to or passes a
// number that it is compared with, so that it is asked at those points and not for each task.
func (l *Ledger) allowed(a *account, h int32, n int64) int64 {
	ask := func(more int64) {
		if more >= n {
			return
		}
		v := l.view(a, h)
		v.more, v.service = more, a.service
		if unmet(a.onTasks, v) != nil {
			n = more
		}
	}
	ask(0)
	ask(1)
	running := l.hosts[h].tasks
	for _, bound := range a.bounds {
		for _, at := range [...]int64{bound, min(bound, math.MaxInt64-1) + 1} {
			if more := at - running; at > running {
				ask(more)
			}
		}
	}
	return n
}
