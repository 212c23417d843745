package main

import (
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"github.com/spf13/pflag"
)

// refuseEmpty refuses flags that are given without a value: a variable that is not set (--scheduler-exec "$CMD") shall
// not quietly mean the default, which may be another scheduler and a long run.
func refuseEmpty(flags *pflag.FlagSet) error {
	var errs []error
	flags.Visit(func(f *pflag.Flag) {
		value := f.Value.String()
		if slice, ok := f.Value.(pflag.SliceValue); ok {
			value = strings.Join(slice.GetSlice(), "")
		}
		if strings.TrimSpace(value) == "" {
			errs = append(errs, fmt.Errorf("--%s is given without a value: give it one, or leave the flag away", f.Name))
		}
	})
	return errors.Join(errs...)
}

// amount is a number with something behind it.
var amount = regexp.MustCompile(`^[0-9.]+[^0-9.]+$`)

// plainly says what is wrong with a flag's value in the user's words instead of the parser's.
func plainly(err error) error {
	var invalid *pflag.InvalidValueError
	if !errors.As(err, &invalid) {
		return err
	}
	what := ""
	switch invalid.GetFlag().Value.Type() {
	case "int", "int64":
		what = "a whole number"
	case "intSlice":
		what = "whole numbers, separated by commas"
	case "float32", "float64":
		what = "a number"
	case "bool":
		what = "true or false"
	case "duration":
		what = "a duration such as 30s or 5m"
	default:
		return err
	}
	switch value := invalid.GetValue(); {
	case errors.Is(err, strconv.ErrRange):
		what += " that is not as big"
	case invalid.GetFlag().Value.Type() == "float64" && strings.HasSuffix(value, "%"):
		what += ": 10 % is 0.1"
	case invalid.GetFlag().Value.Type() != "duration" && amount.MatchString(value):
		what += " without a unit"
	}
	return fmt.Errorf("--%s %q: it wants %s", invalid.GetFlag().Name, invalid.GetValue(), what)
}
