// Package guard is the children's side of the leash (see fakes/cluster/process): how a role notices the end of its
// parent, and how a command that knows nothing of it is ended all the same. It imports no Kubernetes, so that it can be
// tested without linking any.
package guard
