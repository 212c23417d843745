// Package basic holds the scenarios of the basic profile: groups with the basic policy, whose members are scheduled as
// they come.
//
// A basic group still is a group. Its pods wait for its object, and kube-scheduler tries them together; but it has no
// quorum, so whatever fits is bound. The scenarios are the gang's stories told without the quorum: members one by one,
// pods before their group, a group that fits in part. What a scheduler makes of a group of which nothing fits, and of
// a gated member, is its own affair: it is observed and reported with its value.
//
// Room is made scarce with pods that are created on their nodes, sizes come from the slots a pool has, and that there
// was room (or none) is proven from the record before anything is held against the scheduler.
package basic
