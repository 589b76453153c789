// Package placement decides on which instance a task runs, which task goes when there are too many, and says why a task
// finds no place, as the service scheduler of Amazon ECS does.
//
// A [Ledger] is the account of a cluster: what runs where, what is reserved, what is left. Its verbs are Place, Victims,
// Headroom and Explain. It is a model: it reads no clock and no environment, and the same calls have the same answers.
//
// # Which instances may take a task
//
// An instance is asked in this order, and ruled out by the first check that it does not pass: status (ACTIVE) and agent
// (connected); required attributes; the zones of the service's subnets; the memberOf constraints of the task definition
// and the service, all of which bind, those on what the instance is before those on what runs there; distinctInstance;
// static host ports, which TCP and UDP have apart and of which at most 100 are reserved at a time, the agent's own
// included; CPU, memory, GPUs and network interfaces. A size of zero is never short.
//
// Where AWS says nothing, this package does what follows:
//
//   - A task counts as soon as it is placed and until it begins to stop, in every respect (see Ledger). So each task of a
//     batch sees the ones before it, runningTasksCount and task:group included.
//   - Tasks of all revisions of a service, also those on instances that take no more, count for its spreads, its default
//     balance and its distinctInstance.
//   - Tasks outside the configuration count for runningTasksCount and, by their groups, for task:group and distinctInstance.
//     A spread does not see them.
//   - A DAEMON service has one task per instance by nature, so distinctInstance says nothing about it.
//   - What a task would need of the agent (com.amazonaws.ecs.capability.*, ecs.capability.*) is taken to be there unless
//     the instance says otherwise.
//
// # Which instance of them
//
// The links of the ordered placement strategy decide in turn, each among the instances that the one before left tied; the
// order of instances decides last. spread takes the bucket with fewest tasks of the service, where instances without the
// attribute are one bucket; binpack the instance with least left of the resource, reserved and not used; random draws from
// the seed, after which nothing is left to decide. Without a strategy the zones are balanced, and in a zone the instances:
// an explicit spread over zones is only the first half of that.
//
// Tasks are stopped by the mirror of the rule: from the bucket with most tasks, from where most of the resource would be
// free after the stop, or any task. The last tie goes to the first in the order of instances here too.
//
// # Speed
//
// What can be decided once for all instances that look alike is: constraints and attributes, for each cluster.Class. An
// index then finds the best instance for each task in logarithmic time; see index.
//
// Sources: Amazon ECS Developer Guide, "How Amazon ECS places tasks on container instances", "Use strategies to define
// Amazon ECS task placement", "Define which container instances Amazon ECS uses for tasks", "Amazon ECS services";
// aws/amazon-ecs-agent, host_resource_manager.go.
package placement
