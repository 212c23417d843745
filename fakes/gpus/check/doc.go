// Package check finds out whether the data of package gpus holds together, before anything is built on it: every class of
// a model's drivers is evaluated against every device that the model can publish, with the evaluator that the scheduler
// uses, and every attribute and capacity says where it is from.
//
// It stands apart from gpus because the evaluator is large, and whoever only speaks of devices need not link it.
package check
