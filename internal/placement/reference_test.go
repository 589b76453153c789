package placement

import (
	"cmp"
	"slices"
)

// The rule of placement as a person would apply it with a pencil: for each task look at every host, link by link. It
// shares with the code under test only the accounts, and what Fits says about one host.
type pencil struct {
	ledger *Ledger
	demand *Demand
	mirror bool
	spare  map[int32]int64 // victims: the tasks that may be stopped
}

func referencePlace(l *Ledger, d *Demand, n int64) []int32 {
	p := pencil{ledger: l, demand: d}
	var hosts []int32
	for range n {
		var fitting []int32
		for h := range l.Hosts() {
			if l.Fits(d, h) {
				fitting = append(fitting, int32(h))
			}
		}
		h, ok := p.pick(fitting)
		if !ok {
			break
		}
		l.Add(d, int(h), 1)
		hosts = append(hosts, h)
	}
	return hosts
}

func referenceVictims(l *Ledger, d *Demand, from []HostTasks, n int64) []int32 {
	p := pencil{ledger: l, demand: d, mirror: true, spare: map[int32]int64{}}
	for _, f := range from {
		p.spare[f.Host] = min(p.spare[f.Host]+f.Count, l.Count(d.Service, int(f.Host)))
	}
	var hosts []int32
	for range n {
		var having []int32
		for h := range l.Hosts() {
			if p.spare[int32(h)] > 0 {
				having = append(having, int32(h))
			}
		}
		h, ok := p.pick(having)
		if !ok {
			break
		}
		l.Remove(d, int(h), 1)
		p.spare[h]--
		hosts = append(hosts, h)
	}
	return hosts
}

// pick applies the strategies to hosts in their order.
func (p *pencil) pick(hosts []int32) (int32, bool) {
	strategies := p.demand.Strategies
	if len(strategies) == 0 || p.demand.Fargate {
		strategies = []Strategy{{Spread, "attribute:ecs.availability-zone"}, {Spread, "instanceId"}}
	}
	if len(hosts) == 0 {
		return 0, false
	}
	for i, s := range strategies {
		if s.Type == Random {
			return p.lot(hosts, strategies[:i]), true
		}
		score := p.scores(s)
		best := score(hosts[0])
		for _, h := range hosts {
			best = min(best, score(h))
		}
		hosts = slices.DeleteFunc(hosts, func(h int32) bool { return score(h) != best })
	}
	return hosts[0], true
}

// scores returns what a link of the chain wants small.
func (p *pencil) scores(s Strategy) func(h int32) int64 {
	sign := int64(1)
	if p.mirror {
		sign = -1
	}
	switch {
	case s == Strategy{Binpack, "cpu"}:
		return func(h int32) int64 { return sign * p.ledger.hosts[h].cpu }
	case s == Strategy{Binpack, "memory"}:
		return func(h int32) int64 { return sign * p.ledger.hosts[h].memory }
	case s == Strategy{Spread, "instanceId"} || s == Strategy{Spread, "host"}:
		return func(h int32) int64 { return sign * p.ledger.Count(p.demand.Service, int(h)) }
	}
	tasks := map[string]int64{}
	for h := range p.ledger.Hosts() {
		tasks[p.value(s, int32(h))] += p.ledger.Count(p.demand.Service, h)
	}
	return func(h int32) int64 { return sign * tasks[p.value(s, h)] }
}

func (p *pencil) value(s Strategy, h int32) string {
	value, ok := p.ledger.classes[p.ledger.hosts[h].class].Attributes[s.Field[len("attribute:"):]]
	if !ok {
		return "\x00absent"
	}
	return value
}

// lot draws one of the tied hosts, or for victims one of their tasks, from a list ordered by the buckets of the links
// before, those of the attribute with the fewest values first, and in each by host.
func (p *pencil) lot(tied []int32, before []Strategy) int32 {
	type attribute struct {
		s     Strategy
		order []string
	}
	var attributes []attribute
	for _, s := range before {
		if len(s.Field) < 10 || s.Field[:10] != "attribute:" || slices.ContainsFunc(attributes, func(a attribute) bool { return a.s == s }) {
			continue
		}
		a := attribute{s: s}
		for h := range p.ledger.Hosts() {
			if v := p.value(s, int32(h)); !slices.Contains(a.order, v) {
				a.order = append(a.order, v)
			}
		}
		attributes = append(attributes, a)
	}
	slices.SortStableFunc(attributes, func(a, b attribute) int { return cmp.Compare(len(a.order), len(b.order)) })
	slices.SortStableFunc(tied, func(g, h int32) int {
		for _, a := range attributes {
			if by := cmp.Compare(slices.Index(a.order, p.value(a.s, g)), slices.Index(a.order, p.value(a.s, h))); by != 0 {
				return by
			}
		}
		return 0
	})
	var choices []int32
	for _, h := range tied {
		n := int64(1)
		if p.mirror {
			n = p.spare[h]
		}
		for range n {
			choices = append(choices, h)
		}
	}
	return choices[p.ledger.Draw(p.demand.Service, len(choices))]
}
