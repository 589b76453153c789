package placement

import (
	"slices"

	"github.com/terraform-provider-stowage/terraform-provider-stowage/internal/cluster"
)

// maxPorts is how many host ports can be reserved on an instance at a time, TCP and UDP together, those of the agent
// included. Source: Amazon ECS Developer Guide, task definition parameters, hostPort.
const maxPorts = 100

// A port is a host port and its protocol: TCP and UDP are apart, the same number may be used once in each.
type port uint32

const udp port = 1 << 16

func (p port) number() int { return int(p &^ udp) }

func (p port) protocol() string {
	if p&udp != 0 {
		return "UDP"
	}
	return "TCP"
}

// portKeys returns ports in order, without duplicates and without numbers that no port has.
func portKeys(tcp, udpPorts []int) []port {
	keys := make([]port, 0, len(tcp)+len(udpPorts))
	for i, list := range [][]int{tcp, udpPorts} {
		for _, n := range list {
			if n > 0 && n <= cluster.MaxPort {
				keys = append(keys, port(n)|udp*port(i))
			}
		}
	}
	slices.Sort(keys)
	return slices.Compact(keys)
}

// portTable is the static ports that tasks take on one host, in order of port, beyond those that the instance reserves.
type portTable []portUse

type portUse struct {
	port  port
	tasks int64
}

func (t portTable) find(p port) (int, bool) {
	return slices.BinarySearchFunc(t, p, func(u portUse, p port) int { return int(u.port) - int(p) })
}

// take charges a port to n tasks more, or fewer.
func (t *portTable) take(p port, n int64) {
	i, ok := t.find(p)
	if !ok {
		*t = slices.Insert(*t, i, portUse{port: p})
	}
	if (*t)[i].tasks += n; (*t)[i].tasks == 0 {
		*t = slices.Delete(*t, i, i+1)
	}
}

func (l *Ledger) portsOf(h int32) *portTable {
	if l.ports == nil {
		l.ports = make([]portTable, len(l.hosts))
	}
	return &l.ports[h]
}

// clash returns the first of a demand's static ports that is taken on a host, by tasks or by the instance itself.
func (l *Ledger) clash(a *account, h int32) (p port, taken bool) {
	class := l.classes[l.hosts[h].class]
	for _, p := range a.ports {
		if reserves(class, p) {
			return p, true
		}
		if l.ports != nil {
			if i, ok := l.ports[h].find(p); ok && l.ports[h][i].tasks > a.own(h) {
				return p, true
			}
		}
	}
	return 0, false
}

// reserved returns how many ports are reserved on a host before another task comes.
func (l *Ledger) reserved(a *account, h int32) int {
	class := l.classes[l.hosts[h].class]
	n := len(class.ReservedPorts) + len(class.ReservedUDPPorts)
	if l.ports == nil {
		return n
	}
	table := l.ports[h]
	n += len(table)
	for i, list := range [][]int{class.ReservedPorts, class.ReservedUDPPorts} {
		for _, p := range list {
			if _, ok := table.find(port(p) | udp*port(i)); ok {
				n-- // counted twice
			}
		}
	}
	if a.own(h) > 0 {
		n -= len(a.ports)
	}
	return n
}

func reserves(class *cluster.Class, p port) bool {
	list := class.ReservedPorts
	if p&udp != 0 {
		list = class.ReservedUDPPorts
	}
	_, ok := slices.BinarySearch(list, p.number())
	return ok
}

// portsFree reports whether a host has the static ports that a demand needs.
func (l *Ledger) portsFree(a *account, h int32) bool {
	_, taken := l.clash(a, h)
	return !taken && l.reserved(a, h)+len(a.ports) <= maxPorts
}
