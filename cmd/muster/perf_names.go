package main

import (
	"errors"
	"fmt"

	"github.com/spf13/pflag"

	"muster/fakes/undertest"
	"muster/perf/runner"
)

// nameFlags say which schedulerName pods carry while schedulers are measured, and what is known of a command.
type nameFlags struct {
	names       []string
	profileFile string
}

func (n *nameFlags) add(flags *pflag.FlagSet) {
	flags.StringSliceVar(&n.names, "scheduler-name", nil,
		"schedulerNames that every side schedules for; pods carry the first (default those of its profile)")
	flags.StringVar(&n.profileFile, "scheduler-profile", "",
		"file with what is known about the schedulers that are given as commands; built-in ones have their own")
}

// apply tells the sides. Names go to all of them, so that pods are alike; the profile goes to commands, since what is known
// of the built-in ones is known.
func (n *nameFlags) apply(sides []runner.Side) error {
	var profile undertest.Profile
	if n.profileFile != "" {
		var err error
		if profile, err = undertest.LoadProfile(n.profileFile); err != nil {
			return fmt.Errorf("--scheduler-profile: %w", err)
		}
	}
	commands := 0
	for i := range sides {
		sides[i].Scheduling.Names = n.names
		if sides[i].Scheduling.Exec != "" {
			sides[i].Scheduling.Profile = profile
			commands++
		}
	}
	if n.profileFile != "" && commands == 0 {
		return errors.New("--scheduler-profile: no side is a command, and built-in schedulers have profiles of their own; leave it away")
	}
	return nil
}
