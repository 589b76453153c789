package main

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
)

// story prints what the plans say.
type story struct {
	out     io.Writer
	colour  bool
	command string // terraform or tofu, as a user would type it
	acts    int
}

func (s *story) style(code, text string) string {
	if !s.colour {
		return text
	}
	return "\x1b[" + code + "m" + text + "\x1b[0m"
}

func (s *story) say(format string, args ...any) {
	line := strings.TrimRight("   "+fmt.Sprintf(format, args...), " ")
	fmt.Fprintln(s.out, line)
}

func (s *story) title(format string, args ...any) {
	fmt.Fprintln(s.out, s.style("1", fmt.Sprintf(format, args...)))
}

// act opens the next part with its question and the command that answers it.
func (s *story) act(question, verb string, args ...string) {
	s.acts++
	fmt.Fprintf(s.out, "\n%s\n\n", s.style("1", fmt.Sprintf("%d. %s", s.acts, question)))
	line := "$ " + s.command + " " + verb
	for _, arg := range args {
		if strings.ContainsAny(arg, `["*?$`) {
			arg = "'" + arg + "'"
		}
		line += " " + arg
	}
	s.say("%s", s.style("2", line))
	s.say("")
}

// autoscaler says what was seen and what is asked for.
func (s *story) autoscaler(a map[string]any) {
	metric := list(a["metrics"])[0]
	current, target := object(object(metric)["current"]), object(object(object(metric)["resource"])["target"])
	s.say("%v replicas at %v %% of the CPU they request, where %v %% is the target: the autoscaler wants %s.",
		a["current_replicas"], current["average_utilization"], target["average_utilization"], s.style("1", fmt.Sprintf("%v replicas", a["desired_replicas"])))
	s.say("  %s", list(a["events"])[0])
	s.say("")
}

// placement lists every instance with its tasks, zone by zone.
func (s *story) placement(p map[string]any) {
	for _, line := range instanceLines(p) {
		s.say("%s", line)
	}
	s.say("")
	s.say("%v", p["summary"])
}

// preview shows what a change does, before it is done.
func (s *story) preview(before, after map[string]any) {
	var lines []string
	rollouts := object(after["rollouts"])
	for _, name := range slices.Sorted(maps.Keys(rollouts)) {
		r := object(rollouts[name])
		lines = append(lines, fmt.Sprintf("%s: the %v %v. At least %v and at most %v of its tasks run at any time.",
			name, r["kind"], r["verdict"], r["lowest_healthy_tasks"], r["peak_tasks"]))
		for _, step := range list(r["steps"]) {
			lines = append(lines, fmt.Sprintf("  %v", step))
		}
	}
	lines = append(lines, "")
	was := instanceLines(before)
	for i, line := range instanceLines(after) {
		mark := "  "
		if i < len(was) && was[i] != line {
			mark = "→ "
		}
		lines = append(lines, mark+line)
	}
	lines = append(lines, "", fmt.Sprint(after["summary"]))

	width := 0
	for _, l := range lines {
		width = max(width, len([]rune(l)))
	}
	bar := strings.Repeat("─", width+2)
	s.say("%s", s.style("36", "┌"+bar+"┐"))
	for _, l := range lines {
		padded := l + strings.Repeat(" ", width-len([]rune(l)))
		s.say("%s %s %s", s.style("36", "│"), padded, s.style("36", "│"))
	}
	s.say("%s", s.style("36", "└"+bar+"┘"))
}

// instanceLines has a line for each instance: its zone, its tasks, what is left of it.
func instanceLines(p map[string]any) []string {
	zones, placements := object(p["instance_zones"]), object(p["placements"])
	draining := list(p["draining_instances"])
	ids := slices.SortedFunc(maps.Keys(zones), func(a, b string) int {
		return strings.Compare(fmt.Sprint(zones[a], a), fmt.Sprint(zones[b], b))
	})
	var lines []string
	for _, id := range ids {
		var tasks []string
		for _, name := range slices.Sorted(maps.Keys(placements)) {
			if n, ok := object(placements[name])[id]; ok {
				tasks = append(tasks, fmt.Sprintf("%s ×%v", name, n))
			}
		}
		what := strings.Join(tasks, "  ")
		if slices.Contains(draining, any(id)) {
			what = strings.TrimSpace(what + "  (draining)")
		}
		lines = append(lines, fmt.Sprintf("%v  %-10s  %-28s  %4v CPU, %4v MiB left", zones[id], id, what,
			object(p["remaining_cpu"])[id], object(p["remaining_memory"])[id]))
	}
	return lines
}

func object(v any) map[string]any {
	o, _ := v.(map[string]any)
	return o
}

func list(v any) []any {
	l, _ := v.([]any)
	return l
}
