package main

import (
	"strings"

	"muster/fakes/cluster"
)

// meant is the verb that somebody who wrote name is likely to have had in mind: the only one that it begins, or the
// nearest one, where two slips of the hand or fewer lead there and most of the word is right. Empty where nothing is
// likely: to name what is merely the least unlike helps nobody.
func meant(name string, verbs []string) string {
	name = strings.ToLower(name)
	var begun []string
	for _, v := range verbs {
		if strings.HasPrefix(v, name) {
			begun = append(begun, v)
		}
	}
	if len(begun) == 1 {
		return begun[0]
	}
	for _, v := range cluster.Nearest(name, verbs, len(verbs)) {
		if slips := cluster.Distance(name, v); slips <= 2 && 2*slips < len(v) {
			return v
		}
	}
	return ""
}
