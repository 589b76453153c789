package render

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
)

// PlacementMap is what a map of a cluster shows: outputs of a placement, name for name. Every field may be empty; what
// isn't told isn't shown.
type PlacementMap struct {
	Placements          map[string]map[string]int64 // service -> instance id or fargate:<zone> -> tasks
	InstanceZones       map[string]string           // instance id -> zone
	InstanceUtilization map[string]int64            // instance id -> percent in use, of CPU or memory, whichever is more
	RemainingCPU        map[string]int64            // instance id -> CPU units left; below 0 when adopted tasks take more than there is
	RemainingMemory     map[string]int64            // instance id -> MiB left
	DrainingInstances   []string                    // ids
	Unplaced            map[string]int64            // service -> tasks without a place
}

// fargatePrefix starts the id of a Fargate zone.
const fargatePrefix = "fargate:"

// fullPercent is how much of its CPU or memory an instance has in use when it is marked as full.
const fullPercent = 95

// scene is a PlacementMap made ready to draw: checked, joined and ordered.
type scene struct {
	zones    []zone
	services []service // by name
	look     map[string]style
	tasks    int64
	nowhere  string // what stands in place of the name of a zone that isn't told
}

type zone struct {
	name  string // "" = not known
	hosts []host // instances by id, then the Fargate zone
	tasks int64
}

type host struct {
	id          string
	fargate     bool
	draining    bool
	used        amountOf // percent
	cpu, memory amountOf // left
	tallies     []tally  // by service
	tasks       int64
}

// tally is how many tasks of a service there are somewhere. The service is an index into scene.services.
type tally struct {
	service int
	tasks   int64
}

type service struct {
	name            string
	tasks, unplaced int64
}

// amountOf is a number that may not be told.
type amountOf struct {
	n    int64
	told bool
}

func lookUp(m map[string]int64, id string) amountOf {
	n, ok := m[id]
	return amountOf{n, ok}
}

func (h host) full() bool { return h.used.told && h.used.n >= fullPercent }

// left is what is left of CPU and memory, "" if it isn't told.
func (h host) left() string {
	var parts []string
	if h.cpu.told {
		parts = append(parts, thousands(h.cpu.n)+" CPU")
	}
	if h.memory.told {
		parts = append(parts, thousands(h.memory.n)+" MiB")
	}
	return strings.Join(parts, " · ")
}

// newScene checks and orders a map. Services that look names are drawn as it says; nil = this map's own.
func newScene(p PlacementMap, look map[string]style) (*scene, error) {
	if err := p.check(); err != nil {
		return nil, err
	}
	names := p.services()
	if look == nil {
		look = styles(names)
	}
	s := &scene{look: look, nowhere: "zone not known"}
	hosts := p.hosts()
	for i, name := range names {
		svc := service{name: name, unplaced: p.Unplaced[name]}
		for id, n := range p.Placements[name] {
			if n == 0 {
				continue
			}
			h := hosts[id]
			h.tallies = append(h.tallies, tally{i, n})
			h.tasks += n
			svc.tasks += n
		}
		s.services = append(s.services, svc)
		s.tasks += svc.tasks
	}
	byZone := make(map[string]*zone)
	for _, id := range slices.SortedFunc(maps.Keys(hosts), compareNatural) {
		name := p.zoneOf(id)
		z := byZone[name]
		if z == nil {
			z = &zone{name: name}
			byZone[name] = z
		}
		z.hosts = append(z.hosts, *hosts[id])
		z.tasks += hosts[id].tasks
	}
	for _, name := range slices.SortedFunc(maps.Keys(byZone), compareZones) {
		z := byZone[name]
		slices.SortStableFunc(z.hosts, func(a, b host) int { return cmp.Compare(rank(a), rank(b)) })
		s.zones = append(s.zones, *z)
	}
	return s, nil
}

// rank puts a zone's Fargate box below its instances.
func rank(h host) int {
	if h.fargate {
		return 1
	}
	return 0
}

// compareZones orders by name, the unknown zone last.
func compareZones(a, b string) int {
	if (a == "") != (b == "") {
		return len(b) - len(a)
	}
	return compareNatural(a, b)
}

// check refuses numbers that can't be counts. What isn't there is no error.
func (p PlacementMap) check() error {
	var errs []error
	refuse := func(n int64, format string, args ...any) {
		if n < 0 || n > math.MaxInt32 {
			errs = append(errs, &FieldError{fmt.Sprintf(format, args...), fmt.Sprintf("is %d, not a number of tasks", n)})
		}
	}
	for _, name := range slices.Sorted(maps.Keys(p.Placements)) {
		for _, id := range slices.Sorted(maps.Keys(p.Placements[name])) {
			refuse(p.Placements[name][id], "placements[%q][%q]", name, id)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(p.Unplaced)) {
		refuse(p.Unplaced[name], "unplaced[%q]", name)
	}
	return errors.Join(errs...)
}

// services are the names of all services, sorted.
func (p PlacementMap) services() []string {
	names := slices.AppendSeq(slices.Collect(maps.Keys(p.Placements)), maps.Keys(p.Unplaced))
	slices.Sort(names)
	return slices.Compact(names)
}

// hosts are all instances and Fargate zones that are named anywhere, without their tasks.
func (p PlacementMap) hosts() map[string]*host {
	draining := make(map[string]bool)
	for _, id := range p.DrainingInstances {
		draining[id] = true
	}
	out := make(map[string]*host)
	add := func(id string) {
		if out[id] != nil {
			return
		}
		h := &host{id: id, fargate: strings.HasPrefix(id, fargatePrefix), draining: draining[id]}
		if !h.fargate {
			h.used, h.cpu, h.memory = lookUp(p.InstanceUtilization, id), lookUp(p.RemainingCPU, id), lookUp(p.RemainingMemory, id)
		}
		out[id] = h
	}
	for id := range p.InstanceZones {
		add(id)
	}
	for id := range p.RemainingCPU {
		add(id)
	}
	for _, at := range p.Placements {
		for id, n := range at {
			if n > 0 {
				add(id)
			}
		}
	}
	return out
}

// zoneOf is the zone that an instance or a Fargate zone is in, "" if it isn't told.
func (p PlacementMap) zoneOf(id string) string {
	if z, ok := p.InstanceZones[id]; ok {
		return z
	}
	z, _ := strings.CutPrefix(id, fargatePrefix)
	if z == id {
		return ""
	}
	return z
}

// instances is how many instances there are, without Fargate zones.
func (s *scene) instances() int {
	n := 0
	for _, z := range s.zones {
		n += z.instances()
	}
	return n
}

func (z zone) instances() int {
	n := 0
	for _, h := range z.hosts {
		if !h.fargate {
			n++
		}
	}
	return n
}

func (s *scene) unplaced() int64 {
	n := int64(0)
	for _, svc := range s.services {
		n += svc.unplaced
	}
	return n
}

// headline is the scene in one line.
func (s *scene) headline() string {
	parts := []string{
		count(int64(s.instances()), "instance") + " in " + count(int64(len(s.zones)), "zone"),
		count(s.tasks, "task") + " of " + count(int64(len(s.services)), "service"),
	}
	if n := s.unplaced(); n > 0 {
		parts = append(parts, count(n, "task")+" without a place")
	}
	return strings.Join(parts, " · ")
}

// describe is the scene in words, for readers who can't see it.
func (s *scene) describe() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s.", s.headline())
	var draining, full []string
	for _, z := range s.zones {
		totals := make([]int64, len(s.services))
		for _, h := range z.hosts {
			for _, t := range h.tallies {
				totals[t.service] += t.tasks
			}
			if h.draining {
				draining = append(draining, clean(h.id))
			}
			if h.full() {
				full = append(full, clean(h.id))
			}
		}
		var shares []string
		for i, n := range totals {
			if n > 0 {
				shares = append(shares, fmt.Sprintf("%s %d", clean(s.services[i].name), n))
			}
		}
		fmt.Fprintf(&b, " %s: %s", s.zoneName(z), count(int64(z.instances()), "instance"))
		if len(shares) > 0 {
			fmt.Fprintf(&b, ", %s", strings.Join(shares, ", "))
		}
		b.WriteByte('.')
	}
	enumerate(&b, "Draining", draining)
	enumerate(&b, "Full", full)
	var missing []string
	for _, svc := range s.services {
		if svc.unplaced > 0 {
			missing = append(missing, fmt.Sprintf("%s %d", clean(svc.name), svc.unplaced))
		}
	}
	enumerate(&b, "Without a place", missing)
	return b.String()
}

// enumerate writes a titled list, of which no more than a reader would listen to.
func enumerate(b *strings.Builder, title string, items []string) {
	const most = 20
	if len(items) == 0 {
		return
	}
	rest := ""
	if n := len(items) - most; n > 0 {
		items, rest = items[:most], fmt.Sprintf(" and %d more", n)
	}
	fmt.Fprintf(b, " %s: %s%s.", title, strings.Join(items, ", "), rest)
}

func (s *scene) zoneName(z zone) string {
	if z.name == "" {
		return s.nowhere
	}
	return clean(z.name)
}

// describe is an instance in words.
func (h host) describe(s *scene) string {
	var b strings.Builder
	b.WriteString(clean(h.id))
	var marks []string
	if h.draining {
		marks = append(marks, "draining")
	}
	if h.full() {
		marks = append(marks, "full")
	}
	if len(marks) > 0 {
		fmt.Fprintf(&b, " (%s)", strings.Join(marks, ", "))
	}
	if h.used.told {
		fmt.Fprintf(&b, "\n%d %% in use", h.used.n)
	}
	if left := h.left(); left != "" {
		b.WriteString("\n" + left + " left")
	}
	if len(h.tallies) == 0 {
		b.WriteString("\nno tasks")
	}
	for _, t := range h.tallies {
		fmt.Fprintf(&b, "\n%s: %s", clean(s.services[t.service].name), count(t.tasks, "task"))
	}
	return b.String()
}
