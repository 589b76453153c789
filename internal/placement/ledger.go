package placement

import (
	"maps"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/terraform-provider-stowage/terraform-provider-stowage/internal/cluster"
)

// Unlimited is the answer of what has no limit: the headroom of a task that needs nothing, the capacity of Fargate.
const Unlimited = cluster.Unlimited

// A Ledger is the account of what runs where: one per simulation. Hosts are numbered: the instances of the cluster in
// their order, which is that of every tie, then a host without limits for each of its Fargate zones.
//
// A task counts from the moment it is placed to the moment it begins to stop, for capacity, for the counts that
// strategies look at, for distinctInstance, and for task:group and runningTasksCount in constraints: these are the tasks
// whose desired status is RUNNING. Tasks outside the configuration count in the same way, with one exception: they
// belong to no service, and so a spread does not see them, even if their group is that of a service.
//
// A Ledger is not safe for concurrent use; the methods that only report may still use its scratch space.
type Ledger struct {
	cluster  *cluster.Cluster
	seed     int64
	ids      map[string]int32
	classes  []*cluster.Class // by host.class; a Fargate zone has one of its own
	hosts    []host
	ports    []portTable // by host; nil until a task with static ports comes
	services []*service
	names    map[string]int32 // service name -> index of services
	demands  map[*Demand]*account
	recent   *account // the account asked for last
	layouts  map[string]*layout
	scratch  scratch
}

// scratch is space that is used again from call to call.
type scratch struct {
	view  view
	index index
	spare []int64 // by host, zero between calls
}

// host is the account of one host.
type host struct {
	cpu, memory, gpu, interfaces int64 // what is left; below zero if more runs there than fits
	tasks                        int64 // those outside the configuration included
	class                        int32
	open                         bool // ACTIVE and its agent connected
}

// unlimited is so much of a resource that no sum of tasks uses it up.
const unlimited = math.MaxInt64 / 2

// service is what the tasks of one service have in common, whatever their revision.
type service struct {
	name  string
	group string
	tally tally
	draws *rand.PCG
}

// account is a demand in the books of one ledger.
type account struct {
	*rules
	service  *service
	reserved []bool  // by host, nil = nowhere: there is a reservation for it
	groups   []int32 // the services whose group a constraint asks for, among the first so many:
	sorted   int
}

// HostTasks is a number of tasks on a host.
type HostTasks struct {
	Host  int32
	Count int64
}

// NewLedger opens the account of a cluster on which only the tasks outside the configuration run. The seed decides every
// choice that Amazon ECS documents as random.
func NewLedger(c *cluster.Cluster, seed int64) *Ledger {
	n := len(c.Instances) + len(c.FargateZones)
	l := &Ledger{
		cluster: c, seed: seed,
		ids:     make(map[string]int32, n),
		hosts:   make([]host, n),
		names:   map[string]int32{},
		demands: map[*Demand]*account{},
		layouts: map[string]*layout{},
	}
	known := map[*cluster.Class]int32{}
	for h := range c.Instances {
		instance := &c.Instances[h]
		class, ok := known[instance.Class]
		if !ok {
			class = int32(len(l.classes))
			known[instance.Class] = class
			l.classes = append(l.classes, instance.Class)
		}
		l.ids[instance.ID] = int32(h)
		l.hosts[h] = openHost(instance, class)
		if u := instance.Used; u != nil && len(u.Ports)+len(u.UDPPorts) > 0 {
			for _, p := range portKeys(u.Ports, u.UDPPorts) {
				l.portsOf(int32(h)).take(p, 1)
			}
		}
	}
	for i, zone := range c.FargateZones {
		h := len(c.Instances) + i
		l.ids[cluster.FargatePrefix+zone] = int32(h)
		l.hosts[h] = host{cpu: unlimited, memory: unlimited, gpu: unlimited, interfaces: unlimited, class: int32(len(l.classes)), open: true}
		l.classes = append(l.classes, &cluster.Class{Zone: zone, Attributes: map[string]string{cluster.AttributeZone: zone}})
	}
	return l
}

func openHost(i *cluster.Instance, class int32) host {
	h := host{
		cpu: i.Class.CPU, memory: i.Class.Memory, gpu: i.Class.GPU, interfaces: i.Class.NetworkInterfaces,
		class: class, open: i.Schedulable(),
	}
	if h.interfaces == cluster.Unlimited {
		h.interfaces = unlimited
	}
	if u := i.Used; u != nil {
		h.cpu -= u.CPU
		h.memory -= u.Memory
		h.gpu -= u.GPU
		h.interfaces -= u.NetworkInterfaces
		h.tasks = int64(len(u.TaskGroups))
	}
	return h
}

// Clone returns an independent copy.
func (l *Ledger) Clone() *Ledger {
	c := *l
	c.hosts = slices.Clone(l.hosts)
	c.ports = slices.Clone(l.ports)
	for h := range c.ports {
		c.ports[h] = slices.Clone(c.ports[h])
	}
	c.services = make([]*service, len(l.services))
	c.names = make(map[string]int32, len(l.names))
	for i, s := range l.services {
		draws := *s.draws
		c.services[i] = &service{name: s.name, group: s.group, tally: s.tally.clone(), draws: &draws}
		c.names[s.name] = int32(i)
	}
	c.demands = make(map[*Demand]*account, len(l.demands))
	for d, a := range l.demands {
		c.demands[d] = &account{
			rules: a.rules, service: c.services[l.names[d.Service]], reserved: slices.Clone(a.reserved), groups: slices.Clone(a.groups), sorted: a.sorted,
		}
	}
	c.layouts = maps.Clone(l.layouts)
	c.recent, c.scratch = nil, scratch{}
	return &c
}

// Hosts returns the number of hosts.
func (l *Ledger) Hosts() int { return len(l.hosts) }

// Host returns the host of an instance id or of fargate:<zone>.
func (l *Ledger) Host(id string) (h int, ok bool) {
	i, ok := l.ids[id]
	return int(i), ok
}

// ID returns the id of a host: that of its instance, or fargate:<zone>.
func (l *Ledger) ID(h int) string {
	if i := l.Instance(h); i != nil {
		return i.ID
	}
	return cluster.FargatePrefix + l.Zone(h)
}

// Zone returns the availability zone of a host.
func (l *Ledger) Zone(h int) string { return l.classes[l.hosts[h].class].Zone }

// Instance returns the container instance that a host is, or nil for a Fargate zone.
func (l *Ledger) Instance(h int) *cluster.Instance {
	if h < len(l.cluster.Instances) {
		return &l.cluster.Instances[h]
	}
	return nil
}

// RemainingCPU returns the CPU units that are neither used nor reserved on a host; it is below zero if more runs there
// than fits, and Unlimited for a Fargate zone.
func (l *Ledger) RemainingCPU(h int) int64 { return l.remaining(h, l.hosts[h].cpu) }

// RemainingMemory is RemainingCPU for memory, in MiB.
func (l *Ledger) RemainingMemory(h int) int64 { return l.remaining(h, l.hosts[h].memory) }

func (l *Ledger) remaining(h int, left int64) int64 {
	if h >= len(l.cluster.Instances) {
		return Unlimited
	}
	return left
}

// Count returns how many tasks of a service run on a host, of all its revisions.
func (l *Ledger) Count(service string, h int) int64 {
	if i, ok := l.names[service]; ok {
		return int64(l.services[i].tally.at(int32(h)))
	}
	return 0
}

// Add charges n tasks that run on a host, whether they fit there or not. A reservation that the demand has on the host
// is used up by it.
func (l *Ledger) Add(d *Demand, h int, n int64) {
	a := l.account(d)
	if n > 0 {
		l.release(a, int32(h))
		l.charge(a, int32(h), n)
	}
}

// Remove releases what n tasks on a host take, as ECS does as soon as a task begins to stop: at most as many as the
// service has there.
func (l *Ledger) Remove(d *Demand, h int, n int64) {
	a := l.account(d)
	if n = min(n, int64(a.service.tally.at(int32(h)))); n > 0 {
		l.charge(a, int32(h), -n)
	}
}

// charge adds n tasks, or takes them away, at most so many that the service has from 0 to MaxInt32 of them on the host.
func (l *Ledger) charge(a *account, h int32, n int64) {
	n = min(n, math.MaxInt32-int64(a.service.tally.at(h)))
	a.service.tally.add(h, int32(n), len(l.hosts))
	l.hosts[h].tasks += n
	l.take(a, h, n)
}

// take charges the resources of n tasks without counting them.
func (l *Ledger) take(a *account, h int32, n int64) {
	rec := &l.hosts[h]
	if int(h) >= len(l.cluster.Instances) {
		return
	}
	rec.cpu -= n * a.cpu
	rec.memory -= n * a.memory
	rec.gpu -= n * a.gpu
	rec.interfaces -= n * a.interfaces
	if len(a.ports) > 0 {
		table := l.portsOf(h)
		for _, p := range a.ports {
			table.take(p, n)
		}
	}
}

// Reserve keeps what one task of a daemon takes on a host for as long as the task does not run there: CPU, memory, GPUs,
// network interfaces and static ports. Where that is more than is left, nothing else fits. There is at most one
// reservation of a demand on a host.
func (l *Ledger) Reserve(d *Demand, h int) {
	a := l.account(d)
	if a.reserved == nil {
		a.reserved = make([]bool, len(l.hosts))
	}
	if !a.reserved[h] {
		a.reserved[h] = true
		l.take(a, int32(h), 1)
	}
}

// Release ends the reservation of a demand on a host, if there is one.
func (l *Ledger) Release(d *Demand, h int) { l.release(l.account(d), int32(h)) }

func (l *Ledger) release(a *account, h int32) {
	if a.reserved != nil && a.reserved[h] {
		a.reserved[h] = false
		l.take(a, h, -1)
	}
}

// own is how many tasks' worth of reservation the demand itself has on a host.
func (a *account) own(h int32) int64 {
	if a.reserved != nil && a.reserved[h] {
		return 1
	}
	return 0
}

// account returns the books of a demand, opened on first use.
func (l *Ledger) account(d *Demand) *account {
	a := l.recent
	if a == nil || a.demand != d {
		known, ok := l.demands[d]
		if !ok {
			known = &account{rules: l.compile(d), service: l.service(d.Service)}
			l.demands[d] = known
		}
		a = known
		l.recent = a
	}
	if len(a.onGroups) > 0 {
		l.sortGroups(a)
	}
	return a
}

func (l *Ledger) service(name string) *service {
	i, ok := l.names[name]
	if !ok {
		i = int32(len(l.services))
		l.names[name] = i
		l.services = append(l.services, &service{name: name, group: group(name), draws: newDraws(l.seed, name)})
	}
	return l.services[i]
}

// group is the name of the task group that Amazon ECS puts a service's tasks in.
func group(service string) string { return "service:" + service }
