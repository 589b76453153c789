package render

import (
	"bytes"
	_ "embed" // the page's template
	"encoding/base64"
	"encoding/xml"
	"errors"
	"fmt"
	"html/template"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
)

// Page is what a report tells: outputs of a placement, name for name, and any number of timelines. Every field may be
// empty; a section without data is left out.
type Page struct {
	PlacementMap
	// ChangesByInstance is how many more tasks (or fewer, below 0) than before run where: service -> instance id or
	// fargate:<zone> -> tasks. Nil = what was before isn't known, and there is one map.
	ChangesByInstance   map[string]map[string]int64
	Changes             map[string]string // service -> "+2 -1"
	DesiredCounts       map[string]int64
	CountOwners         map[string]string // service -> "service", "daemon" or the autoscaler's name
	Headroom            map[string]int64
	UnplacedReasons     map[string][]string
	AdditionalInstances map[string]int64 // instance group -> how many more would let everything fit
	Rollouts            map[string]Rollout
	Events              map[string][]string
	SteadyState         bool
	Summary             string
	Timelines           []Replay
}

// Rollout is how the tasks of a service are replaced.
type Rollout struct {
	Kind, Verdict                     string
	Waves                             int64
	MinimumHealthyTasks, MaximumTasks int64
	PeakTasks, LowestHealthyTasks     int64
	Steps                             []string
	Reason                            string
	Repairs                           []string
	RetryAfterSeconds                 int64
}

// Replay is the outcome of a timeline. Its chart may come from anywhere: it is shown as a picture, in which nothing runs.
type Replay struct {
	Chart            string
	PeakReplicas     int64
	DirectionChanges int64
	SecondsToSettle  int64
	OverloadSeconds  int64
	Reasons          []string
}

//go:embed report.html.tmpl
var reportTemplate string

// Report writes a placement and timelines as one HTML page that needs nothing else: no script, no font, no style and no
// picture from anywhere. It can be printed.
//
// The error joins a *FieldError for each number that is no count of tasks.
func Report(p Page) (string, error) {
	v, err := newView(p)
	if err != nil {
		return "", err
	}
	t, err := template.New("report").Funcs(template.FuncMap{"clean": clean, "count": count, "thousands": thousands}).Parse(reportTemplate)
	if err != nil {
		return "", fmt.Errorf("read the report's template: %w", err)
	}
	var out bytes.Buffer
	if err := t.Execute(&out, v); err != nil {
		return "", fmt.Errorf("write the report: %w", err)
	}
	return out.String(), nil
}

// view is a Page in the form and order of the template.
type view struct {
	Page
	Healthy       bool
	Verdict       string // in a few words
	Services      []serviceRow
	Before, After template.HTML
	Shortfalls    []shortfall
	Additional    []named[int64]
	Rolling       []named[rollingRow]
	Told          []named[[]string]
	Replays       []replayRow
}

// named is an entry of a map, which templates need in an order.
type named[T any] struct {
	Name  string
	Value T
}

type serviceRow struct {
	Name, Letter, Change, Owner string
	Style                       template.CSS
	Desired, Headroom           string // "" = not told
	Running, Unplaced           int64
}

type shortfall struct {
	Name    string
	Tasks   int64
	Reasons []string
}

type rollingRow struct {
	Rollout
	Good bool
	Word string // the verdict for readers
}

type replayRow struct {
	Replay
	Title, Description string // the title only where the chart has none
	Picture            template.URL
}

func newView(p Page) (*view, error) {
	look := styles(p.names())
	after, err := newScene(p.PlacementMap, look)
	if err != nil {
		return nil, err
	}
	v := &view{Page: p, Healthy: p.SteadyState && after.unplaced() == 0}
	v.Verdict = "Not at rest"
	switch {
	case v.Healthy:
		v.Verdict = "At rest"
	case after.unplaced() > 0:
		v.Verdict = count(after.unplaced(), "task") + " without a place"
	}
	heading := "Where the tasks run"
	if p.ChangesByInstance != nil && p.changed() {
		before, err := p.before()
		if err != nil {
			return nil, err
		}
		earlier, err := newScene(before, look)
		if err != nil {
			return nil, err
		}
		earlier.nowhere = "no longer in the cluster"
		v.Before = inline(drawMap(earlier, "before-", "Before"))
		heading = "After"
	}
	v.After = inline(drawMap(after, "after-", heading))
	running := make(map[string]int64)
	for _, s := range after.services {
		running[s.name] = s.tasks
	}
	for _, name := range p.names() {
		s := look[name]
		v.Services = append(v.Services, serviceRow{
			Name: name, Letter: s.letter, Style: template.CSS(fmt.Sprintf("background:%s;color:%s", s.fill, s.ink)),
			Desired: told(p.DesiredCounts, name), Owner: p.CountOwners[name], Running: running[name],
			Change: p.Changes[name], Unplaced: p.Unplaced[name], Headroom: told(p.Headroom, name),
		})
	}
	for _, name := range slices.Sorted(maps.Keys(p.Unplaced)) {
		if n := p.Unplaced[name]; n > 0 {
			v.Shortfalls = append(v.Shortfalls, shortfall{name, n, p.UnplacedReasons[name]})
		}
	}
	v.Additional = inOrder(p.AdditionalInstances)
	for _, r := range inOrder(p.Rollouts) {
		v.Rolling = append(v.Rolling, named[rollingRow]{r.Name, rollingRow{
			Rollout: r.Value, Good: r.Value.Verdict == "completes", Word: strings.ReplaceAll(r.Value.Verdict, "_", " "),
		}})
	}
	v.Told = inOrder(p.Events)
	for i, r := range p.Timelines {
		title, description := captions(r.Chart)
		row := replayRow{Replay: r, Description: strings.TrimSpace(title + ". " + description)}
		if title == "" {
			row.Title, row.Description = "Autoscaler timeline "+strconv.Itoa(i+1), description
		}
		row.Picture = template.URL("data:image/svg+xml;base64," + base64.StdEncoding.EncodeToString([]byte(r.Chart))) // base64, and a picture runs nothing
		v.Replays = append(v.Replays, row)
	}
	return v, nil
}

// told is a number that may be missing.
func told(m map[string]int64, name string) string {
	if n, ok := m[name]; ok {
		return thousands(n)
	}
	return ""
}

func inOrder[T any](m map[string]T) []named[T] {
	var out []named[T]
	for _, name := range slices.Sorted(maps.Keys(m)) {
		out = append(out, named[T]{name, m[name]})
	}
	return out
}

// names are those of all services, before and after.
func (p Page) names() []string {
	names := p.services()
	names = slices.AppendSeq(names, maps.Keys(p.ChangesByInstance))
	names = slices.AppendSeq(names, maps.Keys(p.DesiredCounts))
	slices.Sort(names)
	return slices.Compact(names)
}

func (p Page) changed() bool {
	for _, at := range p.ChangesByInstance {
		for _, n := range at {
			if n != 0 {
				return true
			}
		}
	}
	return false
}

// before is the map as it was: what runs now less what was added. How full the instances were then isn't told.
func (p Page) before() (PlacementMap, error) {
	out := PlacementMap{Placements: make(map[string]map[string]int64), InstanceZones: p.InstanceZones}
	for name, at := range p.Placements {
		out.Placements[name] = maps.Clone(at)
	}
	var errs []error
	for _, name := range slices.Sorted(maps.Keys(p.ChangesByInstance)) {
		at := out.Placements[name]
		if at == nil {
			at = make(map[string]int64)
			out.Placements[name] = at
		}
		for _, id := range slices.Sorted(maps.Keys(p.ChangesByInstance[name])) {
			n := p.ChangesByInstance[name][id]
			if n < -math.MaxInt32 || n > at[id] {
				errs = append(errs, &FieldError{
					fmt.Sprintf("changes_by_instance[%q][%q]", name, id),
					fmt.Sprintf("is %d, which doesn't go with %s there now", n, count(at[id], "task")),
				})
				continue
			}
			at[id] -= n
		}
	}
	return out, errors.Join(errs...)
}

// inline is a map for use within a page.
func inline(document string) template.HTML {
	_, body, _ := strings.Cut(document, "<svg")
	return template.HTML("<svg" + body) // drawMap has escaped every name
}

// captions are the title and the description of a chart; empty where it has none.
func captions(chart string) (title, description string) {
	decoder := xml.NewDecoder(strings.NewReader(chart))
	decoder.Strict = false
	for {
		token, err := decoder.Token()
		if err != nil {
			return title, description
		}
		start, ok := token.(xml.StartElement)
		if !ok {
			continue
		}
		switch start.Name.Local {
		case "svg":
		case "title":
			if decoder.DecodeElement(&title, &start) != nil {
				return "", description
			}
		case "desc":
			if decoder.DecodeElement(&description, &start) != nil {
				return title, ""
			}
		default:
			return title, description
		}
	}
}
