package main

import (
	"cmp"
	"fmt"
	"io"
	"slices"
)

// print writes a table in Markdown.
func (c *comparison) print(out io.Writer) {
	fmt.Fprintf(out, "\n%s\n\n", c.size.what)
	fmt.Fprintln(out, "| | terraform_data | stowage | ratio | aim | met | CPU seconds | their ratio | provider's peak memory |")
	fmt.Fprintln(out, "| --- | --- | --- | --- | --- | --- | --- | --- | --- |")
	for step := range steps {
		data, stowage := median(c.data.seconds[step]), median(c.stowage.seconds[step])
		aim, met := c.size.judge(step, stowage, stowage/data)
		cpu := median(c.stowage.cpu[step])
		fmt.Fprintf(out, "| %s | %.2f | %.2f | %.2f | %s | %s | %.2f | %.2f | %.0f MiB |\n",
			step, data, stowage, stowage/data, aim, met, cpu, cpu/median(c.data.cpu[step]), c.stowage.memory[step])
	}
}

// judge compares a step with what is aimed at: a ratio, a time, both or nothing.
func (s size) judge(step step, seconds, ratio float64) (aim, met string) {
	good := true
	if most, ok := s.aims[step]; ok {
		aim, good = fmt.Sprintf("%.1f", most), ratio <= most
	}
	if s.within > 0 {
		if aim != "" {
			aim += ", "
		}
		aim, good = aim+fmt.Sprintf("%.0f s", s.within), good && seconds < s.within
	}
	switch {
	case aim == "":
		return "", ""
	case good:
		return aim, "yes"
	}
	return aim, "no"
}

func median[N cmp.Ordered](samples []N) N {
	sorted := slices.Sorted(slices.Values(samples))
	return sorted[len(sorted)/2]
}
