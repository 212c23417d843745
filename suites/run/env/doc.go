// Package env is the stage a scenario acts on: the implementation of suites.Env.
//
// Every deed goes through one place (act.go), which sends the request, turns the answer into a history.Response and
// hands both to the journal, so that nothing the driver does can be mistaken for the scheduler's doing. Waiting is
// never polling: Await is a question put to the live view after every recorded event, and Hold is a clock that also
// ends when the run does. How a wait ended is recorded too, since a judge may rely on it.
//
// Names of cluster-scoped objects, of topology keys and of node pools are unique to a scenario; the begin event says
// what belongs to it, so that a stored history can be cut apart again.
package env
