// Package process starts the roles of this binary, and other people's commands, so that none of them can outlive
// their parent.
//
// Linux offers a parent-death signal, but it belongs to the thread that forked and is not inherited by grandchildren.
// So every process started here holds a leash instead: the read end of a pipe, as file descriptor LeashFD, whose only
// write end lies in the parent. However the parent ends, kill -9 included, the kernel closes the write end, the role
// sees end-of-file (fakes/component) and ends its whole process group. A command that is not ours is wrapped in the
// role Guard, which holds the leash on its behalf. A guard that is killed leaves the command's children to this
// process, which ends them.
//
// Each process leads a process group of its own, so that Ctrl-C on a terminal reaches muster alone, which then takes
// everything down in order. Output goes straight into a file; what is worth showing is read back from its end.
package process
