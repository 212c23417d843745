// Package shapes is a small controller for two shapes of workload that Kubernetes itself has none for: a set of Jobs
// that belong together, and replicas of a leader with its workers.
//
// It exists to use the published library for such controllers (component-helpers, workloadbuilder) the way its
// documentation says, so that suites can judge what comes of it: the shape is compiled into one Workload, PodGroups are
// materialised from the Workload's templates, and pods name their PodGroup. For the set of Jobs the controller leaves
// the PodGroups to the Job controller, by the annotation that delegates them; for leaders and workers it makes one
// PodGroup a replica itself, or, as a Tree, a composite of two groups a replica.
//
// Where the library stops, the shape goes on by hand and says so: it materialises no PodGroup from a template that is
// nested in a composite, and it links no group to its parent.
//
// Objects is what should exist, in the order in which it has to be created. Reconcile creates what is missing; it can be
// called again and again. Whoever uses a shape brings the Client.
package shapes
