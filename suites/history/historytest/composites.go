package historytest

import "muster/suites/history"

var composites = stream{"scheduling.k8s.io", "v1alpha3", "compositepodgroups"}

// Under makes a gang or composite a child of the named composite.
func Under(parent string) GangOption {
	return func(g map[string]any) { g["spec"].(map[string]any)["parentCompositePodGroupName"] = parent }
}

// DisruptedTogether makes a gang or composite one that is only disrupted as a whole.
func DisruptedTogether(g map[string]any) {
	g["spec"].(map[string]any)["disruptionMode"] = map[string]any{"all": map[string]any{}}
}

// Composite creates a CompositePodGroup with the gang policy.
func (b *Builder) Composite(name string, quorum int32, opts ...GangOption) *Builder {
	return b.composite(name, map[string]any{"gang": map[string]any{"minGroupCount": quorum}}, opts)
}

// BasicComposite creates a CompositePodGroup with the basic policy.
func (b *Builder) BasicComposite(name string, opts ...GangOption) *Builder {
	return b.composite(name, map[string]any{"basic": map[string]any{}}, opts)
}

func (b *Builder) composite(name string, policy map[string]any, opts []GangOption) *Builder {
	c := map[string]any{
		"metadata": map[string]any{},
		"spec": map[string]any{
			"schedulingPolicy": policy,
			"workloadRef":      map[string]any{"workloadName": "w", "templateName": "t"},
		},
		"status": map[string]any{},
	}
	for _, f := range opts {
		f(c)
	}
	return b.put(&object{stream: composites, namespace: Namespace, name: name, uid: b.uid(name), value: c}, history.VerbAdded)
}

// CompositeSays writes the composite's CompositePodGroupInitiallyScheduled condition.
func (b *Builder) CompositeSays(name, status, reason string) *Builder {
	o := b.find(composites.resource, Namespace, name)
	o.value.(map[string]any)["status"] = map[string]any{"conditions": []any{map[string]any{
		"type": "CompositePodGroupInitiallyScheduled", "status": status, "reason": reason, "message": "",
		"lastTransitionTime": started.Add(b.now).Format("2006-01-02T15:04:05Z"),
	}}}
	return b.put(o, history.VerbModified)
}

// CompositeGone removes a composite's object.
func (b *Builder) CompositeGone(name string) *Builder {
	return b.put(b.find(composites.resource, Namespace, name), history.VerbDeleted)
}
