// Package clusterquery implements the Amazon ECS cluster query language: the expressions
// of memberOf placement constraints and of the ListContainerInstances filter.
//
// An expression is parsed once and evaluated against any number of container instances:
//
//	x, err := clusterquery.Parse("attribute:ecs.instance-type =~ t3.* and runningTasksCount < 10")
//	…
//	eligible := x.Eval(instance) // instance implements Lookup
//
// # Grammar
//
//	expr       = and { ( "or" | "||" ) and } .
//	and        = unary { ( "and" | "&&" ) unary } .
//	unary      = ( "not" | "!" ) unary | "(" expr ")" | comparison .
//	comparison = subject ( exists | binary value | member "[" value { "," value } "]" ) .
//	exists     = "exists" | "!exists" | "not_exists" .
//	member     = "in" | "!in" | "not_in" .
//	binary     = "==" | "equals" | "!=" | "not_equals"
//	           | ">"  | "greater_than" | ">=" | "greater_than_equal"
//	           | "<"  | "less_than"    | "<=" | "less_than_equal"
//	           | "=~" | "matches"      | "!~" | "not_matches" .
//	subject    = "agentConnected" | "agentVersion" | "ec2InstanceId" | "registeredAt"
//	           | "runningTasksCount" | "task:group" | "attribute:" name .
//	value      = bareword | "'" … "'" | '"' … '"' .
//
// A bareword ends at white space, a comma, a bracket, a parenthesis or a quote. There are no
// escapes: a value with spaces or brackets is quoted, and so can hold one kind of quote only.
// A bareword may not begin with an operator character nor contain && or ||, which catches
// "attribute:a==b&&attribute:c==d", an expression that would otherwise compare one odd value.
// Keywords are lower-case. AWS leaves the precedence open; here it is the usual one, not
// before and before or, each grouping to the left.
//
// # Meaning
//
// Each subject takes the operators that AWS documents for it; for attribute:NAME, where none
// are listed, all; for task:group all but the orderings.
//
//   - attribute:NAME compares text, byte for byte. An ordering compares numbers if both sides
//     are decimal numbers, else text. Every comparison with an attribute that the instance does
//     not have is false, != and !in and !~ included (aws/containers-roadmap#486); only !exists
//     is true. An attribute without a value exists and is empty.
//   - task:group holds if the group of at least one hosted task satisfies the comparison, so
//     anti-affinity is written not(task:group == X), and task:group != X is another question.
//   - agentVersion compares dotted numbers part by part: 1.9.0 < 1.14.5, 1.14 == 1.14.0.
//   - registeredAt compares instants. A value without a zone is UTC, one without a time midnight.
//   - runningTasksCount compares whole numbers.
//   - agentConnected is true or false; ec2InstanceId is text.
//
// A pattern of =~ and !~ is a java.util.regex pattern that must match the whole value. It is
// translated to RE2 and so matches in time linear in the value; what RE2 cannot express
// (look-around, back-references, possessive and atomic groups, …) is a SyntaxError that says so.
//
// Source: Amazon ECS Developer Guide, "Create expressions to define container instances for
// Amazon ECS tasks" (cluster-query-language).
package clusterquery
