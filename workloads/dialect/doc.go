// Package dialect translates between the neutral gang of workloads/build and the API of one scheduler.
//
// Schedulers that place pods together each have their own word for "these pods are one": a PodGroup of
// scheduling.k8s.io, a PodGroup of somebody else's group, a label on the pod. What they mean is the same, so scenarios
// and checks speak of gangs, and a dialect is the only thing that knows an API. It has two sides:
//
//   - render: a neutral gang becomes objects, a pod becomes a member, a change of quorum becomes a patch;
//   - read: an object becomes a neutral Group, a pod says which gang it belongs to.
//
// Reading is as important as rendering: the same checks judge a history of any scheduler, also one that muster
// did not drive.
//
// A dialect is data, one YAML file (see native.yaml for all that can be said). No Go code belongs to one API. The
// read side is a list of paths ("spec.topology[0].key", `metadata.labels["gang.example.com/name"]`); the render side
// is the objects themselves with a handful of variables in them:
//
//   - a value "$quorum" is replaced by the variable, as number, text or map, and its key disappears when it is empty;
//   - a map with the key "$when: quorum" stays only while the variable is not empty ("!quorum": while it is);
//   - a map {"$when": …, "$value": x} is x where it stays;
//   - "$$" at the start of a value is a plain dollar sign.
//
// The variables are name, namespace, basic, quorum, priorityClass, queue, topologyKey, disruptAll, labels, parent,
// resourceClaims, workload, template and schedulerName. A gang that uses a variable which the dialect never mentions cannot be said in that
// API: Render answers ErrCannotSay instead of creating something weaker than what was asked for.
//
// Where an API has groups of groups, read.composite and render.composite say how they are read and written, in the same
// words; their quorum counts groups.
//
// Start with Load("native"), or Parse for a file of your own.
package dialect
