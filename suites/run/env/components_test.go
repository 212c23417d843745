package env

import (
	"context"
	"errors"
	"slices"
	"testing"

	"muster/suites"
	"muster/suites/history"
)

// plane is a control plane that writes down what is done to it.
type plane struct {
	done []string
	fail bool
}

func (p *plane) StopComponent(_ context.Context, name string) error {
	p.done = append(p.done, "stop "+name)
	return p.err()
}

func (p *plane) StartComponent(_ context.Context, name string, gates, runtimeConfig map[string]bool) error {
	what := "start " + name
	if len(gates)+len(runtimeConfig) > 0 {
		what += " otherwise"
	}
	p.done = append(p.done, what)
	return p.err()
}

func (p *plane) err() error {
	if p.fail {
		return errors.New("it does not obey")
	}
	return nil
}

// Whatever a scenario leaves stopped or changed is as the cluster had it when the scenario has ended.
func TestComponentsAreRestored(t *testing.T) {
	const api, controllers = suites.APIServer, suites.ControllerManager
	other := suites.Flags{Gates: map[string]bool{"GenericWorkload": false}}
	for _, tt := range []struct {
		name string
		do   func(context.Context, suites.Components) error
		want []string
	}{
		{"nothing was done", func(context.Context, suites.Components) error { return nil }, nil},
		{"left stopped", func(ctx context.Context, c suites.Components) error {
			return c.StopComponent(ctx, controllers)
		}, []string{"stop " + controllers, "start " + controllers}},
		{"started again", func(ctx context.Context, c suites.Components) error {
			return errors.Join(c.StopComponent(ctx, controllers), c.StartComponent(ctx, controllers, suites.Flags{}))
		}, []string{"stop " + controllers, "start " + controllers}},
		{"left with other flags", func(ctx context.Context, c suites.Components) error {
			return errors.Join(c.StopComponent(ctx, api), c.StartComponent(ctx, api, other))
		}, []string{"stop " + api, "start " + api + " otherwise", "stop " + api, "start " + api}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			p, j := &plane{}, newJournal()
			e := New(Options{
				Scenario: suites.Scenario{Name: "s"}, Scope: history.Scope{Namespaces: []string{"ns"}}, Journal: j, Components: p,
			})
			defer e.Close()
			c, err := suites.ComponentsOf(e)
			if err != nil {
				t.Fatal(err)
			}
			if err := tt.do(t.Context(), c); err != nil {
				t.Fatal(err)
			}
			e.End(t.Context(), "executed", "")
			if !slices.Equal(p.done, tt.want) {
				t.Errorf("done: %q, want %q", p.done, tt.want)
			}
			stops, starts := 0, 0
			for _, ev := range j.events {
				switch ev.Verb {
				case history.VerbBreak:
					stops++
				case history.VerbMend:
					starts++
				}
			}
			if stops+starts != len(tt.want) || stops != starts {
				t.Errorf("recorded: %d stops and %d starts", stops, starts)
			}
		})
	}
}

func TestComponentsThatDoNotObey(t *testing.T) {
	e := New(Options{Scenario: suites.Scenario{Name: "s"}, Scope: history.Scope{Namespaces: []string{"ns"}}, Journal: newJournal()})
	defer e.Close()
	if _, err := suites.ComponentsOf(e); err == nil {
		t.Error("components where there are none")
	}
	e.o.Components = &plane{fail: true}
	c, err := suites.ComponentsOf(e)
	if err != nil {
		t.Fatal(err)
	}
	if c.StopComponent(t.Context(), suites.APIServer) == nil || c.StartComponent(t.Context(), suites.APIServer, suites.Flags{}) == nil {
		t.Error("an error is lost")
	}
}
