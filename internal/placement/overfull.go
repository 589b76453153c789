package placement

import (
	"fmt"
	"slices"
)

// Overfull says what the tasks that run on a host would need beyond what it has, "" if it holds them all: the first of
// CPU, memory, GPUs, network interfaces and static ports, such as "100 CPU units more than it has" or "TCP port 80 2 times". Only what Add charged, and tasks outside the configuration, can make a host overfull; Place never does.
func (l *Ledger) Overfull(h int) string {
	rec := &l.hosts[h]
	for _, size := range [...]struct {
		left int64
		unit string
	}{{rec.cpu, "CPU units"}, {rec.memory, "MiB of memory"}, {rec.gpu, "GPUs"}, {rec.interfaces, "network interfaces"}} {
		if size.left < 0 {
			return fmt.Sprintf("%d %s more than it has", -size.left, size.unit)
		}
	}
	if l.ports == nil {
		return ""
	}
	var outside []port // who lists the ports that are taken may well list those that the agent keeps for itself
	if i := l.Instance(h); i != nil && i.Used != nil {
		outside = portKeys(i.Used.Ports, i.Used.UDPPorts)
	}
	for _, use := range l.ports[h] {
		switch {
		case reserves(l.classes[rec.class], use.port) && (use.tasks > 1 || !slices.Contains(outside, use.port)):
			return fmt.Sprintf("%s port %d, which it reserves for itself,", use.port.protocol(), use.port.number())
		case use.tasks > 1:
			return fmt.Sprintf("%s port %d %d times", use.port.protocol(), use.port.number(), use.tasks)
		}
	}
	return ""
}
