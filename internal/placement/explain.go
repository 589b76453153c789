package placement

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/terraform-provider-stowage/terraform-provider-stowage/internal/cluster"
	"github.com/terraform-provider-stowage/terraform-provider-stowage/internal/clusterquery"
)

// Check is what an instance is asked before a task is placed on it, in the order in which it is asked.
type Check int

// The checks. An instance is ruled out by the first that it does not pass.
const (
	CheckNone             Check = iota // passes all
	CheckStatus                        // ACTIVE
	CheckAgent                         // the agent is connected
	CheckAttribute                     // the required attributes
	CheckZone                          // the zones of the service's subnets
	CheckMemberOf                      // memberOf: those on the instance, then those on what runs there
	CheckDistinctInstance              // distinctInstance
	CheckPorts                         // static host ports, and how many
	CheckCPU
	CheckMemory
	CheckGPU
	CheckNetworkInterfaces
)

// String returns the word that a line about the check begins with.
func (c Check) String() string {
	return [...]string{
		"none", "status", "agent", "attribute", "availability zone", "memberOf", "distinctInstance", "ports", "cpu", "memory",
		"gpu", "network interfaces",
	}[c]
}

// Kind says for how long a cause rules instances out.
type Kind int

// The kinds of a Cause.
const (
	NeverEligible Kind = iota // they could not host the task even if nothing else ran there
	DoesNotFitNow             // what runs there now, or the instance's status, is in the way
	FitsLater                 // it is in the way now, and gone later in the rollout
)

// Cause is one reason for which a number of instances were ruled out.
type Cause struct {
	Kind  Kind
	Check Check
	// Subject is what the instances lack: the attribute, the zones, the expression, or the port with its protocol.
	Subject string
	// Need and Best tell of sizes (CPU units, MiB, GPUs, network interfaces, or ports beyond those taken): what the task
	// needs and the most that one of these instances has; has in all if they are never eligible, else has left.
	Need, Best int64
	// Count is how many instances (Fargate zones, for a Fargate service) it rules out, and Example the id of the one that
	// comes closest, the first of them in the order of instances.
	Count   int64
	Example string
	Fargate bool
}

// Explanation says why the next task of a service finds no place.
type Explanation struct {
	Service string
	// Reason is the check that the closest matching instance does not pass, CheckNone if there is no instance to match, and
	// Closest its id, else "".
	Reason  Check
	Closest string
	// Causes rule out every instance that the task does not fit on, each once; they are ordered by check, kind and subject.
	// If it fits on none, their counts add up to the number of instances.
	Causes []Cause
	// Fargate is set for a Fargate service, whose causes rule out zones.
	Fargate bool

	portClash bool
}

// verdict is the answer of one instance.
type verdict struct {
	check      Check
	kind       Kind
	subject    string
	need, have int64
	clash      bool // of ports: one is taken, not too many are
}

// short is by how much a size is too small.
func (v *verdict) short() int64 { return v.need - v.have }

// Explain says why the next task of a demand finds no place. A cause is FitsLater if the task would fit in later, the
// ledger of the same cluster at a later time of the rollout, which may be nil.
//
// The closest matching instance is the one that passes most checks, of these the one with the smallest shortfall, of
// these the first; as in Amazon ECS it may be one that a constraint rules out (aws/containers-roadmap#331). The cost is
// linear in the number of instances.
func (l *Ledger) Explain(d *Demand, later *Ledger) *Explanation {
	a := l.account(d)
	e := &Explanation{Service: d.Service, Fargate: d.Fargate}
	static := make([]*verdict, len(l.classes))
	index := map[Cause]int{}
	var closest verdict
	active := false
	for h := range l.hosts {
		if (h >= len(l.cluster.Instances)) != d.Fargate {
			continue
		}
		v := l.judge(a, int32(h), static)
		if v.check == CheckNone {
			continue
		}
		if v.kind == DoesNotFitNow && later != nil && later.Fits(d, h) {
			v.kind = FitsLater
		}
		active = active || v.check != CheckStatus
		if e.Closest == "" || cmp.Or(cmp.Compare(v.check, closest.check), cmp.Compare(closest.short(), v.short())) > 0 {
			closest, e.Closest = v, l.ID(h)
		}
		key := Cause{Kind: v.kind, Check: v.check, Subject: v.subject, Need: v.need, Fargate: d.Fargate}
		i, ok := index[key]
		if !ok {
			i = len(e.Causes)
			index[key] = i
			key.Best, key.Example = v.have, l.ID(h)
			e.Causes = append(e.Causes, key)
		}
		c := &e.Causes[i]
		c.Count++
		if v.have > c.Best {
			c.Best, c.Example = v.have, l.ID(h)
		}
	}
	slices.SortFunc(e.Causes, func(a, b Cause) int {
		return cmp.Or(cmp.Compare(a.Check, b.Check), cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.Subject, b.Subject))
	})
	e.Reason, e.portClash = closest.check, closest.clash
	if !active {
		e.Reason, e.Closest = CheckNone, ""
	}
	return e
}

// judge asks a host every check in order and returns the first that it does not pass. The answers that are the same for
// a whole class are kept in static.
func (l *Ledger) judge(a *account, h int32, static []*verdict) verdict {
	rec := &l.hosts[h]
	class := l.classes[rec.class]
	if i := l.Instance(int(h)); i != nil {
		if i.Status != cluster.Active {
			return verdict{check: CheckStatus, kind: DoesNotFitNow, subject: string(i.Status)}
		}
		if !i.AgentConnected {
			return verdict{check: CheckAgent, kind: DoesNotFitNow}
		}
	}
	v := static[rec.class]
	if v == nil {
		v = l.judgeClass(a, class)
		static[rec.class] = v
	}
	if v.check != CheckNone {
		return *v
	}
	if a.fargate {
		return verdict{}
	}
	if x := unmet(a.onHost, l.view(a, h)); x != nil {
		return verdict{check: CheckMemberOf, kind: NeverEligible, subject: x.String()}
	}
	if x := unmet(a.onTasks, l.view(a, h)); x != nil {
		kind := NeverEligible
		if satisfiable(x, l.view(a, h)) {
			kind = DoesNotFitNow
		}
		return verdict{check: CheckMemberOf, kind: kind, subject: x.String()}
	}
	if a.distinct && (a.service.tally.at(h) > 0 || a.hasOutside(h)) {
		return verdict{check: CheckDistinctInstance, kind: DoesNotFitNow, subject: a.service.group}
	}
	if v := l.judgePorts(a, h); v.check != CheckNone {
		return v
	}
	own := a.own(h)
	for _, size := range [...]struct {
		check            Check
		need, all, left  int64
		charged, reserve int64
	}{
		{CheckCPU, a.demand.Requirements.CPU, class.CPU, rec.cpu, a.cpu, own},
		{CheckMemory, a.demand.Requirements.Memory, class.Memory, rec.memory, a.memory, own},
		{CheckGPU, a.demand.Requirements.GPU, class.GPU, rec.gpu, a.gpu, own},
		{CheckNetworkInterfaces, a.demand.Requirements.NetworkInterfaces, class.NetworkInterfaces, rec.interfaces, a.interfaces, own},
	} {
		left := size.left + size.reserve*size.charged
		switch {
		case size.need <= 0 || left >= size.need:
		case size.all != cluster.Unlimited && size.all < size.need:
			return verdict{check: size.check, kind: NeverEligible, need: size.need, have: size.all}
		default:
			return verdict{check: size.check, kind: DoesNotFitNow, need: size.need, have: left}
		}
	}
	return verdict{}
}

// judgeClass asks what does not change as tasks come and go, and is the same for all instances of a class.
func (l *Ledger) judgeClass(a *account, class *cluster.Class) *verdict {
	if a.fargate {
		if !inZones(a.demand, class.Zone) {
			return &verdict{check: CheckZone, kind: NeverEligible, subject: strings.Join(a.demand.Zones, ", ")}
		}
		return &verdict{}
	}
	if name, missing := missingAttribute(a.demand, class); missing {
		if value := a.demand.Requirements.Attributes[name]; value != "" {
			name += " = " + value
		}
		return &verdict{check: CheckAttribute, kind: NeverEligible, subject: name}
	}
	if !inZones(a.demand, class.Zone) {
		return &verdict{check: CheckZone, kind: NeverEligible, subject: strings.Join(a.demand.Zones, ", ")}
	}
	if x := unmet(a.onClass, l.classView(class)); x != nil {
		return &verdict{check: CheckMemberOf, kind: NeverEligible, subject: x.String()}
	}
	return &verdict{}
}

// judgePorts asks for the static ports: whether an instance can ever have so many, whether it keeps one of them for
// itself, whether a task has one, and whether there are too many now.
func (l *Ledger) judgePorts(a *account, h int32) verdict {
	if len(a.ports) == 0 {
		return verdict{}
	}
	class := l.classes[l.hosts[h].class]
	kept := int64(len(class.ReservedPorts) + len(class.ReservedUDPPorts))
	p, taken := l.clash(a, h)
	need := int64(len(a.ports))
	for _, q := range a.ports {
		if reserves(class, q) {
			kept--
		}
	}
	if kept+need > maxPorts {
		return verdict{check: CheckPorts, kind: NeverEligible, need: need, have: maxPorts - kept}
	}
	if taken {
		kind := DoesNotFitNow
		if reserves(class, p) {
			kind = NeverEligible
		}
		return verdict{check: CheckPorts, kind: kind, subject: fmt.Sprintf("%s port %d", p.protocol(), p.number()), clash: true}
	}
	if free := int64(maxPorts - l.reserved(a, h)); free < need {
		return verdict{check: CheckPorts, kind: DoesNotFitNow, need: need, have: free}
	}
	return verdict{}
}

// unmet returns the first constraint that does not hold, or nil.
func unmet(constraints []clusterquery.Expr, v *view) clusterquery.Expr {
	for _, x := range constraints {
		if !x.Eval(v) {
			return x
		}
	}
	return nil
}

// satisfiable reports whether a constraint could hold on the instance, whatever ran there. Each comparison with what
// runs there is taken to be free on its own, so it may also call satisfiable what never holds, such as
// runningTasksCount < 0, but not the reverse.
func satisfiable(x clusterquery.Expr, v *view) bool {
	can, _ := outcomes(x, v)
	return can
}

// outcomes returns whether an expression can be true and whether it can be false.
func outcomes(x clusterquery.Expr, v *view) (canHold, canFail bool) {
	switch x := x.(type) {
	case *clusterquery.And:
		h1, f1 := outcomes(x.X, v)
		h2, f2 := outcomes(x.Y, v)
		return h1 && h2, f1 || f2
	case *clusterquery.Or:
		h1, f1 := outcomes(x.X, v)
		h2, f2 := outcomes(x.Y, v)
		return h1 || h2, f1 && f2
	case *clusterquery.Not:
		h, f := outcomes(x.X, v)
		return f, h
	}
	if clusterquery.DependsOnTasks(x) {
		return true, true
	}
	holds := x.Eval(v)
	return holds, !holds
}
