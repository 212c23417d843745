package undertest

import (
	"slices"
	"strings"
	"testing"
)

func TestMutantsAreTheReferenceWithAFault(t *testing.T) {
	if err := (Options{Scheduler: MutantPrefix + "any-name"}).Check(nil); err != nil {
		t.Fatal(err)
	}
	if err := (Options{Scheduler: MutantPrefix}).Check(nil); err == nil {
		t.Error("a mutant without a name was taken")
	}
	b, ok := builtinOf(MutantPrefix + "any-name")
	if !ok || b.role != Reference {
		t.Fatalf("it is started as %q", b.role)
	}
	args, err := b.args(launch{names: []string{"a"}})
	if err != nil || !slices.Contains(args, "--mutant=any-name") {
		t.Errorf("%q, %v: it is not told its fault", args, err)
	}
	if own, err := builtins[Reference].args(launch{names: []string{"a"}}); err != nil || strings.Contains(strings.Join(own, " "), "--mutant") {
		t.Errorf("%q, %v: the reference has a fault", own, err)
	}
	p, ok := BuiltinProfile(MutantPrefix + "any-name")
	reference, _ := BuiltinProfile(Reference)
	if !ok || p.Name != "mutant:any-name" || p.SettleBase != reference.SettleBase {
		t.Errorf("%+v", p)
	}
}
