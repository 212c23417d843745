package env

import (
	"context"
	"fmt"

	"muster/suites/history"
	"muster/workloads/build"
)

// CreateGang creates the objects that the dialect writes the gang as.
func (e *Env) CreateGang(ctx context.Context, g build.Gang) error {
	if g.Namespace == "" {
		g.Namespace = e.Namespace()
	}
	if g.SchedulerName == "" {
		g.SchedulerName = e.SchedulerName()
	}
	if real, ok := e.o.Scope.Names["priorityclass/"+g.PriorityClass]; ok {
		g.PriorityClass = real
	}
	objects, err := e.o.Dialect.Render(g)
	if err != nil {
		return err
	}
	e.remember(g)
	for _, obj := range objects {
		gvr, ok := e.o.Dialect.ResourceOf(obj.GroupVersionKind())
		if !ok {
			return fmt.Errorf("creating gang %s: dialect %s does not say where a %s is created", g.Name, e.o.Dialect.Name(), obj.GetKind())
		}
		if obj.GetNamespace() == "" {
			obj.SetNamespace(g.Namespace)
		}
		if err := e.must(ctx, request{verb: history.VerbCreate, gvr: gvr, namespace: obj.GetNamespace(), object: obj}); err != nil {
			return err
		}
	}
	return nil
}

// CreateComposite creates the object that the dialect writes a composite group as.
func (e *Env) CreateComposite(ctx context.Context, c build.Composite) error {
	if c.Namespace == "" {
		c.Namespace = e.Namespace()
	}
	if real, ok := e.o.Scope.Names["priorityclass/"+c.PriorityClass]; ok {
		c.PriorityClass = real
	}
	obj, gvr, err := e.o.Dialect.RenderComposite(c)
	if err != nil {
		return err
	}
	return e.must(ctx, request{verb: history.VerbCreate, gvr: gvr, namespace: c.Namespace, object: obj})
}

// DeleteComposite deletes a composite group's object, not what belongs to it.
func (e *Env) DeleteComposite(ctx context.Context, name string) error {
	gvr, ok := e.o.Dialect.CompositeResource()
	if !ok {
		return fmt.Errorf("deleting composite group %s: dialect %s has no composite groups", name, e.o.Dialect.Name())
	}
	return e.must(ctx, request{verb: history.VerbDelete, gvr: gvr, namespace: e.Namespace(), name: name})
}

// SetQuorum changes a gang's minCount.
func (e *Env) SetQuorum(ctx context.Context, gang string, quorum int32) error {
	gvr, patch, err := e.o.Dialect.QuorumPatch(gang, quorum)
	if err != nil {
		return err
	}
	return e.must(ctx, request{verb: history.VerbPatch, gvr: gvr, namespace: e.Namespace(), name: gang, patch: patch})
}

// DeleteGang deletes the gang's object, not its pods.
func (e *Env) DeleteGang(ctx context.Context, gang string) error {
	return e.must(ctx, request{verb: history.VerbDelete, gvr: e.o.Dialect.GangResource(), namespace: e.Namespace(), name: gang})
}

func (e *Env) remember(g build.Gang) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.gangs[g.Namespace+"/"+g.Name] = g
}

// gang is what is known about a gang that may not have been created yet; nil where nothing is.
func (e *Env) gang(namespace, name string) *build.Gang {
	e.mu.Lock()
	defer e.mu.Unlock()
	if g, ok := e.gangs[namespace+"/"+name]; ok {
		return &g
	}
	return nil
}
