package taskdef

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"slices"
)

// Revision names what a deployment runs: 8 hex digits over a task definition and the triggers of its service. Definitions
// that mean the same have the same revision: in container definitions the order of keys, of containers, of environment and of
// secrets, white space, the spelling of numbers and of a container's field names, null and empty values, and defaults, spelled out or
// not, make no difference. Any other difference does, also in fields that placement does not look at, such as an image, for
// it would make ECS register a new revision.
func Revision(td TaskDefinition, triggers map[string]string) string {
	mode := cmp.Or(td.NetworkMode, Bridge)
	attributes := slices.Clone(td.RequiresAttributes)
	slices.Sort(attributes)
	c := canonicalDefinition{
		Family: td.Family, CPU: td.CPU, Memory: td.Memory, GPU: td.GPU, NetworkMode: mode, Attributes: slices.Compact(attributes),
		OS: td.RuntimePlatform.OperatingSystemFamily, CPUArchitecture: td.RuntimePlatform.CPUArchitecture,
		Fargate: td.Fargate, Triggers: triggers,
	}
	for _, m := range td.PortMappings {
		if (mode == Host || mode == AWSVPC) && m.HostPort == m.ContainerPort {
			m.HostPort = 0
		}
		c.Ports = append(c.Ports, canonicalPort{m.ContainerPort, m.HostPort, cmp.Or(m.Protocol, TCP)})
	}
	for _, p := range td.PlacementConstraints {
		expression := ""
		if p.Expression != nil {
			expression = *p.Expression
		}
		c.Constraints = append(c.Constraints, [2]string{string(p.Type), expression})
	}
	if v, err := readJSON(td.ContainerDefinitions); err == nil {
		c.Containers = canonicalContainers(v, mode)
	} else if td.ContainerDefinitions != "" {
		c.Containers = td.ContainerDefinitions
	}
	// Go writes the fields of a struct in order and the keys of a map sorted, so equal values have equal bytes.
	text, err := json.Marshal(c)
	if err != nil {
		text = []byte(err.Error()) // nothing in it can fail to be written
	}
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:4])
}

// canonicalDefinition is what a revision is computed over. A field that a later release adds must be left out when it
// isn't given, or every service would be deployed anew by the upgrade.
type canonicalDefinition struct {
	Family          string                `json:"family,omitempty"`
	CPU             int64                 `json:"cpu,omitempty"`
	Memory          int64                 `json:"memory,omitempty"`
	GPU             int64                 `json:"gpu,omitempty"`
	NetworkMode     NetworkMode           `json:"network_mode"`
	Ports           []canonicalPort       `json:"ports,omitempty"`
	Constraints     [][2]string           `json:"constraints,omitempty"` // type, expression
	Attributes      []string              `json:"attributes,omitempty"`
	OS              OperatingSystemFamily `json:"os,omitempty"`
	CPUArchitecture CPUArchitecture       `json:"cpu_architecture,omitempty"`
	Containers      any                   `json:"containers,omitempty"`
	Fargate         bool                  `json:"fargate,omitempty"`
	Triggers        map[string]string     `json:"triggers,omitempty"`
}

type canonicalPort struct {
	Container int64    `json:"container"`
	Host      int64    `json:"host,omitempty"`
	Protocol  Protocol `json:"protocol"`
}

// containerFields are the names of a container definition's fields.
// Source: Amazon ECS API Reference, ContainerDefinition.
func containerFields() []string {
	return []string{
		"command", "cpu", "credentialSpecs", "dependsOn", "disableNetworking", "dnsSearchDomains", "dnsServers", "dockerLabels",
		"dockerSecurityOptions", "entryPoint", "environment", "environmentFiles", "essential", "extraHosts", "firelensConfiguration",
		"healthCheck", "hostname", "image", "interactive", "links", "linuxParameters", "logConfiguration", "memory",
		"memoryReservation", "mountPoints", "name", "portMappings", "privileged", "pseudoTerminal", "readonlyRootFilesystem",
		"repositoryCredentials", "resourceRequirements", "restartPolicy", "secrets", "startTimeout", "stopTimeout", "systemControls",
		"ulimits", "user", "versionConsistency", "volumesFrom", "workingDirectory",
	}
}

// containerDefaults are the defaults of a container definition's fields, in the form that canonical gives to values.
// Source: Amazon ECS API Reference, ContainerDefinition, PortMapping, HealthCheck, MountPoint, VolumeFrom.
func containerDefaults() map[string]any {
	return map[string]any{
		"cpu": json.Number("0"), "memory": json.Number("0"), "memoryReservation": json.Number("0"), "essential": true,
		"disableNetworking": false, "interactive": false, "privileged": false, "pseudoTerminal": false,
		"readonlyRootFilesystem": false, "versionConsistency": "enabled",
	}
}

func healthCheckDefaults() map[string]any {
	return map[string]any{"interval": json.Number("30"), "timeout": json.Number("5"), "retries": json.Number("3"), "startPeriod": json.Number("0")}
}

// canonicalContainers drops from container definitions what makes no difference, and orders what has no order.
func canonicalContainers(v any, mode NetworkMode) any {
	list, _ := canonical(v).([]any)
	for _, item := range list {
		c, ok := item.(object)
		if !ok {
			continue
		}
		spell(c, containerFields()...)
		dropDefaults(c, containerDefaults())
		for _, m := range objects(c["portMappings"]) {
			spell(m, "containerPort")
			dropDefaults(m, map[string]any{"hostPort": json.Number("0"), "protocol": "tcp"})
			if mode == Host || mode == AWSVPC {
				dropDefaults(m, map[string]any{"hostPort": m["containerPort"]})
			}
		}
		if check, ok := c["healthCheck"].(object); ok {
			dropDefaults(check, healthCheckDefaults())
		}
		for _, field := range []string{"mountPoints", "volumesFrom"} {
			for _, m := range objects(c[field]) {
				dropDefaults(m, map[string]any{"readOnly": false})
			}
		}
		for _, field := range []string{"environment", "secrets"} {
			for _, m := range objects(c[field]) {
				spell(m, "name")
			}
			if pairs, ok := c[field].([]any); ok {
				sortBy(pairs, "name")
			}
		}
		for _, m := range objects(c["resourceRequirements"]) {
			spell(m, "type", "value")
		}
	}
	sortBy(list, "name")
	return list
}

// canonical drops null and empty values from objects, at any depth, and spells equal numbers alike. It changes v.
func canonical(v any) any {
	switch v := v.(type) {
	case json.Number:
		return canonicalNumber(v)
	case []any:
		for i, e := range v {
			v[i] = canonical(e)
		}
	case object:
		for key, e := range v {
			e = canonical(e)
			if empty(e) {
				delete(v, key)
			} else {
				v[key] = e
			}
		}
	}
	return v
}

func empty(v any) bool {
	switch v := v.(type) {
	case nil:
		return true
	case []any:
		return len(v) == 0
	case object:
		return len(v) == 0
	}
	return false
}

// spell gives the keys of fields their usual spelling.
func spell(o object, names ...string) {
	for _, name := range names {
		if v, key := find(o, name); key != "" && key != name {
			delete(o, key)
			o[name] = v
		}
	}
}

// dropDefaults removes fields that say what would hold without them.
func dropDefaults(o object, defaults map[string]any) {
	for name, value := range defaults {
		spell(o, name)
		switch v := o[name].(type) {
		case bool, string, json.Number: // what else there may be can't be compared, and is no default
			if v == value {
				delete(o, name)
			}
		}
	}
}

func objects(v any) []object {
	list, _ := v.([]any)
	var out []object
	for _, e := range list {
		if o, ok := e.(object); ok {
			out = append(out, o)
		}
	}
	return out
}
