// Package record writes the history of a cluster while it happens.
//
// A Recorder keeps one raw watch for each resource: no selectors and no informers, since an informer hides exactly
// what a judge wants to know (that a watch broke, that objects were listed again, the forms in between). Every event
// is reduced to what may be kept (no managed fields, no environment values, no Secrets), turned into a patch against
// the object's last form, written as a line, and handed to the subscribers, who see what a reader of the file will
// see because the same history.Folder made it.
//
// The runner adds what watches cannot tell: the driver's actions with their answers (Action) and measurements of
// processes (Sample). All of it gets its number and time under one lock, so the numbers are the order of receipt.
//
// When is the record complete? Sync compares a consistent list of a scenario's objects with what the watches have
// delivered and waits until they agree; Close does the same for everything and writes the list into the file, so that
// a reader can tell a complete record from one that was cut off. A connection that breaks is no gap as long as the
// watch can go on from the resource version it had reached; when it cannot (410, or an ERROR event), the recorder
// writes that down, lists again, and readers know that events may be missing there.
//
// Where many record parts of one cluster at the same time, a Hub watches it for all of them: each has its own history, with its
// own numbers, gaps and closing lists, and is told of nothing but what is its own.
//
// Start with Start, subscribe before creating what is to be seen, and Close at the end.
package record
