package clusterquery

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"
)

// A ValueError says which value given to [MapLookup] an instance cannot have.
type ValueError struct {
	Key, Value string
	Msg        string // what it should be
}

// Error returns the fault on one line.
func (e *ValueError) Error() string { return fmt.Sprintf("%s = %q: %s", e.Key, e.Value, e.Msg) }

// MapLookup describes an instance by a map. The keys agentConnected ("true" or "false"),
// agentVersion, ec2InstanceId, registeredAt, runningTasksCount and task:group (the groups of the
// hosted tasks, separated by commas) set the subjects of these names; one that is left out is
// unknown, and without task:group the instance hosts no task. Every other key is the name of an
// attribute, with or without "attribute:" before it.
//
// The map is not kept. The error joins a [*ValueError] for each value that does not fit its
// subject, in the order of the keys.
func MapLookup(values map[string]string) (Lookup, error) {
	m := &mapLookup{attributes: make(map[string]string, len(values))}
	var errs []error
	for _, key := range slices.Sorted(maps.Keys(values)) {
		if msg := m.set(key, values[key]); msg != "" {
			errs = append(errs, &ValueError{key, values[key], msg})
		}
	}
	if errs != nil {
		return nil, errors.Join(errs...)
	}
	return m, nil
}

type mapLookup struct {
	attributes map[string]string
	groups     []string

	connected, hasConnected       bool
	version, instanceID           string
	hasVersion, hasInstanceID     bool
	registered                    time.Time
	running                       int
	hasRegistered, hasRunningTask bool
}

// set takes one entry in and returns what is wrong with it, if anything.
func (m *mapLookup) set(key, value string) string {
	switch key {
	case agentConnected.String():
		if value != "true" && value != "false" {
			return "must be true or false"
		}
		m.connected, m.hasConnected = value == "true", true
	case agentVersion.String():
		if !ValidVersion(value) {
			return "must be dotted numbers such as 1.14.5"
		}
		m.version, m.hasVersion = value, true
	case ec2InstanceID.String():
		m.instanceID, m.hasInstanceID = value, true
	case registeredAt.String():
		at, ok := ParseTime(value)
		if !ok {
			return "must be a date or time such as 2018-06-18 or 2018-06-18T22:28:28Z"
		}
		m.registered, m.hasRegistered = at, true
	case runningTasksCount.String():
		n, err := strconv.Atoi(value)
		if err != nil || n < 0 {
			return "must be a whole number from 0"
		}
		m.running, m.hasRunningTask = n, true
	case taskGroup.String():
		for group := range strings.SplitSeq(value, ",") {
			if group = strings.TrimSpace(group); group != "" {
				m.groups = append(m.groups, group)
			}
		}
	default:
		name := strings.TrimPrefix(key, attributePrefix)
		if other, ok := m.attributes[name]; ok && other != value {
			return fmt.Sprintf("is %q under another key for the same attribute; give it once", other)
		}
		m.attributes[name] = value
	}
	return ""
}

func (m *mapLookup) Attribute(name string) (string, bool) {
	value, ok := m.attributes[name]
	return value, ok
}

func (m *mapLookup) AgentConnected() (connected, ok bool)    { return m.connected, m.hasConnected }
func (m *mapLookup) AgentVersion() (version string, ok bool) { return m.version, m.hasVersion }
func (m *mapLookup) InstanceID() (id string, ok bool)        { return m.instanceID, m.hasInstanceID }
func (m *mapLookup) RegisteredAt() (at time.Time, ok bool)   { return m.registered, m.hasRegistered }
func (m *mapLookup) RunningTasks() (count int, ok bool)      { return m.running, m.hasRunningTask }

func (m *mapLookup) AnyTaskGroup(match func(string) bool) bool {
	return slices.ContainsFunc(m.groups, match)
}
