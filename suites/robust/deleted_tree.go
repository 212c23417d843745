package robust

import (
	"context"

	"muster/suites"
	"muster/workloads/build"
)

// parent is a composite group above a gang, of which it wants the one child it has.
var parent = piece{
	name: "parent",
	create: func(ctx context.Context, env suites.Env, _ doomed, gang string, _ int) error {
		return env.CreateComposite(ctx, build.Composite{Name: above(gang), Quorum: 1, Workload: "w", Template: "composite"})
	},
	delete: func(ctx context.Context, env suites.Env, _ doomed, gang string, _ int) error {
		return env.DeleteComposite(ctx, above(gang))
	},
}

// above is the name of a gang's parent.
func above(gang string) string { return "above-" + gang }

// inTree is a gang below a parent.
var inTree = doomed{
	pieces: []piece{parent, group}, first: []string{"parent", "group", pods},
	gang: func(name string, g *build.Gang) { g.Parent, g.Workload, g.Template = above(name), "w", "group" },
}

func init() {
	suites.Register(scenario(suites.Scenario{
		Name:         "robust-tree-deleted-at-every-stage",
		Summary:      "Trees are deleted at every stage, the composite group, the group or the pods first; the next one takes their room.",
		Requirements: []string{"ROB-016"},
		Needs:        needs(inTree.pools()),
		Weight:       22,
		Drive:        inTree.drive,
		Judge:        inTree.judge("ROB-016"),
	}))
}
