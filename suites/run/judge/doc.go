// Package judge reads histories and says what they show, scenario by scenario.
//
// There is one way from a record to findings, and both kinds of verdict take it: a live run reads back the file it has
// just written, and `muster judge` reads one that may be years old. So a live verdict is by construction the offline
// verdict, and a judge that was improved can be tried on every history there is.
//
// A judge that panics is a mistake in muster and says nothing about the scheduler: the panic becomes an Error finding
// with its stack for every requirement that was to be judged.
package judge
