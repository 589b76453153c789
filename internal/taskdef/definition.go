package taskdef

import "strings"

// Limits of Amazon ECS on a task definition, and MaxSize, which keeps every sum within an int64.
// Source: AWS General Reference, Amazon ECS service quotas.
const (
	MaxContainers = 10
	MaxBytes      = 64 << 10 // of the container definitions without white space between tokens
	MaxSize       = 1<<31 - 1
	MaxPort       = 65_535

	maxText = 1 << 20 // of the container definitions as written; more is not even read
)

// TaskDefinition says what a task is, as RegisterTaskDefinition of the Amazon ECS API takes it, and in short forms that
// say it without container definitions. The zero value of a field means that it isn't given.
type TaskDefinition struct {
	Family               string
	CPU                  int64 // of the task, in CPU units
	Memory               int64 // of the task, in MiB
	GPU                  int64 // short form; not with ContainerDefinitions
	NetworkMode          NetworkMode
	PortMappings         []PortMapping // short form; not with ContainerDefinitions
	PlacementConstraints []Constraint
	RequiresAttributes   []string // "name", or "name=value"
	RuntimePlatform      RuntimePlatform
	ContainerDefinitions string // JSON: an array of container definitions
	Fargate              bool   // must run on AWS Fargate
}

// PortMapping opens a port of a container on its host.
type PortMapping struct {
	ContainerPort int64
	HostPort      int64 // 0 = the host chooses
	Protocol      Protocol
}

// RuntimePlatform says what a task's images are built for. An empty field fits every instance.
type RuntimePlatform struct {
	OperatingSystemFamily OperatingSystemFamily
	CPUArchitecture       CPUArchitecture
}

// NetworkMode is how the containers of a task are connected.
type NetworkMode string

// The network modes of Amazon ECS. Bridge is the default.
const (
	Bridge NetworkMode = "bridge"
	Host   NetworkMode = "host"
	AWSVPC NetworkMode = "awsvpc"
	None   NetworkMode = "none"
)

// NetworkModes lists every NetworkMode.
func NetworkModes() []NetworkMode { return []NetworkMode{Bridge, Host, AWSVPC, None} }

// Protocol is the transport protocol of a port. TCP is the default.
type Protocol string

// The transport protocols of Amazon ECS.
const (
	TCP Protocol = "tcp"
	UDP Protocol = "udp"
)

// Protocols lists every Protocol.
func Protocols() []Protocol { return []Protocol{TCP, UDP} }

// OperatingSystemFamily is the system that a task's images are built for.
type OperatingSystemFamily string

// Linux is the only OperatingSystemFamily that is not a release of Windows Server.
const Linux OperatingSystemFamily = "LINUX"

// OperatingSystemFamilies lists every OperatingSystemFamily.
func OperatingSystemFamilies() []OperatingSystemFamily {
	return []OperatingSystemFamily{
		Linux, "WINDOWS_SERVER_2016_FULL", "WINDOWS_SERVER_2019_CORE", "WINDOWS_SERVER_2019_FULL", "WINDOWS_SERVER_2004_CORE",
		"WINDOWS_SERVER_20H2_CORE", "WINDOWS_SERVER_2022_CORE", "WINDOWS_SERVER_2022_FULL", "WINDOWS_SERVER_2025_CORE", "WINDOWS_SERVER_2025_FULL",
	}
}

func (f OperatingSystemFamily) windows() bool { return strings.HasPrefix(string(f), "WINDOWS_") }

// CPUArchitecture is the processor that a task's images are built for.
type CPUArchitecture string

// The CPU architectures of Amazon ECS.
const (
	X8664 CPUArchitecture = "X86_64"
	ARM64 CPUArchitecture = "ARM64"
)

// CPUArchitectures lists every CPUArchitecture.
func CPUArchitectures() []CPUArchitecture { return []CPUArchitecture{X8664, ARM64} }
