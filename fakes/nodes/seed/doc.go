// Package seed puts simulated nodes and their devices into the storage of a cluster that has not started yet. It is to
// register what a restored backup is to a busy day: the same objects, without the requests.
//
// An object in storage is more than what was asked for: the API server gives it a uid, a creation time, a generation, and
// a note of who owns which field. Seeded objects have all of it, and nothing tells them from others; the test of this
// package creates the same through the API and compares field by field.
package seed
