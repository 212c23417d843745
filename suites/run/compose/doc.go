// Package compose puts a report together: from scenario results to the versioned report type, by way of the fold.
//
// A live run and `muster judge` compose alike; what a stored history cannot know (how long the scheduler took to start,
// which options were given) is left out there and nothing else differs.
package compose
