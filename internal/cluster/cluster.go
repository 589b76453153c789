// Package cluster describes what a scheduler places tasks on: container instances, their capacity, their attributes
// and what already runs there.
//
// A Config is the declaration; New checks it and expands it into a Cluster, whose instances stand in the one order that
// every tie in the scheduler is broken by. A Cluster is immutable: every package that needs other capacity makes a new one.
package cluster

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/terraform-provider-stowage/terraform-provider-stowage/internal/clusterquery"
)

// Limits on what a Config may declare. The sizes keep every sum within int64; the number of instances is twenty times
// the quota of Amazon ECS (5,000 container instances in a cluster).
const (
	MaxInstances = 100_000
	MaxSize      = math.MaxInt32
	MaxPort      = 65_535

	MaxCustomAttributes = 10 // on one instance; those of ECS and its agent do not count (API reference, PutAttributes)
)

// Unlimited says that a number of network interfaces is not limited.
const Unlimited = -1

// FargatePrefix starts the id of a Fargate zone, which stands in for an instance: fargate:us-east-1a.
const FargatePrefix = "fargate:"

// Names of the attributes that Amazon ECS gives to every container instance.
const (
	AttributeZone         = "ecs.availability-zone"
	AttributeInstanceType = "ecs.instance-type"
	AttributeOSType       = "ecs.os-type"
	AttributeArchitecture = "ecs.cpu-architecture"
)

// Status is the life-cycle state of a container instance, as far as it matters to placement.
type Status string

// The statuses that a declared instance may have.
const (
	Active   Status = "ACTIVE"
	Draining Status = "DRAINING"
)

// Statuses lists every Status.
func Statuses() []Status { return []Status{Active, Draining} }

// DefaultReservedPorts are the TCP ports that the agent of a Linux instance keeps for itself: SSH, Docker, the agent.
// Source: Amazon ECS Developer Guide, task definition parameters, hostPort.
func DefaultReservedPorts() []int { return []int{22, 2375, 2376, 51678, 51679, 51680} }

// Config declares a cluster. The zero value is an empty cluster.
type Config struct {
	Name           string
	InstanceGroups map[string]Group
	Instances      map[string]Single
	Draining       []string // ids, of groups' instances too, to treat as DRAINING
	FargateZones   []string // where FARGATE tasks may run; none = nowhere
}

// Shape is what identical instances share.
type Shape struct {
	CPU               int64 // CPU units, 1024 = one vCPU
	Memory            int64 // MiB
	GPU               int64
	NetworkInterfaces int64 // how many awsvpc tasks fit, or Unlimited
	InstanceType      string
	OSType            string // default "linux"
	CPUArchitecture   string // default "x86_64"
	Attributes        map[string]string
	ReservedPorts     []int // nil = DefaultReservedPorts
	ReservedUDPPorts  []int
	AgentVersion      string // dotted numbers; "" = not given
	RegisteredAt      string // a time or a date, see clusterquery.ParseTime; "" = not given
}

// Group declares Count identical instances, as an Auto Scaling group makes them: <name>-0 to <name>-(Count-1),
// instance n in zone n mod len(AvailabilityZones).
type Group struct {
	Shape
	Count             int64
	AvailabilityZones []string
}

// Single declares one instance, with what tasks outside this configuration already use there.
type Single struct {
	Shape
	AvailabilityZone  string
	Status            Status // "" = ACTIVE
	AgentDisconnected bool
	Used              Usage
}

// Usage is what tasks outside this configuration take of an instance.
type Usage struct {
	CPU, Memory, GPU, NetworkInterfaces int64
	Ports, UDPPorts                     []int
	TaskGroups                          []string // one entry per task
}

// Cluster is an expanded, checked Config. Treat it as immutable.
type Cluster struct {
	Name         string
	Instances    []Instance // in the order that breaks ties
	FargateZones []string   // sorted, without duplicates

	groups map[string]Group
}

// Instance is one container instance.
type Instance struct {
	ID             string
	Group          string // "" for a single instance
	Number         int    // within its group
	Zone           string
	Status         Status
	AgentConnected bool
	Class          *Class // shared by all instances that look alike to a placement rule
	Used           *Usage // nil = nothing
}

// Class is what instances have in common that a task cannot change: the shape, the zone and the attributes as a query
// sees them. Two instances with the same *Class differ only in id, status, connection and what runs there.
type Class struct {
	CPU, Memory, GPU, NetworkInterfaces int64
	InstanceType                        string
	Zone                                string
	Attributes                          map[string]string // custom and ecs.* ones, ecs.availability-zone included
	ReservedPorts, ReservedUDPPorts     []int             // sorted
	AgentVersion                        string
	RegisteredAt                        time.Time // zero = not given
}

// FieldError names the field of a Config that is wrong, and how to mend it.
type FieldError struct {
	// Path leads to the field: attribute names, map keys and decimal list indexes, from the outside in.
	Path    []string
	Problem string
}

func (e *FieldError) Error() string { return strings.Join(e.Path, ".") + ": " + e.Problem }

// Schedulable reports whether new tasks may be placed on the instance.
func (i *Instance) Schedulable() bool { return i.Status == Active && i.AgentConnected }

// Same reports whether two instances of one id are the same machine: tasks survive on it only if its type, zone, CPU
// and memory are what they were.
func (i *Instance) Same(o *Instance) bool {
	a, b := i.Class, o.Class
	return i.ID == o.ID && i.Zone == o.Zone && a.InstanceType == b.InstanceType && a.CPU == b.CPU && a.Memory == b.Memory
}

// New expands a Config. All faults are reported at once, joined; each is a *FieldError.
func New(c Config) (*Cluster, error) {
	b := builder{classes: map[string]*Class{}, ids: map[string]struct{}{}}
	draining := make(map[string]struct{}, len(c.Draining))
	for _, id := range c.Draining {
		draining[id] = struct{}{}
	}
	for _, name := range slices.Sorted(maps.Keys(c.InstanceGroups)) {
		b.group(name, c.InstanceGroups[name], draining)
	}
	for _, id := range slices.Sorted(maps.Keys(c.Instances)) {
		b.single(id, c.Instances[id], draining)
	}
	if len(b.errs) == 0 {
		for _, id := range slices.Sorted(maps.Keys(draining)) {
			if _, ok := b.ids[id]; !ok {
				b.fault(path("draining"), "no instance has the id %q; name one of this cluster's instances, such as %s, or remove it", id, b.example())
			}
		}
	}
	zones := slices.Clone(c.FargateZones)
	slices.Sort(zones)
	zones = slices.Compact(zones)
	for i, z := range c.FargateZones {
		if z == "" {
			b.fault(path("fargate", "availability_zones", strconv.Itoa(i)), "an availability zone must not be empty")
		}
	}
	if err := errors.Join(b.errs...); err != nil {
		return nil, err
	}
	slices.SortFunc(b.instances, compareInstances)
	return &Cluster{Name: c.Name, Instances: b.instances, FargateZones: zones, groups: maps.Clone(c.InstanceGroups)}, nil
}

// compareInstances orders by time of registration where that is known (the others follow), then by group name or id,
// then by the number within the group, so that web-2 comes before web-10. It is total because ids are unique.
func compareInstances(a, b Instance) int {
	ta, tb := a.Class.RegisteredAt, b.Class.RegisteredAt
	switch {
	case ta.IsZero() != tb.IsZero():
		if tb.IsZero() {
			return -1
		}
		return 1
	case !ta.Equal(tb):
		return ta.Compare(tb)
	}
	return cmp.Or(cmp.Compare(a.name(), b.name()), cmp.Compare(a.Number, b.Number), cmp.Compare(a.ID, b.ID))
}

func (i *Instance) name() string {
	if i.Group != "" {
		return i.Group
	}
	return i.ID
}

type builder struct {
	instances []Instance
	classes   map[string]*Class
	ids       map[string]struct{}
	errs      []error
}

func path(elems ...string) []string { return elems }

func (b *builder) fault(path []string, format string, args ...any) {
	b.errs = append(b.errs, &FieldError{Path: path, Problem: fmt.Sprintf(format, args...)})
}

func (b *builder) example() string {
	if len(b.instances) == 0 {
		return "(this cluster has none)"
	}
	return strconv.Quote(b.instances[0].ID)
}

func (b *builder) group(name string, g Group, draining map[string]struct{}) {
	at := path("instance_groups", name)
	before := len(b.errs)
	if name == "" {
		b.fault(at, "an instance group needs a name: its key must not be empty")
	}
	b.shape(at, &g.Shape)
	if g.Count < 0 {
		b.fault(append(at, "count"), "count is %d; it must be 0 or more", g.Count)
	}
	if g.Count > 0 && len(g.AvailabilityZones) == 0 {
		b.fault(append(at, "availability_zones"), "a group of %d instances needs at least one availability zone", g.Count)
	}
	for i, z := range g.AvailabilityZones {
		if z == "" {
			b.fault(append(at, "availability_zones", strconv.Itoa(i)), "an availability zone must not be empty")
		}
	}
	if room := int64(MaxInstances - len(b.instances)); g.Count > room {
		b.fault(append(at, "count"), "count is %d, which makes more than %d instances in this cluster; split the cluster", g.Count, MaxInstances)
	}
	if len(b.errs) > before {
		return
	}
	classes := make([]*Class, min(len(g.AvailabilityZones), int(g.Count)))
	for i := range classes {
		classes[i] = b.class(&g.Shape, g.AvailabilityZones[i])
	}
	for n := range int(g.Count) {
		id := name + "-" + strconv.Itoa(n)
		if !b.claim(id, at) {
			continue
		}
		class := classes[n%len(classes)]
		b.instances = append(b.instances, Instance{
			ID: id, Group: name, Number: n, Zone: class.Zone, Status: statusOf(id, Active, draining),
			AgentConnected: true, Class: class,
		})
	}
}

func (b *builder) single(id string, s Single, draining map[string]struct{}) {
	at := path("instances", id)
	before := len(b.errs)
	if id == "" {
		b.fault(at, "an instance needs an id: its key must not be empty")
	}
	if strings.HasPrefix(id, FargatePrefix) {
		b.fault(at, "an id must not start with %q, which names the zones of Fargate", FargatePrefix)
	}
	b.shape(at, &s.Shape)
	if s.AvailabilityZone == "" {
		b.fault(append(at, "availability_zone"), "an instance needs an availability zone, such as \"us-east-1a\"")
	}
	if s.Status != "" && !slices.Contains(Statuses(), s.Status) {
		b.fault(append(at, "status"), "status is %q; it must be ACTIVE or DRAINING", s.Status)
	}
	b.usage(at, &s.Used)
	if len(b.instances) >= MaxInstances {
		b.fault(at, "a cluster holds at most %d instances; split the cluster", MaxInstances)
	}
	if len(b.errs) > before || !b.claim(id, at) {
		return
	}
	used := s.Used
	b.instances = append(b.instances, Instance{
		ID: id, Zone: s.AvailabilityZone, Status: statusOf(id, cmp.Or(s.Status, Active), draining),
		AgentConnected: !s.AgentDisconnected, Class: b.class(&s.Shape, s.AvailabilityZone), Used: used.orNil(),
	})
}

func statusOf(id string, declared Status, draining map[string]struct{}) Status {
	if _, ok := draining[id]; ok {
		return Draining
	}
	return declared
}

func (u *Usage) orNil() *Usage {
	if u.CPU == 0 && u.Memory == 0 && u.GPU == 0 && u.NetworkInterfaces == 0 &&
		len(u.Ports) == 0 && len(u.UDPPorts) == 0 && len(u.TaskGroups) == 0 {
		return nil
	}
	return u
}

func (b *builder) claim(id string, at []string) bool {
	if _, ok := b.ids[id]; ok {
		b.fault(at, "two instances have the id %q; rename the group or the instance", id)
		return false
	}
	b.ids[id] = struct{}{}
	return true
}

func (b *builder) shape(at []string, s *Shape) {
	sizes := []struct {
		name  string
		value int64
	}{{"cpu", s.CPU}, {"memory", s.Memory}, {"gpu", s.GPU}}
	for _, v := range sizes {
		b.size(at, v.name, v.value)
	}
	if s.NetworkInterfaces != Unlimited {
		b.size(at, "network_interfaces", s.NetworkInterfaces)
	}
	b.ports(at, "reserved_ports", s.ReservedPorts)
	b.ports(at, "reserved_udp_ports", s.ReservedUDPPorts)
	if s.RegisteredAt != "" {
		if _, ok := clusterquery.ParseTime(s.RegisteredAt); !ok {
			b.fault(append(at, "registered_at"), "registered_at is %q; write it as 2018-06-18T22:28:28Z or 2018-06-18", s.RegisteredAt)
		}
	}
	if s.AgentVersion != "" && !clusterquery.ValidVersion(s.AgentVersion) {
		b.fault(append(at, "agent_version"), "agent_version is %q; write it in dotted numbers, such as 1.87.0", s.AgentVersion)
	}
	custom := 0
	for _, name := range slices.Sorted(maps.Keys(s.Attributes)) {
		if !strings.HasPrefix(name, "ecs.") && !strings.HasPrefix(name, "com.amazonaws.ecs.") {
			custom++
		}
		if problem := attributeProblem(name, s.Attributes[name]); problem != "" {
			b.fault(append(at, "attributes", name), "%s", problem)
		}
	}
	if custom > MaxCustomAttributes {
		b.fault(append(at, "attributes"), "%d custom attributes are given; Amazon ECS takes at most %d for an instance", custom, MaxCustomAttributes)
	}
}

func (b *builder) usage(at []string, u *Usage) {
	b.size(at, "used_cpu", u.CPU)
	b.size(at, "used_memory", u.Memory)
	b.size(at, "used_gpu", u.GPU)
	b.size(at, "used_network_interfaces", u.NetworkInterfaces)
	b.ports(at, "used_ports", u.Ports)
	b.ports(at, "used_udp_ports", u.UDPPorts)
}

func (b *builder) size(at []string, name string, value int64) {
	if value < 0 || value > MaxSize {
		b.fault(append(slices.Clone(at), name), "%s is %d; it must be a whole number from 0 to %d", name, value, int64(MaxSize))
	}
}

func (b *builder) ports(at []string, name string, ports []int) {
	for _, p := range ports {
		if p < 1 || p > MaxPort {
			b.fault(append(slices.Clone(at), name), "port %d does not exist; ports go from 1 to %d", p, MaxPort)
		}
	}
}

// attributeProblem checks a custom attribute as PutAttributes of the Amazon ECS API does: a name of 1 to 128 letters,
// digits and -_./\, a value of at most 128 of the same, @, : and inner spaces.
func attributeProblem(name, value string) string {
	switch {
	case name == "" || len(name) > 128 || strings.ContainsFunc(name, func(r rune) bool { return !attributeRune(r) }):
		return fmt.Sprintf("%q is not an attribute name: 1 to 128 letters, digits, hyphens, underscores, slashes, backslashes and periods", name)
	case len(value) > 128 || strings.TrimSpace(value) != value ||
		strings.ContainsFunc(value, func(r rune) bool { return !attributeRune(r) && r != '@' && r != ':' && r != ' ' }):
		return fmt.Sprintf("%q is not an attribute value: at most 128 letters, digits, hyphens, underscores, slashes, backslashes, periods, @, colons and inner spaces", value)
	case strings.HasPrefix(name, "ecs.") && slices.Contains([]string{AttributeZone, AttributeInstanceType, AttributeOSType, AttributeArchitecture}, name):
		return fmt.Sprintf("%q is set by ECS itself; use the attribute of its own (availability zone, instance_type, os_type, cpu_architecture)", name)
	}
	return ""
}

func attributeRune(r rune) bool {
	return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune(`-_./\`, r)
}

// class returns the one Class of all instances of this shape and zone, so that a rule that looks only at what cannot
// change is evaluated once for all of them.
func (b *builder) class(s *Shape, zone string) *Class {
	c := &Class{
		CPU: s.CPU, Memory: s.Memory, GPU: s.GPU, NetworkInterfaces: s.NetworkInterfaces, InstanceType: s.InstanceType, Zone: zone,
		ReservedPorts: sortedPorts(s.ReservedPorts), ReservedUDPPorts: sortedPorts(s.ReservedUDPPorts), AgentVersion: s.AgentVersion,
	}
	if s.ReservedPorts == nil {
		c.ReservedPorts = DefaultReservedPorts()
	}
	if s.RegisteredAt != "" {
		c.RegisteredAt, _ = clusterquery.ParseTime(s.RegisteredAt) // checked by shape
	}
	c.Attributes = make(map[string]string, len(s.Attributes)+4)
	maps.Copy(c.Attributes, s.Attributes)
	c.Attributes[AttributeZone] = zone
	c.Attributes[AttributeOSType] = cmp.Or(s.OSType, "linux")
	c.Attributes[AttributeArchitecture] = cmp.Or(s.CPUArchitecture, "x86_64")
	if s.InstanceType != "" {
		c.Attributes[AttributeInstanceType] = s.InstanceType
	}
	key := c.key()
	if known, ok := b.classes[key]; ok {
		return known
	}
	b.classes[key] = c
	return c
}

func sortedPorts(ports []int) []int {
	out := slices.Clone(ports)
	slices.Sort(out)
	return slices.Compact(out)
}

func (c *Class) key() string {
	var k strings.Builder
	fmt.Fprintf(&k, "%d %d %d %d %q %q %v %v %q %d", c.CPU, c.Memory, c.GPU, c.NetworkInterfaces, c.InstanceType, c.Zone,
		c.ReservedPorts, c.ReservedUDPPorts, c.AgentVersion, c.RegisteredAt.Unix())
	k.WriteString(strconv.Itoa(c.RegisteredAt.Nanosecond()))
	for _, name := range slices.Sorted(maps.Keys(c.Attributes)) {
		fmt.Fprintf(&k, " %q=%q", name, c.Attributes[name])
	}
	return k.String()
}
