// Package taskdef reads what a task definition asks of an instance, as Amazon ECS computes it.
package taskdef

// Requirements is what one task needs of an instance. The zero value needs nothing.
type Requirements struct {
	CPU               int64 // CPU units reserved
	Memory            int64 // MiB reserved
	GPU               int64
	NetworkInterfaces int64             // 1 for awsvpc on EC2, else 0
	TCPPorts          []int             // static host ports, ascending
	UDPPorts          []int             // static host ports, ascending
	Attributes        map[string]string // required attributes; "" = must exist, whatever its value
	Expressions       []string          // memberOf constraints, the task definition's before the service's
	DistinctInstance  bool
}
