package history

import (
	"maps"
	"slices"

	resourceapi "k8s.io/api/resource/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

// What ResourceClaims are recorded as.
const (
	claimsGroup    = resourceapi.GroupName
	claimsResource = "resourceclaims"
)

// claimTrack is a claim of the view while it is built.
type claimTrack struct {
	claim *Claim
	seen  seen
}

// claim takes an event of a ResourceClaim. One that does not read as such is left out; the folder has then noted a gap
// already, or the object is of a version that is not known here.
func (b *Builder) claim(f *Folded) {
	if !b.view.Scope.hasNamespace(f.Namespace) {
		return
	}
	obj := &resourceapi.ResourceClaim{}
	if err := convert(f.Whole, obj); err != nil {
		b.gaps = append(b.gaps, &Gap{Resource: claimsResource + "." + claimsGroup, From: f.At, To: f.At, Why: "a claim cannot be read: " + err.Error()})
		return
	}
	t := b.claims[f.UID]
	if t == nil {
		t = &claimTrack{claim: &Claim{Namespace: f.Namespace, Name: f.Name, UID: f.UID, Created: f.At}}
		if by := metav1.GetControllerOf(obj); by != nil {
			t.claim.Owner = string(by.UID)
		}
		b.claims[f.UID] = t
		b.view.addClaim(t.claim)
	}
	if t.seen.news(f) {
		t.claim.advance(f, obj)
	}
}

func (c *Claim) advance(f *Folded, obj *resourceapi.ResourceClaim) {
	c.Object = obj
	c.Versions = append(c.Versions, At[string]{f.At, f.RV})
	if c.Deleting.IsZero() && (obj.DeletionTimestamp != nil || f.Verb == VerbDeleted) {
		c.Deleting = f.At
	}
	if f.Verb == VerbDeleted {
		c.Gone = f.At
	}
	if was, _ := Latest(c.Allocated); !equality.Semantic.DeepEqual(was.Result, obj.Status.Allocation) {
		c.Allocated = append(c.Allocated, At[Allocation]{f.At, Allocation{Result: obj.Status.Allocation, RV: f.RV}})
	}
	now := consumers(obj)
	if was, _ := Latest(c.Reserved); !slices.Equal(was, now) {
		c.Reserved = append(c.Reserved, At[[]Consumer]{f.At, now})
	}
}

func consumers(obj *resourceapi.ResourceClaim) []Consumer {
	var out []Consumer
	for _, r := range obj.Status.ReservedFor {
		resource := r.Resource
		if r.APIGroup != "" {
			resource += "." + r.APIGroup
		}
		out = append(out, Consumer{Resource: resource, Name: r.Name, UID: string(r.UID)})
	}
	return out
}

func (v *View) addClaim(c *Claim) {
	created := func(c *Claim) Stamp { return c.Created }
	v.Claims = insertBy(v.Claims, c, created)
	key := c.Namespace + "/" + c.Name
	v.data.claimsByName[key] = insertBy(v.data.claimsByName[key], c, created)
}

// noteGenerated follows status.resourceClaimStatuses of a gang's object. APIs without that field have nothing to say.
func (g *Gang) noteGenerated(f *Folded) {
	list, _, _ := unstructured.NestedSlice(f.Whole, "status", "resourceClaimStatuses")
	now := make(map[string]string, len(list))
	for _, e := range list {
		if m, ok := e.(map[string]any); ok {
			entry, _ := m["name"].(string)
			claim, _ := m["resourceClaimName"].(string)
			now[entry] = claim
		}
	}
	if was, _ := Latest(g.Generated); !maps.Equal(was, now) {
		g.Generated = append(g.Generated, At[map[string]string]{f.At, now})
	}
}
