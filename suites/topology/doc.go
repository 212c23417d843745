// Package topology holds the scenarios of the topology profile: groups that demand one domain of a node label.
//
// The racks of a scenario are its own: their label key is unique to it, so no other scenario's nodes are candidates.
// Most stories turn on a choice that is made hard: the rack with room is the one the group must not use. Before a late
// or replaced member comes, the other rack is the emptier one; before a group is expected to wait, every rack is too
// small though the racks together are not. That this is so is asked of the oracle, at a mark, before anything is held
// against the scheduler.
//
// What a domain's members do over the whole history is judged twice: by the scenario, at its marks, and by the invariant
// OneDomain, at every bind.
//
// Which of several domains that would do is taken, and how well it is filled, is a scheduler's own affair. It is
// measured against the best choice there was, and reported.
package topology
