// Package composite holds the scenarios of the composite profile: groups of groups (CompositePodGroup), which are
// scheduled as one tree.
//
// A tree is told in one line: composites with their minimum of children, gangs with their quorum and their parents. What
// must be true of it is counted by gang, since a tree that is bound in part is only wrong where a gang, or a composite
// that needs more children, is. Sizes are small (two children of two pods) and the room is short by one slot or by one
// rack, so that each story has one reason to wait; the oracle proves it from the record, gang by gang.
//
// The order in which children are tried, whether a greedy child may take what a sibling needs, and what becomes of a tree
// whose composites the scheduler is kept from knowing, is a scheduler's own affair and is observed.
package composite
