package taskdef

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

const containerField = "container_definitions"

// Names of the attributes that every container instance has, and the prefixes of those that its agent sets by itself.
// Source: Amazon ECS Developer Guide, "Define which container instances Amazon ECS uses for tasks".
const (
	osTypeAttribute       = "ecs.os-type"
	architectureAttribute = "ecs.cpu-architecture"
	agentCapabilities     = "com.amazonaws.ecs.capability."
	ecsCapabilities       = "ecs.capability."
)

// Compute returns what one task of the definition needs of an instance. The errors, joined, are each a *FieldError; all
// faults are reported at once.
//
// The reservation is that of the ECS container agent (Task.ToHostResources in aws/amazon-ecs-agent):
//
//	cpu    = the task's, if given, else the sum of the containers'
//	memory = the task's, if given, else the sum of each container's memoryReservation, if given, else its memory
//	gpu    = the sum of the containers' GPU requirements
//	ports  = the static host ports in bridge and host mode; a dynamic one reserves nothing
//
// The size of a Windows task on EC2 is that of its containers: ECS ignores the task's.
func Compute(td TaskDefinition) (Requirements, error) {
	r := reader{td: td}
	if r.td.NetworkMode == "" {
		r.td.NetworkMode = Bridge
	}
	r.checkFields()
	containers := r.shortForm()
	if td.ContainerDefinitions != "" {
		containers = r.containers(td.ContainerDefinitions)
	}
	req := Requirements{Attributes: r.requiredAttributes()}
	if r.td.NetworkMode == AWSVPC && !td.Fargate {
		req.NetworkInterfaces = 1
	}
	r.ports(&req, containers)
	r.reserve(&req, containers)
	for i, c := range td.PlacementConstraints {
		if expression, ok := r.constraint(c, i); ok {
			req.Expressions = append(req.Expressions, expression)
		}
	}
	if td.Fargate {
		r.faults = append(r.faults, fargateFaults(&r.td)...)
	}
	if len(r.faults) > 0 {
		errs := make([]error, len(r.faults))
		for i, f := range r.faults {
			errs[i] = f
		}
		return Requirements{}, errors.Join(errs...)
	}
	return req, nil
}

// reader computes requirements and collects faults.
type reader struct {
	td     TaskDefinition
	faults []*FieldError
}

func (r *reader) fault(field string, given []string, format string, args ...any) {
	r.faultAt([]string{field}, given, format, args...)
}

func (r *reader) faultAt(path, given []string, format string, args ...any) {
	f := &FieldError{Path: path, Problem: fmt.Sprintf(format, args...)}
	for _, g := range given {
		f.Given = append(f.Given, []string{g})
	}
	r.faults = append(r.faults, f)
}

// checkFields checks what can be said of each field alone.
func (r *reader) checkFields() {
	td := &r.td
	if td.Family != "" && !ValidName(td.Family) {
		r.fault("family", nil, "%q is not a family: 1 to 255 letters, digits, hyphens and underscores", clip(td.Family))
	}
	for _, size := range []struct {
		field string
		value int64
	}{{"cpu", td.CPU}, {"memory", td.Memory}, {"gpu", td.GPU}} {
		if size.value < 0 || size.value > MaxSize {
			r.fault(size.field, nil, "%d is out of range; it must be a whole number from 0 to %d", size.value, MaxSize)
		}
	}
	if !slices.Contains(NetworkModes(), td.NetworkMode) {
		r.fault("network_mode", nil, "%q is not a network mode; it must be bridge, host, awsvpc or none", td.NetworkMode)
	}
	platform := td.RuntimePlatform
	if f := platform.OperatingSystemFamily; f != "" && !slices.Contains(OperatingSystemFamilies(), f) {
		r.faultAt([]string{"runtime_platform", "operating_system_family"}, nil, "%q is not an operating system family; it must be %s",
			f, joinOr(OperatingSystemFamilies()))
	}
	if a := platform.CPUArchitecture; a != "" && !slices.Contains(CPUArchitectures(), a) {
		r.faultAt([]string{"runtime_platform", "cpu_architecture"}, nil, "%q is not a CPU architecture; it must be X86_64 or ARM64", a)
	}
}

func joinOr[T ~string](values []T) string {
	var b strings.Builder
	for i, v := range values {
		switch {
		case i > 0 && i == len(values)-1:
			b.WriteString(" or ")
		case i > 0:
			b.WriteString(", ")
		}
		b.WriteString(string(v))
	}
	return b.String()
}

// shortForm checks the fields that say without container definitions what a task needs, and returns them as its one
// container.
func (r *reader) shortForm() []container {
	td := &r.td
	if td.ContainerDefinitions != "" {
		if td.GPU > 0 {
			r.fault("gpu", nil, "gpu and container_definitions exclude each other; write the GPUs as resourceRequirements of a container, and remove gpu")
		}
		if len(td.PortMappings) > 0 {
			r.fault("port_mappings", nil, "port_mappings and container_definitions exclude each other; write the ports as portMappings of a container, and remove port_mappings")
		}
		return nil
	}
	c := container{
		cpu: max(td.CPU, 0), reservation: max(td.Memory, 0), misread: td.Memory < 0, gpu: max(td.GPU, 0), essential: true,
	}
	for i, m := range td.PortMappings {
		at := []string{"port_mappings", strconv.Itoa(i)}
		if m.ContainerPort < 1 || m.ContainerPort > MaxPort {
			r.faultAt(append(at, "container_port"), nil, "%d is not a port; ports go from 1 to %d", m.ContainerPort, MaxPort)
			continue
		}
		if m.HostPort < 0 || m.HostPort > MaxPort {
			r.faultAt(append(at, "host_port"), nil, "%d is not a port; ports go from 1 to %d, and 0 lets the host choose one", m.HostPort, MaxPort)
			continue
		}
		if m.Protocol != "" && !slices.Contains(Protocols(), m.Protocol) {
			r.faultAt(append(at, "protocol"), nil, "%q is not a protocol; it must be tcp or udp", m.Protocol)
			continue
		}
		c.ports = append(c.ports, containerPort{container: m.ContainerPort, host: m.HostPort, udp: m.Protocol == UDP, where: strconv.Itoa(i)})
	}
	return []container{c}
}

// ports collects the static host ports, by the rules of the network mode.
// Source: Amazon ECS API Reference, PortMapping.
func (r *reader) ports(req *Requirements, containers []container) {
	mode, given := r.td.NetworkMode, []string{"network_mode"}
	type socket struct {
		port int64
		udp  bool
	}
	taken := map[socket]bool{}
	for _, c := range containers {
		for _, p := range c.ports {
			at, where := []string{containerField}, p.where+": "
			if r.td.ContainerDefinitions == "" {
				at, where = []string{"port_mappings", p.where}, ""
			}
			switch {
			case mode == None:
				r.faultAt(at, given, "%sthe network mode none has no port mappings; remove them, or use another network mode", where)
				return
			case p.ranged:
				if mode == Host {
					r.faultAt(at, given, "%scontainerPortRange needs the network mode bridge or awsvpc, not host", where)
				}
				continue
			case (mode == Host || mode == AWSVPC) && p.host != 0 && p.host != p.container:
				r.faultAt(at, given, "%sin the network mode %s the host port is the container port: %d must be %d, or left out", where, mode, p.host, p.container)
				continue
			case mode == Host:
				p.host = p.container
			case mode != Bridge || p.host == 0:
				continue // on the task's own network interface, or dynamic
			}
			s := socket{p.host, p.udp}
			if taken[s] {
				r.faultAt(at, given, "%sthe host port %d is mapped twice in this task, which could never start; leave one of the host ports out, or change it", where, p.host)
				continue
			}
			taken[s] = true
			if p.udp {
				req.UDPPorts = append(req.UDPPorts, int(p.host))
			} else {
				req.TCPPorts = append(req.TCPPorts, int(p.host))
			}
		}
	}
	slices.Sort(req.TCPPorts)
	slices.Sort(req.UDPPorts)
}

// reserve sums up cpu, memory and GPUs.
func (r *reader) reserve(req *Requirements, containers []container) {
	td := &r.td
	essential := len(containers) == 0
	for _, c := range containers {
		req.CPU += c.cpu
		req.GPU += c.gpu
		if c.reservation > 0 {
			req.Memory += c.reservation
		} else {
			req.Memory += c.memory
		}
		essential = essential || c.essential
		if c.memory == 0 && c.reservation == 0 && !c.misread {
			r.memoryMissing(c.name)
		}
	}
	if !essential {
		r.fault(containerField, nil, "no container is essential; ECS wants at least one whose essential is true, which is the default")
	}
	if td.ContainerDefinitions != "" && (td.Fargate || !td.RuntimePlatform.OperatingSystemFamily.windows()) {
		if td.CPU > 0 {
			if td.Fargate && req.CPU > td.CPU {
				r.fault("cpu", []string{containerField}, "the task's %d CPU units are less than the %d that its containers reserve together; raise it, or lower theirs", td.CPU, req.CPU)
			}
			req.CPU = td.CPU
		}
		if td.Memory > 0 {
			if req.Memory > td.Memory {
				r.fault("memory", []string{containerField, "runtime_platform"}, "the task's %d MiB are less than the %d that its containers reserve together; raise it, or lower theirs", td.Memory, req.Memory)
			}
			req.Memory = td.Memory
		}
	}
	for _, sum := range []struct {
		what  string
		value int64
	}{{"cpu", req.CPU}, {"memory", req.Memory}, {"GPUs", req.GPU}} {
		if sum.value > MaxSize && td.ContainerDefinitions != "" {
			r.fault(containerField, nil, "the %s of the containers add up to %d; at most %d can be reserved", sum.what, sum.value, MaxSize)
		}
	}
	if td.Fargate && req.GPU > 0 && td.ContainerDefinitions != "" {
		r.fault(containerField, nil, "Fargate has no GPUs; remove the resourceRequirements of the type GPU, or use the launch type EC2")
	}
}

// memoryMissing reports that nothing says how much memory a container needs. The task's own memory would do.
func (r *reader) memoryMissing(container string) {
	td := &r.td
	switch {
	case td.Fargate: // reported with the other rules of Fargate
	case td.ContainerDefinitions == "":
		r.fault("memory", []string{containerField}, "a task needs memory: set it to the MiB that one task reserves, or give container_definitions")
	case td.Memory == 0 || td.RuntimePlatform.OperatingSystemFamily.windows():
		r.fault(containerField, []string{"memory"}, "Invalid setting for container '%s'. At least one of 'memory' or 'memoryReservation' must be specified: in the container, or as memory of the task definition", container)
	}
}

// requiredAttributes are those of requires_attributes and of the runtime platform. What the agent sets by itself is
// assumed to be there.
func (r *reader) requiredAttributes() map[string]string {
	out := map[string]string{}
	for i, text := range r.td.RequiresAttributes {
		at := []string{"requires_attributes", strconv.Itoa(i)}
		name, value, _ := strings.Cut(text, "=")
		if !ValidAttributeName(name) {
			r.faultAt(at, nil, "%q is not an attribute: a name of 1 to 128 letters, digits, hyphens, underscores, slashes, backslashes and periods, or such a name, = and a value", clip(text))
			continue
		}
		if strings.HasPrefix(name, agentCapabilities) || strings.HasPrefix(name, ecsCapabilities) {
			continue
		}
		if !require(out, name, value) {
			r.faultAt(at, nil, "the attribute %q can't be both %q and %q", name, out[name], value)
		}
	}
	if r.td.Fargate {
		return out
	}
	platform := r.td.RuntimePlatform
	os := "linux"
	if platform.OperatingSystemFamily.windows() {
		os = "windows"
	}
	if platform.OperatingSystemFamily != "" && !require(out, osTypeAttribute, os) {
		r.faultAt([]string{"runtime_platform", "operating_system_family"}, []string{"requires_attributes"}, "it asks for %s = %q, and requires_attributes for %q", osTypeAttribute, os, out[osTypeAttribute])
	}
	if a := strings.ToLower(string(platform.CPUArchitecture)); a != "" && !require(out, architectureAttribute, a) {
		r.faultAt([]string{"runtime_platform", "cpu_architecture"}, []string{"requires_attributes"}, "it asks for %s = %q, and requires_attributes for %q", architectureAttribute, a, out[architectureAttribute])
	}
	return out
}

// require adds a required attribute, unless another value of it is required already. "" is any value.
func require(attributes map[string]string, name, value string) bool {
	known := attributes[name]
	if known != "" && value != "" && known != value {
		return false
	}
	if known == "" {
		attributes[name] = value
	}
	return true
}

// constraint checks a placement constraint of the task definition and returns its expression.
func (r *reader) constraint(c Constraint, i int) (string, bool) {
	at := []string{"placement_constraints", strconv.Itoa(i)}
	if c.Type == DistinctInstance {
		r.faultAt(append(at, "type"), nil, "a task definition takes only constraints of the type memberOf; move distinctInstance to the placement_constraints of the service")
		return "", false
	}
	if f := c.Check(); f != nil {
		f.Path = append(at, f.Path...)
		for j, g := range f.Given {
			f.Given[j] = append(slices.Clone(at), g...)
		}
		r.faults = append(r.faults, f)
		return "", false
	}
	return *c.Expression, true
}
