package engine

import "fmt"

// Code says what kind of thing is missing or wrong.
type Code uint8

// The codes. The comment says which fields of Reason are set besides Code.
const (
	NoReason             Code = iota
	ShortOfMembers            // Have members of Need exist
	GroupMissing              // Object: the PodGroup that does not exist
	ParentMissing             // Object: the CompositePodGroup that does not exist
	Gated                     // Have members have scheduling gates; Object: one of them
	ShortOfGroups             // Have children of Need can be satisfied
	NoRoom                    // Have of Need pods can be placed; with Detail, why not although the room would do
	NoDomain                  // no domain of Key takes Need pods; Domain is the best one, and takes Have; Detail as for NoRoom
	Mixed                     // Detail: what the members disagree on
	DomainLost                // Key; Object: a bound member whose node is gone or carries no such label
	DomainSplit               // Key; Detail: the domains in which members stand
	ParentCycle               // Object: a group that is its own ancestor
	ParentTooDeep             // Need levels are allowed
	Unsupported               // Detail: the feature, Object: the pod
	Invalid                   // Detail: what could not be read, Object: the pod
	ClaimMissing              // Object: the PersistentVolumeClaim that does not exist
	ClaimUnbound              // Object: the claim that must be bound before any pod may use it
	ClaimLeaving              // Object: the claim that is being deleted
	ClaimForeign              // Object: the claim of an ephemeral volume that was not made for the pod, Detail: the pod
	ResourceClaimMissing      // Object: the ResourceClaim; or with Detail, how it is to be made
	DeviceClassMissing        // Object: the DeviceClass that does not exist
	DeviceFault               // Detail: what is wrong with a claim, a class or a device
)

var codeNames = [...]string{"NoReason", "ShortOfMembers", "GroupMissing", "ParentMissing", "Gated", "ShortOfGroups",
	"NoRoom", "NoDomain", "Mixed", "DomainLost", "DomainSplit", "ParentCycle", "ParentTooDeep", "Unsupported", "Invalid",
	"ClaimMissing", "ClaimUnbound", "ClaimLeaving", "ClaimForeign", "ResourceClaimMissing", "DeviceClassMissing", "DeviceFault"}

// String is the name of the constant.
func (c Code) String() string { return codeNames[c] }

// Reason says in a structured way why something was not placed. See Explain for amounts and counts of nodes.
type Reason struct {
	Code        Code
	Have, Need  int
	Object      string
	Key, Domain string
	Detail      string
}

// String is a sentence for people.
func (r Reason) String() string {
	switch r.Code {
	case NoReason:
		return ""
	case ShortOfMembers:
		return fmt.Sprintf("%d of the %d members of the quorum exist", r.Have, r.Need)
	case GroupMissing:
		return fmt.Sprintf("PodGroup %s does not exist", r.Object)
	case ParentMissing:
		return fmt.Sprintf("CompositePodGroup %s, named as parent, does not exist", r.Object)
	case Gated:
		return fmt.Sprintf("%d members have scheduling gates, pod %s among them", r.Have, r.Object)
	case ShortOfGroups:
		return fmt.Sprintf("%d of the %d child groups that are needed can be placed", r.Have, r.Need)
	case NoRoom:
		if r.Detail != "" {
			return fmt.Sprintf("there is no room for the %d pods that must be placed: %s", r.Need, r.Detail)
		}
		return fmt.Sprintf("there is room for %d of %d pods", r.Have, r.Need)
	case NoDomain:
		if r.Domain == "" {
			return fmt.Sprintf("no node that may be used carries the label %s", r.Key)
		}
		if r.Detail != "" {
			return fmt.Sprintf("no domain of %s takes the %d pods that must be placed; in %s %s", r.Key, r.Need, r.Domain, r.Detail)
		}
		return fmt.Sprintf("no domain of %s takes the %d pods that must be placed; %s takes %d at most", r.Key, r.Need, r.Domain, r.Have)
	case Mixed:
		return "the members do not agree: " + r.Detail
	case DomainLost:
		return fmt.Sprintf("bound member %s stands on a node that is gone or has no label %s", r.Object, r.Key)
	case DomainSplit:
		return fmt.Sprintf("bound members stand in several domains of %s: %s", r.Key, r.Detail)
	case ParentCycle:
		return fmt.Sprintf("CompositePodGroup %s is its own ancestor", r.Object)
	case ParentTooDeep:
		return fmt.Sprintf("the tree is more than %d levels deep, groups of pods included", r.Need)
	case Unsupported:
		return fmt.Sprintf("pod %s uses %s, which this scheduler does not support", r.Object, r.Detail)
	case Invalid:
		return fmt.Sprintf("pod %s cannot be read: %s", r.Object, r.Detail)
	case ClaimMissing:
		return fmt.Sprintf("PersistentVolumeClaim %s does not exist", r.Object)
	case ClaimUnbound:
		return fmt.Sprintf("PersistentVolumeClaim %s is not bound yet", r.Object)
	case ClaimLeaving:
		return fmt.Sprintf("PersistentVolumeClaim %s is being deleted", r.Object)
	case ClaimForeign:
		return fmt.Sprintf("PersistentVolumeClaim %s, which an ephemeral volume of pod %s is named like, was not made for it", r.Object, r.Detail)
	case ResourceClaimMissing:
		if r.Detail != "" {
			return "a ResourceClaim does not exist: " + r.Detail
		}
		return fmt.Sprintf("ResourceClaim %s does not exist", r.Object)
	case DeviceClassMissing:
		if r.Detail != "" {
			return fmt.Sprintf("DeviceClass %s does not exist, and %s", r.Object, r.Detail)
		}
		return fmt.Sprintf("DeviceClass %s does not exist", r.Object)
	case DeviceFault:
		return "devices: " + r.Detail
	}
	return r.Code.String()
}
