package clusterquery

import (
	"cmp"
	"time"
)

// A Lookup is how a container instance looks to an expression. A method's last result says
// whether the value is known; every comparison with an unknown one is false.
//
// Nothing that is passed to a method is kept or changed, so that an implementation without
// allocation makes Eval one.
type Lookup interface {
	// Attribute returns the value of the attribute with this name, built-in ones such as
	// ecs.availability-zone included. An attribute without a value is "", true.
	Attribute(name string) (value string, ok bool)

	// AgentConnected reports whether the container agent is connected.
	AgentConnected() (connected, ok bool)

	// AgentVersion returns the version of the container agent in dotted numbers. Anything else
	// counts as unknown.
	AgentVersion() (version string, ok bool)

	// InstanceID returns the EC2 instance id, the subject ec2InstanceId.
	InstanceID() (id string, ok bool)

	// RegisteredAt returns when the instance was registered with the cluster.
	RegisteredAt() (at time.Time, ok bool)

	// RunningTasks returns how many tasks, of whatever service, run on the instance.
	RunningTasks() (count int, ok bool)

	// AnyTaskGroup reports whether match accepts the group of at least one task that the
	// instance hosts. match has no effects: call it once per group, in any order, and stop at
	// the first true.
	AnyTaskGroup(match func(group string) bool) bool
}

// Eval implements [Expr].
func (x *And) Eval(instance Lookup) bool { return x.X.Eval(instance) && x.Y.Eval(instance) }

// Eval implements [Expr].
func (x *Or) Eval(instance Lookup) bool { return x.X.Eval(instance) || x.Y.Eval(instance) }

// Eval implements [Expr].
func (x *Not) Eval(instance Lookup) bool { return !x.X.Eval(instance) }

// Eval implements [Expr].
func (c *Comparison) Eval(instance Lookup) bool {
	switch c.subject {
	case attribute:
		value, ok := instance.Attribute(c.name)
		if c.op.isExists() {
			return ok == (c.op == opExists)
		}
		return ok && c.text(value)
	case taskGroup:
		return instance.AnyTaskGroup(c.text) != (c.op == opNotExists)
	case runningTasksCount:
		count, ok := instance.RunningTasks()
		return ok && c.op.holds(cmp.Compare(int64(count), c.count))
	case agentConnected:
		connected, ok := instance.AgentConnected()
		value := "false"
		if connected {
			value = "true"
		}
		return ok && c.text(value)
	case agentVersion:
		version, ok := instance.AgentVersion()
		return ok && c.text(version)
	case ec2InstanceID:
		id, ok := instance.InstanceID()
		return ok && c.text(id)
	case registeredAt:
		at, ok := instance.RegisteredAt()
		return ok && c.op.holds(at.Compare(c.at))
	}
	return false
}
