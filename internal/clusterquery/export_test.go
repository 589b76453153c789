package clusterquery

// Terse returns the shortest spelling of an expression.
func Terse(x Expr) string {
	p := printer{terse: true}
	x.print(&p)
	return p.String()
}
