// Package gang holds the scenarios of the gang profile: what a scheduler does with pods that must start together.
//
// Each file is one story, told as a scenario value. Most of them turn on a single step: something is missing (a member,
// room, the group itself), the gang waits, the missing piece arrives, the gang is bound. What must not happen is watched
// for as long as the scheduler's settle bound; what must happen is waited for generously and counted at a mark.
//
// Room is made scarce with pods that are created on their nodes, so that no scheduler has a part in the set-up, and the
// sizes of gangs come from the slots a pool has, never from constants. That a gang was short, and by how much, is proven
// from the record before anything is held against the scheduler.
//
// Three things are deliberately not looked at: how many attempts were made and when, which of several equal nodes was
// chosen, and what a waiting gang's conditions say. Whatever a scheduler may do as it likes is observed (GANG-011, 014,
// 018, 030) and reported with its value.
package gang
