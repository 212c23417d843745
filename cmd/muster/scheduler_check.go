package main

import (
	"errors"
	"fmt"
	"math"
	"net"
	"slices"
	"strings"
	"time"

	"github.com/spf13/pflag"
	"k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/client-go/tools/leaderelection"

	"muster/scheduler/control"
)

// check refuses what muster scheduler cannot run with, before the cluster is asked for anything.
func (f *schedulerFlags) check(flags *pflag.FlagSet) error {
	if err := refuseBlank(flags); err != nil {
		return err
	}
	switch qps := float64(f.qps); {
	case f.process.HeadWait <= 0:
		return fmt.Errorf("--head-wait %s: it has to be positive; the longer, the less room is kept", f.process.HeadWait)
	case f.process.Binders < 1:
		return fmt.Errorf("--bind-parallel %d: at least one bind has to be possible at a time", f.process.Binders)
	case !(qps > 0) || math.IsInf(qps, 0) || f.burst < 1: // not a number is neither
		return errors.New("--kube-api-qps and --kube-api-burst have to be positive, and finite")
	case f.verbosity < 0:
		return fmt.Errorf("--v %d: it cannot be negative", f.verbosity)
	}
	if len(f.process.Names) == 0 {
		return errors.New("--scheduler-name is given without a name: name the schedulerName of the pods to schedule, or leave the flag away")
	}
	for i, name := range f.process.Names {
		if wrong := validation.IsDNS1123Subdomain(name); len(wrong) > 0 {
			return fmt.Errorf("--scheduler-name %q: no pod can name it: %s", name, strings.Join(wrong, "; "))
		}
		if slices.Contains(f.process.Names[:i], name) {
			return fmt.Errorf("--scheduler-name: %s is named twice", name)
		}
	}
	if f.elect {
		if err := checkLease(f.lease); err != nil {
			return err
		}
		for flag, name := range map[string]string{
			"--leader-elect-resource-name": f.lease.Name, "--leader-elect-resource-namespace": f.lease.Namespace,
		} {
			if wrong := validation.IsDNS1123Subdomain(name); len(wrong) > 0 {
				return fmt.Errorf("%s %q: no lease can be called that: %s", flag, name, strings.Join(wrong, "; "))
			}
		}
	}
	if f.process.Address == "" {
		if f.process.Profiling {
			return errors.New("--profiling: it is served at --address, which is empty; give one")
		}
		return nil
	}
	if _, err := net.ResolveTCPAddr("tcp", f.process.Address); err != nil {
		return fmt.Errorf("--address %s: %w (write host:port, such as 127.0.0.1:10271)", f.process.Address, err)
	}
	return nil
}

// checkLease refuses times with which no lease can be held.
func checkLease(l control.Lease) error {
	const jitter = leaderelection.JitterFactor
	switch {
	case l.RetryPeriod <= 0:
		return fmt.Errorf("--leader-elect-retry-period %s: it has to be positive", l.RetryPeriod)
	case float64(l.RenewDeadline) <= jitter*float64(l.RetryPeriod):
		return fmt.Errorf("--leader-elect-renew-deadline %s: it has to be longer than %v times --leader-elect-retry-period %s, so that there is a second try",
			l.RenewDeadline, jitter, l.RetryPeriod)
	case l.Duration <= l.RenewDeadline:
		return fmt.Errorf("--leader-elect-lease-duration %s: it has to be longer than --leader-elect-renew-deadline %s, or two would lead at a time",
			l.Duration, l.RenewDeadline)
	case l.Duration < time.Second:
		return fmt.Errorf("--leader-elect-lease-duration %s: leases count in whole seconds", l.Duration)
	}
	return nil
}

// refuseBlank is refuseEmpty, but for --address, which is left empty to serve nothing, and --scheduler-name, of which each is
// checked.
func refuseBlank(flags *pflag.FlagSet) error {
	var err error
	flags.Visit(func(f *pflag.Flag) {
		if f.Name != "address" && f.Name != "scheduler-name" && strings.TrimSpace(f.Value.String()) == "" {
			err = errors.Join(err, fmt.Errorf("--%s is given without a value: give it one, or leave the flag away", f.Name))
		}
	})
	return err
}
