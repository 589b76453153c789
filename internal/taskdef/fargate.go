package taskdef

import "fmt"

// fargateSize is a CPU size that AWS Fargate offers, with the memory sizes that go with it.
type fargateSize struct {
	cpu               int64
	least, most, step int64 // MiB; step 0 = each size is twice the one before
	windows           bool
}

// fargateSizes are the sizes of Fargate tasks.
// Source: Amazon ECS Developer Guide, "Troubleshoot Amazon ECS task definition invalid CPU or memory errors".
func fargateSizes() []fargateSize {
	const gb = 1024
	return []fargateSize{
		{256, gb / 2, 2 * gb, 0, false},
		{512, 1 * gb, 4 * gb, gb, false},
		{1024, 2 * gb, 8 * gb, gb, true},
		{2048, 4 * gb, 16 * gb, gb, true},
		{4096, 8 * gb, 30 * gb, gb, true},
		{8192, 16 * gb, 60 * gb, 4 * gb, false},
		{16384, 32 * gb, 120 * gb, 8 * gb, false},
	}
}

func (s fargateSize) offers(memory int64) bool {
	if memory < s.least || memory > s.most {
		return false
	}
	if s.step == 0 {
		return memory%s.least == 0 && memory/s.least&(memory/s.least-1) == 0
	}
	return (memory-s.least)%s.step == 0
}

func (s fargateSize) memories() string {
	if s.step == 0 {
		return "512, 1024 or 2048 MiB"
	}
	return fmt.Sprintf("%d to %d MiB in steps of %d", s.least, s.most, s.step)
}

// fargateFaults reports why a task definition cannot run on AWS Fargate.
func fargateFaults(td *TaskDefinition) []*FieldError {
	var faults []*FieldError
	fault := func(field, given, format string, args ...any) {
		f := &FieldError{Path: []string{field}, Problem: fmt.Sprintf(format, args...)}
		if given != "" {
			f.Given = [][]string{{given}}
		}
		faults = append(faults, f)
	}
	if td.NetworkMode != AWSVPC {
		fault("network_mode", "", "Fargate only supports network mode 'awsvpc'. Set network_mode = \"awsvpc\", or launch_type = \"EC2\"")
	}
	if td.GPU > 0 {
		fault("gpu", "", "Fargate has no GPUs; remove gpu, or use the launch type EC2")
	}
	if len(td.RequiresAttributes) > 0 {
		fault("requires_attributes", "", "Fargate has no container instances whose attributes could be required; remove requires_attributes, or use the launch type EC2")
	}
	if td.CPU == 0 {
		fault("cpu", "", "Fargate requires that 'cpu' be defined at the task level. Set cpu to 256, 512, 1024, 2048, 4096, 8192 or 16384 CPU units")
	}
	if td.Memory == 0 {
		fault("memory", "", "Fargate requires that 'memory' be defined at the task level. Set memory in MiB, such as 512 with cpu = 256")
	}
	if td.CPU <= 0 || td.Memory <= 0 {
		return faults
	}
	const refusal = "No Fargate configuration exists for given values: %d CPU, %d memory. "
	windows := td.RuntimePlatform.OperatingSystemFamily.windows()
	for _, s := range fargateSizes() {
		if s.cpu != td.CPU {
			continue
		}
		if windows && !s.windows {
			fault("cpu", "runtime_platform", refusal+"Windows tasks have cpu 1024, 2048 or 4096", td.CPU, td.Memory)
		} else if !s.offers(td.Memory) {
			fault("memory", "cpu", refusal+"With cpu %d the memory must be %s", td.CPU, td.Memory, td.CPU, s.memories())
		}
		return faults
	}
	fault("cpu", "", refusal+"The cpu must be 256, 512, 1024, 2048, 4096, 8192 or 16384", td.CPU, td.Memory)
	return faults
}
