// Package taskdef reads what a task definition asks of an instance, as Amazon ECS computes it.
package taskdef

// Requirements is what one task needs of an instance. The zero value needs nothing.
type Requirements struct {
	CPU               int64             `json:"cpu,omitempty"`    // CPU units reserved
	Memory            int64             `json:"memory,omitempty"` // MiB reserved
	GPU               int64             `json:"gpu,omitempty"`
	NetworkInterfaces int64             `json:"network_interfaces,omitempty"` // 1 for awsvpc on EC2, else 0
	TCPPorts          []int             `json:"tcp_ports,omitempty"`          // static host ports, ascending
	UDPPorts          []int             `json:"udp_ports,omitempty"`          // static host ports, ascending
	Attributes        map[string]string `json:"attributes,omitempty"`         // required attributes; "" = must exist, whatever its value
	Expressions       []string          `json:"expressions,omitempty"`        // memberOf constraints, the task definition's before the service's
	DistinctInstance  bool              `json:"distinct_instance,omitempty"`
}
