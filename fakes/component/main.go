package component

import (
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"

	"muster/fakes/cluster/process"
	"muster/fakes/component/guard"
)

// Role is a program this binary can be. It takes its arguments (without a program name) and returns an exit code.
type Role func(args []string) int

// builtin are the roles that come with this package.
var builtin = map[string]Role{
	"etcd":                    etcd,
	"kube-apiserver":          apiserver,
	"kube-controller-manager": controllerManager,
	"kube-scheduler":          scheduler,
	"kwok":                    kwok,
}

// tools are roles that print something and end. They need no leash.
var tools = map[string]Role{"gates": gates}

// Main runs a role and exits if the arguments (os.Args) name one; otherwise it returns. further are roles that other
// rooms bring along.
func Main(argv []string, further map[string]Role) {
	if len(argv) < 2 || argv[1] != process.Verb {
		return
	}
	os.Exit(run(argv[2:], further))
}

func run(argv []string, further map[string]Role) int {
	if len(argv) == 0 {
		fmt.Fprintf(os.Stderr, "muster %s: name a role: %s\n", process.Verb, names(further))
		return 2
	}
	name, args := argv[0], argv[1:]
	if tool, ok := tools[name]; ok {
		return tool(args)
	}
	role, ok := builtin[name]
	if !ok {
		role, ok = further[name]
	}
	if !ok && name != process.Guard {
		fmt.Fprintf(os.Stderr, "muster %s: unknown role %q; roles are %s\n", process.Verb, name, names(further))
		return 2
	}
	leash, err := guard.PickUp()
	if err != nil {
		fmt.Fprintf(os.Stderr, "muster %s %s: %v\n", process.Verb, name, err)
		return 2
	}
	if name == process.Guard { // it ends others before itself, and minds its leash in its own way
		return guard.Run(leash, args)
	}
	go leash.EndGroup()
	// Roles read their command line where a program of its own would find it.
	os.Args = append([]string{name}, args...)
	return role(args)
}

func names(further map[string]Role) string {
	all := append(slices.Collect(maps.Keys(builtin)), process.Guard)
	all = slices.AppendSeq(all, maps.Keys(further))
	slices.Sort(all)
	return strings.Join(all, ", ")
}
