// Command muster answers one question about a Kubernetes scheduler: does it pass muster?
//
// One file holds one verb: its flags in a struct, its RunE, and nothing that decides anything. Data goes to stdout,
// progress and errors to stderr. An error carries its exit code (exit.go); an error without one is muster's own.
//
// The same binary is also every component of the embedded control plane: main hands its arguments to fakes/component
// before anything else happens, and only when they do not name a role is it the command a user typed.
package main
