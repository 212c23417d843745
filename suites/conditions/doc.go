// Package conditions holds the scenarios of the conditions profile: what a group says about its own scheduling.
//
// A group has one condition that matters here, PodGroupInitiallyScheduled. It turns True when the group's requirement
// has been met for the first time and stays True for ever; until then it is False with a reason, where an attempt has
// failed. It is read through the dialect, as the View's Satisfied timeline, so that a scheduler with an API of its own
// is judged by the condition that means the same there.
//
// Judged are the type, the status, the documented reasons Unschedulable and SchedulerError, the observed generation
// and the transition time. Not judged are messages, the reason of True, which no document names, and the absence of a
// condition while a group waits for something: that is observed (COND-008).
package conditions
