package placement

import (
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/terraform-provider-stowage/terraform-provider-stowage/internal/cluster"
	"github.com/terraform-provider-stowage/terraform-provider-stowage/internal/clusterquery"
)

// rules is a demand made ready for one cluster: what can be decided once for all instances that look alike is.
type rules struct {
	demand                       *Demand
	fargate                      bool
	cpu, memory, gpu, interfaces int64
	ports                        []port
	distinct                     bool
	steps                        []step
	layout                       *layout
	suits                        []bool                     // by class: attributes, zone and the constraints on them are met
	open                         []bool                     // by cell of the layout: a class in it suits
	onClass, onHost, onTasks     []clusterquery.Expr        // constraints on the class, on the instance's id, on what runs there
	onGroups                     []*clusterquery.Comparison // of onTasks, those with task:group
	bounds                       []int64                    // of onTasks, what runningTasksCount is compared with
	named                        []bool                     // by host, nil = all: onHost is met
	outside                      []bool                     // by host, nil = none: a task outside the configuration is in the service's group
}

// step is one link of the chain of strategies.
type step struct {
	kind  stepKind
	field string // of a bucket: the attribute
}

type stepKind uint8

const (
	byBucket stepKind = iota // spread over the values of an attribute
	byCount                  // spread over instances
	byCPU                    // binpack
	byMemory                 // binpack
	byLot                    // random
)

// largestNeed bounds what a task is charged; no instance has so much.
const largestNeed = math.MaxInt32 + 1

// compile makes a demand ready.
func (l *Ledger) compile(d *Demand) *rules {
	r := l.rulesOf(d)
	r.open = make([]bool, len(r.layout.cells))
	for c, suits := range r.suits {
		if suits {
			r.open[r.layout.cell[c]] = true
		}
	}
	return r
}

func (l *Ledger) rulesOf(d *Demand) *rules {
	need := &d.Requirements
	r := &rules{
		demand: d, fargate: d.Fargate,
		cpu: bounded(need.CPU), memory: bounded(need.Memory), gpu: bounded(need.GPU), interfaces: bounded(need.NetworkInterfaces),
		ports: portKeys(need.TCPPorts, need.UDPPorts),
		steps: chain(d.Strategies),
		// A daemon runs once per instance whatever its constraints say, and its own task must not rule out its instance.
		distinct: need.DistinctInstance && !d.Daemon,
	}
	if d.Fargate {
		r.steps = chain(nil)
	}
	var buckets []string
	for _, s := range r.steps {
		if s.kind == byBucket {
			buckets = append(buckets, s.field)
		}
	}
	r.layout = l.layoutOf(buckets)
	r.suits = make([]bool, len(l.classes))
	if d.Fargate {
		for _, h := range l.hosts[len(l.cluster.Instances):] {
			r.suits[h.class] = inZones(d, l.classes[h.class].Zone)
		}
		return r
	}
	for _, x := range d.Constraints {
		switch {
		case clusterquery.DependsOnTasks(x):
			r.onTasks = append(r.onTasks, x)
			comparisons(x, r.note)
		case dependsOnHost(x):
			r.onHost = append(r.onHost, x)
		default:
			r.onClass = append(r.onClass, x)
		}
	}
	for c, class := range l.classes[:len(l.classes)-len(l.cluster.FargateZones)] {
		_, missing := missingAttribute(d, class)
		r.suits[c] = !missing && inZones(d, class.Zone) && unmet(r.onClass, l.classView(class)) == nil
	}
	if r.onHost != nil {
		r.named = make([]bool, len(l.hosts))
		for h := range l.cluster.Instances {
			r.named[h] = r.suits[l.hosts[h].class] && unmet(r.onHost, l.view(&account{}, int32(h))) == nil
		}
	}
	if r.distinct {
		r.outside = l.outside(group(d.Service))
	}
	return r
}

// note takes in a comparison of a constraint on what runs on the instance.
func (r *rules) note(c *clusterquery.Comparison) {
	switch c.Subject() {
	case "task:group":
		r.onGroups = append(r.onGroups, c)
	case "runningTasksCount":
		for _, v := range c.Values() {
			if n, err := strconv.ParseInt(v, 10, 64); err == nil {
				r.bounds = append(r.bounds, n)
			}
		}
	}
}

func bounded(need int64) int64 { return max(0, min(need, largestNeed)) }

// chain translates strategies. None means the default of services: balance the zones, then the instances. What
// repeats an earlier link decides nothing, and neither does what follows random.
//
// Source: Amazon ECS Developer Guide, "How Amazon ECS places tasks on container instances" and "Use strategies to define
// Amazon ECS task placement".
func chain(strategies []Strategy) []step {
	if len(strategies) == 0 {
		return []step{{kind: byBucket, field: cluster.AttributeZone}, {kind: byCount}}
	}
	var steps []step
	for _, s := range strategies {
		next := step{kind: byLot}
		switch {
		case s.Type == Binpack && strings.EqualFold(s.Field, FieldCPU):
			next.kind = byCPU
		case s.Type == Binpack && strings.EqualFold(s.Field, FieldMemory):
			next.kind = byMemory
		case s.Type == Spread && (s.Field == FieldInstance || s.Field == FieldHost):
			next.kind = byCount
		case s.Type == Spread:
			next = step{byBucket, strings.TrimPrefix(s.Field, FieldAttribute)}
		case s.Type != Random:
			continue
		}
		if !slices.Contains(steps, next) {
			steps = append(steps, next)
		}
		if next.kind == byLot {
			break
		}
	}
	return steps
}

func inZones(d *Demand, zone string) bool { return len(d.Zones) == 0 || slices.Contains(d.Zones, zone) }

// missingAttribute returns the first required attribute, by name, that an instance lacks or has another value of. The
// attributes by which the agent tells what it can do are taken to be there.
func missingAttribute(d *Demand, class *cluster.Class) (name string, missing bool) {
	for n, want := range d.Requirements.Attributes {
		got, ok := class.Attributes[n]
		if ok && (want == "" || got == want) || !ok && want == "" && isCapability(n) {
			continue
		}
		if !missing || n < name {
			name, missing = n, true
		}
	}
	return name, missing
}

func isCapability(attribute string) bool {
	return strings.HasPrefix(attribute, "com.amazonaws.ecs.capability.") || strings.HasPrefix(attribute, "ecs.capability.")
}

func dependsOnHost(x clusterquery.Expr) bool {
	subjects := clusterquery.Subjects(x)
	return slices.Contains(subjects, "ec2InstanceId") || slices.Contains(subjects, "agentConnected")
}

// outside tells on which hosts a task outside the configuration belongs to a group, nil if on none.
func (l *Ledger) outside(group string) []bool {
	var hosts []bool
	for h := range l.cluster.Instances {
		if u := l.cluster.Instances[h].Used; u != nil && slices.Contains(u.TaskGroups, group) {
			if hosts == nil {
				hosts = make([]bool, len(l.hosts))
			}
			hosts[h] = true
		}
	}
	return hosts
}

// Eligible reports whether a host may be given a task of the demand, room aside: the instance's status and agent, the
// required attributes, the zones and the constraints. For a Fargate service these are its zones.
func (l *Ledger) Eligible(d *Demand, h int) bool {
	a := l.account(d)
	return l.eligible(a, int32(h), a.service.tally.at(int32(h)))
}

// Fits reports whether a host is eligible and has room for one task more. What is reserved for the demand on the host
// counts as room.
func (l *Ledger) Fits(d *Demand, h int) bool {
	a := l.account(d)
	return l.fits(a, int32(h), a.service.tally.at(int32(h)))
}

// eligible is Eligible for a host on which so many tasks of the service run.
func (l *Ledger) eligible(a *account, h, count int32) bool {
	rec := &l.hosts[h]
	if !rec.open || !a.suits[rec.class] || a.named != nil && !a.named[h] {
		return false
	}
	if a.distinct && (count > 0 || a.hasOutside(h)) {
		return false
	}
	return len(a.onTasks) == 0 || unmet(a.onTasks, l.view(a, h)) == nil
}

func (r *rules) hasOutside(h int32) bool { return r.outside != nil && r.outside[h] }

// fits is Fits for a host on which so many tasks of the service run.
func (l *Ledger) fits(a *account, h, count int32) bool {
	rec := &l.hosts[h]
	own := a.own(h)
	// What a task does not need cannot be short, even where more is used than there is.
	if a.cpu > 0 && rec.cpu+own*a.cpu < a.cpu || a.memory > 0 && rec.memory+own*a.memory < a.memory ||
		a.gpu > 0 && rec.gpu+own*a.gpu < a.gpu || a.interfaces > 0 && rec.interfaces+own*a.interfaces < a.interfaces {
		return false
	}
	return l.eligible(a, h, count) && (len(a.ports) == 0 || a.fargate || l.portsFree(a, h))
}

// A view shows an instance to the query language; without a ledger, only what all instances of a class share.
type view struct {
	class  *cluster.Class
	ledger *Ledger
	host   int32
	groups []int32 // the services that may matter to task:group

	more    int64 // so many more tasks of a service are taken to run there
	service *service
}

// view shows what a demand's constraints can see of a host.
func (l *Ledger) view(a *account, h int32) *view {
	l.scratch.view = view{class: l.classes[l.hosts[h].class], ledger: l, host: h, groups: a.groups}
	return &l.scratch.view
}

func (l *Ledger) classView(class *cluster.Class) *view {
	l.scratch.view = view{class: class}
	return &l.scratch.view
}

// Attribute implements clusterquery.Lookup, as the other methods do.
func (v *view) Attribute(name string) (string, bool) {
	value, ok := v.class.Attributes[name]
	return value, ok
}

func (v *view) AgentConnected() (connected, ok bool) {
	if v.ledger == nil {
		return false, false
	}
	return v.ledger.cluster.Instances[v.host].AgentConnected, true
}

func (v *view) AgentVersion() (string, bool) { return v.class.AgentVersion, v.class.AgentVersion != "" }

func (v *view) InstanceID() (string, bool) {
	if v.ledger == nil {
		return "", false
	}
	return v.ledger.cluster.Instances[v.host].ID, true
}

func (v *view) RegisteredAt() (time.Time, bool) {
	return v.class.RegisteredAt, !v.class.RegisteredAt.IsZero()
}

func (v *view) RunningTasks() (int, bool) {
	if v.ledger == nil {
		return 0, false
	}
	return int(v.ledger.hosts[v.host].tasks + v.more), true
}

func (v *view) AnyTaskGroup(match func(string) bool) bool {
	if v.ledger == nil {
		return false
	}
	if u := v.ledger.cluster.Instances[v.host].Used; u != nil && slices.ContainsFunc(u.TaskGroups, match) {
		return true
	}
	for _, i := range v.groups {
		if s := v.ledger.services[i]; (v.more > 0 && s == v.service || s.tally.at(v.host) > 0) && match(s.group) {
			return true
		}
	}
	return false
}

// A probe finds out whether an expression asks for a group: it answers no, and notes whether it would have been yes.
type probe struct {
	view
	group string
	asked bool
}

func (p *probe) AnyTaskGroup(match func(string) bool) bool {
	p.asked = p.asked || match(p.group)
	return false
}

// sortGroups finds the services whose group the constraints ask for, among those that are new since the last time.
// Usually there is one, so that a look at an instance does not take a look at every service.
func (l *Ledger) sortGroups(a *account) {
	for ; a.sorted < len(l.services); a.sorted++ {
		p := probe{group: l.services[a.sorted].group}
		for _, c := range a.onGroups {
			c.Eval(&p)
		}
		if p.asked {
			a.groups = append(a.groups, int32(a.sorted))
		}
	}
}

// comparisons calls visit for each comparison in an expression.
func comparisons(x clusterquery.Expr, visit func(*clusterquery.Comparison)) {
	switch x := x.(type) {
	case *clusterquery.And:
		comparisons(x.X, visit)
		comparisons(x.Y, visit)
	case *clusterquery.Or:
		comparisons(x.X, visit)
		comparisons(x.Y, visit)
	case *clusterquery.Not:
		comparisons(x.X, visit)
	case *clusterquery.Comparison:
		visit(x)
	}
}
