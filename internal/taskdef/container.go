package taskdef

import (
	"encoding/json"
	"fmt"
	"math"
	"strconv"
	"strings"
)

// minMemory is what the Docker daemon (20.10 and later) insists on for a container, in MiB.
// Source: Amazon ECS API Reference, ContainerDefinition, memory.
const minMemory = 6

// container is what a container definition says that matters to placement.
type container struct {
	name                          string
	cpu, memory, reservation, gpu int64
	misread                       bool // memory or reservation is there, but wrong
	essential                     bool
	ports                         []containerPort
}

// containerPort is a port mapping, and where it stands.
type containerPort struct {
	container, host int64
	udp             bool
	ranged          bool // a range of container ports, whose host ports are dynamic
	where           string
}

// containers reads container definitions.
func (r *reader) containers(text string) []container {
	v, err := readJSON(text)
	if err != nil {
		r.fault(containerField, nil, "container_definitions %s", err)
		return nil
	}
	list, ok := v.([]any)
	if !ok {
		remedy := "write [ … ] around the container definition"
		if o, ok := v.(object); ok {
			if _, key := find(o, "containerDefinitions"); key != "" {
				remedy = "give the value of its " + key
			}
		}
		r.fault(containerField, nil, "container_definitions must be an array of container definitions, not %s; %s", kind(v), remedy)
		return nil
	}
	switch {
	case len(list) == 0:
		r.fault(containerField, nil, "Container list cannot be empty. Add a container definition, or give cpu and memory instead of container_definitions")
	case len(list) > MaxContainers:
		r.fault(containerField, nil, "%d containers are too many; ECS takes at most %d in a task definition", len(list), MaxContainers)
		return nil
	}
	names := map[string]int{}
	out := make([]container, 0, len(list))
	for i, item := range list {
		o, ok := item.(object)
		if !ok {
			r.fault(containerField, nil, "container %d is %s; it must be an object", i+1, kind(item))
			continue
		}
		c := containerReader{reader: r, where: fmt.Sprintf("container %d", i+1)}
		name := c.name(o)
		if first, twice := names[name]; twice && name != "" {
			c.fault("", "containers %d and %d are both named %q; names within a task definition must be unique", first, i+1, name)
		} else {
			names[name] = i + 1
		}
		read := c.read(o)
		read.name = name
		out = append(out, read)
	}
	return out
}

// containerReader reads one container definition and says in which container a fault is.
type containerReader struct {
	*reader
	where string
}

func (c *containerReader) fault(field, format string, args ...any) {
	where := c.where
	if field != "" {
		where += ", " + field
	}
	c.reader.fault(containerField, nil, "%s: %s", where, fmt.Sprintf(format, args...))
}

func (c *containerReader) name(o object) string {
	v, key := find(o, "name")
	name, ok := v.(string)
	switch {
	case v == nil || name == "" && ok:
		c.fault("name", "every container needs a name")
	case !ok:
		c.fault(key, "%s is %s; a name must be a string", show(v), kind(v))
	case !ValidName(name):
		c.fault(key, "%s is not a name: 1 to 255 letters, digits, hyphens and underscores", show(name))
	default:
		c.where = fmt.Sprintf("container %q", name)
	}
	return name
}

// read reads what ECS reads of a container for placement. Other fields are not looked at.
func (c *containerReader) read(o object) container {
	before := len(c.faults)
	out := container{memory: c.size(o, "memory"), reservation: c.size(o, "memoryReservation")}
	out.misread = len(c.faults) > before
	out.cpu, out.essential, out.gpu = c.size(o, "cpu"), c.truth(o, "essential", true), c.gpus(o)
	if out.memory > 0 && out.reservation > 0 && out.memory <= out.reservation {
		c.fault("memory", "the hard limit of %d MiB must be greater than memoryReservation, which is %d MiB", out.memory, out.reservation)
	}
	for _, m := range []struct {
		key   string
		value int64
	}{{"memory", out.memory}, {"memoryReservation", out.reservation}} {
		if m.value > 0 && m.value < minMemory {
			c.fault(m.key, "%d MiB is too little; Docker starts no container with less than %d MiB", m.value, minMemory)
		}
	}
	for i, item := range c.list(o, "portMappings") {
		where := fmt.Sprintf("portMappings[%d]", i)
		if m, ok := item.(object); ok {
			out.ports = append(out.ports, c.port(m, where))
		} else {
			c.fault(where, "it is %s; it must be an object", kind(item))
		}
	}
	return out
}

// size reads a whole number that is not negative; absent and null are 0.
func (c *containerReader) size(o object, name string) int64 {
	v, key := find(o, name)
	return c.number(v, key, 0, MaxSize)
}

func (c *containerReader) number(v any, where string, least, most int64) int64 {
	if v == nil {
		return 0
	}
	n, ok := v.(json.Number)
	if !ok {
		c.fault(where, "%s is %s; write a whole number, without quotes", show(v), kind(v))
		return 0
	}
	i, ok := whole(n)
	if !ok || i < least || i > most {
		c.fault(where, "%s is out of range; it must be a whole number from %d to %d", show(n), least, most)
		return 0
	}
	return i
}

func (c *containerReader) truth(o object, name string, absent bool) bool {
	v, key := find(o, name)
	if v == nil {
		return absent
	}
	b, ok := v.(bool)
	if !ok {
		c.fault(key, "%s is %s; write true or false, without quotes", show(v), kind(v))
		return absent
	}
	return b
}

func (c *containerReader) text(o object, name, where string) (string, bool) {
	v, key := find(o, name)
	if v == nil {
		return "", false
	}
	s, ok := v.(string)
	if !ok {
		c.fault(where+key, "%s is %s; it must be a string", show(v), kind(v))
	}
	return s, ok
}

func (c *containerReader) list(o object, name string) []any {
	v, key := find(o, name)
	if v == nil {
		return nil
	}
	list, ok := v.([]any)
	if !ok {
		c.fault(key, "it is %s; it must be an array", kind(v))
	}
	return list
}

// gpus sums the GPUs of a container's resource requirements, whose values are numbers written as strings.
func (c *containerReader) gpus(o object) int64 {
	var sum int64
	for i, item := range c.list(o, "resourceRequirements") {
		where := fmt.Sprintf("resourceRequirements[%d]", i)
		req, ok := item.(object)
		if !ok {
			c.fault(where, "it is %s; it must be an object", kind(item))
			continue
		}
		if type_, ok := c.text(req, "type", where+"."); !ok || type_ != "GPU" {
			continue
		}
		value, ok := c.text(req, "value", where+".")
		if !ok {
			if v, _ := find(req, "value"); v == nil {
				c.fault(where+".value", "a GPU requirement needs a value, the number of GPUs in quotes, such as \"1\"")
			}
			continue
		}
		n, err := strconv.ParseInt(value, 10, 32)
		if err != nil || n < 1 {
			c.fault(where+".value", "%s is not a number of GPUs; write a whole number from 1 up, in quotes", show(value))
			continue
		}
		sum = min(sum+n, math.MaxInt32)
	}
	return sum
}

func (c *containerReader) port(o object, where string) containerPort {
	p := containerPort{where: c.where + ", " + where}
	hostPort, key := find(o, "hostPort")
	p.host = c.number(hostPort, where+"."+key, 0, MaxPort)
	protocol, _ := c.text(o, "protocol", where+".")
	p.udp = protocol == string(UDP) // any other text is tcp, as in ECS

	v, key := find(o, "containerPort")
	ports, ranged := c.text(o, "containerPortRange", where+".")
	switch {
	case ranged && v != nil:
		c.fault(where, "containerPort and containerPortRange exclude each other")
	case ranged:
		p.ranged = true
		if !validRange(ports) {
			c.fault(where+".containerPortRange", "%s is not a range of ports such as \"8000-8010\"", show(ports))
		}
		if hostPort != nil {
			c.fault(where+".hostPort", "a range of container ports has no hostPort: ECS chooses the ports on the host. Remove hostPort")
		}
	case v == nil:
		c.fault(where+".containerPort", "a port mapping needs a containerPort from 1 to %d", MaxPort)
	default:
		p.container = c.number(v, where+"."+key, 1, MaxPort)
	}
	return p
}

// validRange reports whether text is two ports, the lower first, with a hyphen between them.
func validRange(text string) bool {
	first, last, ok := strings.Cut(text, "-")
	a, errA := strconv.ParseUint(first, 10, 16)
	b, errB := strconv.ParseUint(last, 10, 16)
	return ok && errA == nil && errB == nil && a >= 1 && a <= b
}
