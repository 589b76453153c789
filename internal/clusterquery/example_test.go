package clusterquery_test

import (
	"errors"
	"fmt"

	"github.com/terraform-provider-stowage/terraform-provider-stowage/internal/clusterquery"
)

func ExampleParse() {
	x, err := clusterquery.Parse("attribute:ecs.instance-type =~ g2.* && !attribute:ecs.availability-zone == us-east-1d")
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(x)
	// Output: attribute:ecs.instance-type =~ g2.* and not(attribute:ecs.availability-zone == us-east-1d)
}

func ExampleMapLookup() {
	x, err := clusterquery.Parse("attribute:stack == production and not(task:group == database)")
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, groups := range []string{"service:web", "service:web, database"} {
		instance, err := clusterquery.MapLookup(map[string]string{"stack": "production", "task:group": groups})
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println(x.Eval(instance))
	}
	// Output:
	// true
	// false
}

func ExampleSyntaxError_Caret() {
	_, err := clusterquery.Parse("attribute:stack == production and runningTasksCount lt 10")
	var fault *clusterquery.SyntaxError
	if errors.As(err, &fault) {
		fmt.Println(fault)
		fmt.Println(fault.Caret())
	}
	// Output:
	// character 53: unknown operator "lt"; did you mean "<"?
	// attribute:stack == production and runningTasksCount lt 10
	//                                                     ^
}

func ExampleSubjects() {
	x, err := clusterquery.Parse("task:group == web or attribute:ecs.availability-zone in [us-east-1a, us-east-1b]")
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(clusterquery.Subjects(x))
	// Output: [attribute:ecs.availability-zone task:group]
}

func ExampleDependsOnTasks() {
	for _, text := range []string{"attribute:stack exists", "runningTasksCount < 5"} {
		x, err := clusterquery.Parse(text)
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println(text, clusterquery.DependsOnTasks(x))
	}
	// Output:
	// attribute:stack exists false
	// runningTasksCount < 5 true
}

func ExampleParseTime() {
	at, ok := clusterquery.ParseTime("2018-06-18T22:28:28+02:00")
	fmt.Println(at, ok)
	// Output: 2018-06-18 20:28:28 +0000 UTC true
}

func ExampleValidVersion() {
	fmt.Println(clusterquery.ValidVersion("1.14.5"), clusterquery.ValidVersion("v1.14"))
	// Output: true false
}
