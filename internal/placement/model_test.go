package placement

import (
	"fmt"
	"slices"
	"strings"

	"github.com/terraform-provider-stowage/terraform-provider-stowage/internal/cluster"
)

// A model says by itself what Amazon ECS checks before it places a task: from the list of the tasks on each host, with
// its own arithmetic and its own meaning of each constraint, and nothing from the ledger.
type model struct {
	cluster *cluster.Cluster
	tasks   [][]*Demand // by host
}

func newModel(c *cluster.Cluster) *model {
	return &model{cluster: c, tasks: make([][]*Demand, len(c.Instances)+len(c.FargateZones))}
}

func (m *model) clone() *model {
	o := &model{cluster: m.cluster}
	for _, list := range m.tasks {
		o.tasks = append(o.tasks, slices.Clone(list))
	}
	return o
}

func (m *model) stop(d *Demand, h int) {
	i := slices.Index(m.tasks[h], d)
	m.tasks[h] = slices.Delete(m.tasks[h], i, i+1)
}

func (m *model) used(h int) cluster.Usage {
	if u := m.cluster.Instances[h].Used; u != nil {
		return *u
	}
	return cluster.Usage{}
}

// groups lists the group of every task on an instance.
func (m *model) groups(h int) []string {
	groups := slices.Clone(m.used(h).TaskGroups)
	for _, d := range m.tasks[h] {
		groups = append(groups, "service:"+d.Service)
	}
	return groups
}

// constraint is an expression with its meaning, and whether it could hold on an instance with other tasks.
type constraint struct {
	text  string
	holds func(m *model, h int) bool
	could func(i *cluster.Instance) bool
}

func constraints() []constraint {
	always := func(*cluster.Instance) bool { return true }
	has := func(i *cluster.Instance, name string) bool { _, ok := i.Class.Attributes[name]; return ok }
	static := func(text string, holds func(i *cluster.Instance) bool) constraint {
		return constraint{text, func(m *model, h int) bool { return holds(&m.cluster.Instances[h]) }, holds}
	}
	return []constraint{
		static("attribute:rack != r1", func(i *cluster.Instance) bool { return has(i, "rack") && i.Class.Attributes["rack"] != "r1" }),
		static("attribute:ecs.instance-type =~ t3.*", func(i *cluster.Instance) bool { return strings.HasPrefix(i.Class.InstanceType, "t3") }),
		static("ec2InstanceId !in [i-00, i-03]", func(i *cluster.Instance) bool { return i.ID != "i-00" && i.ID != "i-03" }),
		{"runningTasksCount < 3", func(m *model, h int) bool { return len(m.groups(h)) < 3 }, always},
		{"runningTasksCount == 0 or runningTasksCount == 2", func(m *model, h int) bool { n := len(m.groups(h)); return n == 0 || n == 2 }, always},
		{"task:group == service:web", func(m *model, h int) bool { return slices.Contains(m.groups(h), "service:web") }, always},
		{"not(task:group == family:job)", func(m *model, h int) bool { return !slices.Contains(m.groups(h), "family:job") }, always},
		{"not(task:group == service:db) or attribute:disk exists", func(m *model, h int) bool {
			return !slices.Contains(m.groups(h), "service:db") || has(&m.cluster.Instances[h], "disk")
		}, always},
		{"attribute:rack exists and runningTasksCount >= 1", func(m *model, h int) bool {
			return has(&m.cluster.Instances[h], "rack") && len(m.groups(h)) >= 1
		}, func(i *cluster.Instance) bool { return has(i, "rack") }},
	}
}

// ailment is what a host lacks for a task: a check, for how long, and of what.
type ailment struct {
	check   Check
	kind    Kind
	subject string
}

// ailments lists everything that rules a host out, in the documented order of the checks.
func (m *model) ailments(d *Demand, h int) []ailment {
	if h >= len(m.cluster.Instances) {
		zone := m.cluster.FargateZones[h-len(m.cluster.Instances)]
		if !d.Fargate || len(d.Zones) > 0 && !slices.Contains(d.Zones, zone) {
			return []ailment{{CheckZone, NeverEligible, strings.Join(d.Zones, ", ")}}
		}
		return nil
	}
	var list []ailment
	add := func(check Check, kind Kind, subject string) { list = append(list, ailment{check, kind, subject}) }
	i, need := &m.cluster.Instances[h], &d.Requirements
	if d.Fargate {
		return []ailment{{CheckZone, NeverEligible, ""}}
	}
	if i.Status == cluster.Draining {
		add(CheckStatus, DoesNotFitNow, "DRAINING")
	}
	if !i.AgentConnected {
		add(CheckAgent, DoesNotFitNow, "")
	}
	for name, want := range need.Attributes {
		got, ok := i.Class.Attributes[name]
		switch {
		case !ok && want == "":
			add(CheckAttribute, NeverEligible, name)
		case want != "" && got != want:
			add(CheckAttribute, NeverEligible, name+" = "+want)
		}
	}
	if len(d.Zones) > 0 && !slices.Contains(d.Zones, i.Zone) {
		add(CheckZone, NeverEligible, strings.Join(d.Zones, ", "))
	}
	m.constrain(d, h, add)
	if need.DistinctInstance && slices.Contains(m.groups(h), "service:"+d.Service) {
		add(CheckDistinctInstance, DoesNotFitNow, "service:"+d.Service)
	}
	m.fillPorts(d, h, add)
	m.fill(d, h, add)
	return list
}

// constrain tells the constraints that do not hold: those on the instance, those on its id, those on its tasks.
func (m *model) constrain(d *Demand, h int, add func(Check, Kind, string)) {
	for pass := range 3 {
		for _, x := range d.Constraints {
			i := slices.IndexFunc(constraints(), func(c constraint) bool { return c.text == x.String() })
			if i < 0 {
				panic("no model of " + x.String())
			}
			c, of := constraints()[i], 0
			switch {
			case strings.Contains(c.text, "task:group") || strings.Contains(c.text, "runningTasksCount"):
				of = 2
			case strings.Contains(c.text, "ec2InstanceId"):
				of = 1
			}
			if of != pass || c.holds(m, h) {
				continue
			}
			kind := NeverEligible
			if of == 2 && c.could(&m.cluster.Instances[h]) {
				kind = DoesNotFitNow
			}
			add(CheckMemberOf, kind, c.text)
		}
	}
}

func (m *model) fillPorts(d *Demand, h int, add func(Check, Kind, string)) {
	class, used := m.cluster.Instances[h].Class, m.used(h)
	own, other := map[string]bool{}, map[string]bool{}
	mark := func(set map[string]bool, tcp, udp []int) {
		for _, p := range tcp {
			set[fmt.Sprintf("TCP port %d", p)] = true
		}
		for _, p := range udp {
			set[fmt.Sprintf("UDP port %d", p)] = true
		}
	}
	mark(own, class.ReservedPorts, class.ReservedUDPPorts)
	mark(other, used.Ports, used.UDPPorts)
	for _, o := range m.tasks[h] {
		mark(other, o.Requirements.TCPPorts, o.Requirements.UDPPorts)
	}
	union := func(sets ...map[string]bool) int {
		all := map[string]bool{}
		for _, s := range sets {
			for p := range s {
				all[p] = true
			}
		}
		return len(all)
	}
	need := map[string]bool{}
	mark(need, d.Requirements.TCPPorts, d.Requirements.UDPPorts)
	if len(need) == 0 {
		return
	}
	if union(own, need) > 100 {
		add(CheckPorts, NeverEligible, "")
	}
	for _, p := range slices.Concat(listed("TCP", d.Requirements.TCPPorts), listed("UDP", d.Requirements.UDPPorts)) {
		if own[p] {
			add(CheckPorts, NeverEligible, p)
		}
		if other[p] {
			add(CheckPorts, DoesNotFitNow, p)
		}
	}
	if union(own, other, need) > 100 {
		add(CheckPorts, DoesNotFitNow, "")
	}
}

func listed(protocol string, ports []int) []string {
	var out []string
	for _, p := range slices.Sorted(slices.Values(ports)) {
		out = append(out, fmt.Sprintf("%s port %d", protocol, p))
	}
	return out
}

func (m *model) fill(d *Demand, h int, add func(Check, Kind, string)) {
	class, used := m.cluster.Instances[h].Class, m.used(h)
	sum := func(of func(*Demand) int64) int64 {
		n := int64(0)
		for _, o := range m.tasks[h] {
			n += of(o)
		}
		return n
	}
	size := func(check Check, has, outside int64, of func(*Demand) int64) {
		switch need := of(d); {
		case need == 0 || has-outside-sum(of) >= need:
		case has < need:
			add(check, NeverEligible, "")
		default:
			add(check, DoesNotFitNow, "")
		}
	}
	size(CheckCPU, class.CPU, used.CPU, func(o *Demand) int64 { return o.Requirements.CPU })
	size(CheckMemory, class.Memory, used.Memory, func(o *Demand) int64 { return o.Requirements.Memory })
	size(CheckGPU, class.GPU, used.GPU, func(o *Demand) int64 { return o.Requirements.GPU })
	if class.NetworkInterfaces != cluster.Unlimited {
		size(CheckNetworkInterfaces, class.NetworkInterfaces, used.NetworkInterfaces, func(o *Demand) int64 { return o.Requirements.NetworkInterfaces })
	}
}

// fits reports whether nothing rules a host out.
func (m *model) fits(d *Demand, h int) bool { return len(m.ailments(d, h)) == 0 }

// most is the largest number of tasks of a demand, up to n, that can be placed at all: it tries every host for every
// task, in every order.
func (m *model) most(d *Demand, n int) int {
	best := 0
	for h := range m.tasks {
		if best == n || !m.fits(d, h) {
			continue
		}
		m.tasks[h] = append(m.tasks[h], d)
		best = max(best, 1+m.most(d, n-1))
		m.tasks[h] = m.tasks[h][:len(m.tasks[h])-1]
	}
	return best
}
