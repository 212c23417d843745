// Package evidence leaves a folder behind for every scenario that did not pass: the slice of the history that its
// verdict rests on (which `muster judge` judges again by itself), the objects in their last form, the end of the
// scheduler's log, the seed, and the findings in words.
package evidence
