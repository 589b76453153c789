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
	for i := range l.hosts {
		h, rec := int32(i), &l.hosts[i]
		if !rec.open || !a.suits[rec.class] {
			continue
		}
		n := l.room(a, h)
		if n > 0 && a.special() {
			n = l.admitted(a, h, n)
		}
		if n == math.MaxInt64 {
			return Unlimited
		}
		total += n
	}
	return total
}

// room returns for how many more tasks a host has CPU, memory, GPUs and network interfaces, MaxInt64 if there is no end
// to it.
func (l *Ledger) room(a *account, h int32) int64 {
	if a.fargate {
		return math.MaxInt64
	}
	rec, own := &l.hosts[h], a.own(h)
	n := int64(math.MaxInt64)
	if a.cpu > 0 {
		n = min(n, (rec.cpu+own*a.cpu)/a.cpu)
	}
	if a.memory > 0 {
		n = min(n, (rec.memory+own*a.memory)/a.memory)
	}
	if a.gpu > 0 {
		n = min(n, (rec.gpu+own*a.gpu)/a.gpu)
	}
	if a.interfaces > 0 && l.classes[rec.class].NetworkInterfaces != Unlimited {
		n = min(n, (rec.interfaces+own*a.interfaces)/a.interfaces)
	}
	return max(n, 0)
}

// special reports whether more than sizes and the class decides about a host.
func (r *rules) special() bool {
	return r.distinct || len(r.ports) > 0 || r.named != nil || len(r.onTasks) > 0
}

// admitted returns how many of n more tasks a host admits by its ports and by the constraints on it.
func (l *Ledger) admitted(a *account, h int32, n int64) int64 {
	switch {
	case a.fargate:
		return n
	case !l.eligible(a, h, a.service.tally.at(h)), len(a.ports) > 0 && !l.portsFree(a, h):
		return 0
	case a.distinct, len(a.ports) > 0:
		return 1
	case len(a.onTasks) > 0:
		return l.allowed(a, h, n)
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
