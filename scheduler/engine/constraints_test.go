package engine_test

import (
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	storagev1 "k8s.io/api/storage/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"muster/scheduler/engine"
)

func requests(cpu string) corev1.ResourceRequirements {
	return corev1.ResourceRequirements{Requests: corev1.ResourceList{corev1.ResourceCPU: resource.MustParse(cpu)}}
}

func claimVolume(name string) func(*corev1.Pod) {
	return func(p *corev1.Pod) {
		p.Spec.Volumes = append(p.Spec.Volumes, corev1.Volume{Name: name, VolumeSource: corev1.VolumeSource{
			PersistentVolumeClaim: &corev1.PersistentVolumeClaimVolumeSource{ClaimName: name}}})
	}
}

func ports(number int32) func(*corev1.Pod) {
	return func(p *corev1.Pod) { p.Spec.Containers[0].Ports = []corev1.ContainerPort{{HostPort: number}} }
}

func antiTo(app, key string) func(*corev1.Pod) {
	return func(p *corev1.Pod) {
		p.Spec.Affinity = &corev1.Affinity{PodAntiAffinity: &corev1.PodAntiAffinity{RequiredDuringSchedulingIgnoredDuringExecution: []corev1.PodAffinityTerm{
			{TopologyKey: key, LabelSelector: &metav1.LabelSelector{MatchLabels: map[string]string{"app": app}}}}}}
	}
}

func app(name string) func(*corev1.Pod) { return func(p *corev1.Pod) { p.Labels["app"] = name } }

// storage tells of claims and volumes: "here" is bound to a volume reachable from node a only, "single" can be used by
// one pod, "first" waits for its first consumer, "chosen" has node b chosen for it, "late" is bound by nobody yet,
// "static" waits for a first consumer and has no provisioner, "zonal" has a volume with a zone label.
func storage(e *engine.Engine) {
	wait := storagev1.VolumeBindingWaitForFirstConsumer
	e.UpsertStorageClass(&storagev1.StorageClass{ObjectMeta: metav1.ObjectMeta{Name: "waits"}, Provisioner: "csi.example.com", VolumeBindingMode: &wait})
	e.UpsertStorageClass(&storagev1.StorageClass{ObjectMeta: metav1.ObjectMeta{Name: "local"}, Provisioner: "kubernetes.io/no-provisioner", VolumeBindingMode: &wait})
	claim := func(name, class, volume string, edit ...func(*corev1.PersistentVolumeClaim)) {
		c := &corev1.PersistentVolumeClaim{ObjectMeta: metav1.ObjectMeta{Namespace: ns, Name: name}}
		c.Spec.StorageClassName = &class
		if c.Spec.VolumeName = volume; volume != "" {
			c.Status.Phase = corev1.ClaimBound
		}
		for _, f := range edit {
			f(c)
		}
		e.UpsertClaim(c)
	}
	e.UpsertVolume(&corev1.PersistentVolume{ObjectMeta: metav1.ObjectMeta{Name: "v-here"}, Spec: corev1.PersistentVolumeSpec{
		NodeAffinity: &corev1.VolumeNodeAffinity{Required: &corev1.NodeSelector{NodeSelectorTerms: []corev1.NodeSelectorTerm{
			{MatchExpressions: []corev1.NodeSelectorRequirement{{Key: corev1.LabelHostname, Operator: corev1.NodeSelectorOpIn, Values: []string{"a"}}}}}}}}})
	e.UpsertVolume(&corev1.PersistentVolume{ObjectMeta: metav1.ObjectMeta{Name: "v-zonal", Labels: map[string]string{corev1.LabelTopologyZone: "zb__zc"}}})
	e.UpsertVolume(&corev1.PersistentVolume{ObjectMeta: metav1.ObjectMeta{Name: "v-single"}})
	claim("here", "", "v-here")
	claim("zonal", "", "v-zonal")
	claim("single", "", "v-single", func(c *corev1.PersistentVolumeClaim) {
		c.Spec.AccessModes = []corev1.PersistentVolumeAccessMode{corev1.ReadWriteOncePod}
	})
	claim("first", "waits", "")
	claim("chosen", "waits", "", func(c *corev1.PersistentVolumeClaim) {
		c.Annotations = map[string]string{"volume.kubernetes.io/selected-node": "b"}
	})
	claim("late", "immediate", "")
	claim("static", "local", "")
	claim("leaving", "", "v-single", func(c *corev1.PersistentVolumeClaim) { now := metav1.Now(); c.DeletionTimestamp = &now })
	yes := true
	claim("p-mine", "", "v-single", func(c *corev1.PersistentVolumeClaim) {
		c.OwnerReferences = []metav1.OwnerReference{{Kind: "Pod", Name: "p", UID: pod("p", "", 0, 0).UID, Controller: &yes}}
	})
	claim("p-taken", "", "v-single")
}

// ephemeral gives the pod a generic ephemeral volume; its claim is called like the pod and the volume.
func ephemeral(name string) func(*corev1.Pod) {
	return func(p *corev1.Pod) {
		p.Spec.Volumes = append(p.Spec.Volumes, corev1.Volume{Name: name, VolumeSource: corev1.VolumeSource{Ephemeral: &corev1.EphemeralVolumeSource{}}})
	}
}

// TestConstraints asks for the place of one pod on nodes a and b, of which a is the tighter one (so that it is taken
// unless something speaks against it); "" is nowhere.
func TestConstraints(t *testing.T) {
	always := corev1.ContainerRestartPolicyAlways
	toA := func(op corev1.NodeSelectorOperator, values ...string) *corev1.NodeSelector {
		return &corev1.NodeSelector{NodeSelectorTerms: []corev1.NodeSelectorTerm{{MatchExpressions: []corev1.NodeSelectorRequirement{{Key: corev1.LabelHostname, Operator: op, Values: values}}}}}
	}
	for _, tc := range []struct {
		name  string
		pod   func(*corev1.Pod)
		nodes func(a, b *corev1.Node)
		old   []*corev1.Pod
		want  string
		code  engine.Code
	}{
		{name: "nothing special", want: "a"},
		{name: "too large for a", pod: func(p *corev1.Pod) { p.Spec.Containers[0].Resources = requests("5") }, want: "b"},
		{name: "too large for both", pod: func(p *corev1.Pod) { p.Spec.Containers[0].Resources = requests("9") }, code: engine.NoRoom},
		{name: "two containers", pod: func(p *corev1.Pod) {
			p.Spec.Containers = []corev1.Container{{Resources: requests("3")}, {Resources: requests("2")}}
		}, want: "b"},
		{name: "init container", pod: func(p *corev1.Pod) { p.Spec.InitContainers = []corev1.Container{{Resources: requests("5")}} }, want: "b"},
		{name: "sidecar adds up", pod: func(p *corev1.Pod) {
			p.Spec.InitContainers = []corev1.Container{{RestartPolicy: &always, Resources: requests("4")}}
		}, want: "b"},
		{name: "overhead", pod: func(p *corev1.Pod) {
			p.Spec.Overhead = corev1.ResourceList{corev1.ResourceCPU: resource.MustParse("4")}
		}, want: "b"},
		{name: "pod-level requests", pod: func(p *corev1.Pod) { r := requests("5"); p.Spec.Resources = &r }, want: "b"},
		{name: "extended resource", pod: func(p *corev1.Pod) {
			p.Spec.Containers[0].Resources.Requests[gpu] = resource.MustParse("1")
		}, nodes: func(_, b *corev1.Node) { b.Status.Allocatable[gpu] = resource.MustParse("1") }, want: "b"},
		{name: "extended resource nobody has", pod: func(p *corev1.Pod) {
			p.Spec.Containers[0].Resources.Requests[gpu] = resource.MustParse("1")
		}, code: engine.NoRoom},
		{name: "pod count", nodes: func(a, _ *corev1.Node) { a.Status.Allocatable[corev1.ResourcePods] = resource.MustParse("0") }, want: "b"},
		{name: "node selector", pod: func(p *corev1.Pod) { p.Spec.NodeSelector = map[string]string{corev1.LabelHostname: "b"} }, want: "b"},
		{name: "required node affinity", pod: func(p *corev1.Pod) {
			p.Spec.Affinity = &corev1.Affinity{NodeAffinity: &corev1.NodeAffinity{RequiredDuringSchedulingIgnoredDuringExecution: toA(corev1.NodeSelectorOpNotIn, "a")}}
		}, want: "b"},
		{name: "node affinity that does not parse", pod: func(p *corev1.Pod) {
			p.Spec.Affinity = &corev1.Affinity{NodeAffinity: &corev1.NodeAffinity{RequiredDuringSchedulingIgnoredDuringExecution: toA(corev1.NodeSelectorOpGt, "x", "y")}}
		}, code: engine.Invalid},
		{name: "preferred node affinity", pod: func(p *corev1.Pod) {
			p.Spec.Affinity = &corev1.Affinity{NodeAffinity: &corev1.NodeAffinity{PreferredDuringSchedulingIgnoredDuringExecution: []corev1.PreferredSchedulingTerm{
				{Weight: 1, Preference: toA(corev1.NodeSelectorOpIn, "b").NodeSelectorTerms[0]}}}}
		}, want: "b"},
		{name: "cordon", nodes: func(a, _ *corev1.Node) { a.Spec.Unschedulable = true }, want: "b"},
		{name: "cordon tolerated", pod: func(p *corev1.Pod) {
			p.Spec.Tolerations = []corev1.Toleration{{Key: corev1.TaintNodeUnschedulable, Operator: corev1.TolerationOpExists}}
		}, nodes: func(a, _ *corev1.Node) { a.Spec.Unschedulable = true }, want: "a"},
		{name: "taint", nodes: taint(corev1.TaintEffectNoSchedule), want: "b"},
		{name: "taint NoExecute", nodes: taint(corev1.TaintEffectNoExecute), want: "b"},
		{name: "taint PreferNoSchedule", nodes: taint(corev1.TaintEffectPreferNoSchedule), want: "b"},
		{name: "taint tolerated", pod: func(p *corev1.Pod) {
			p.Spec.Tolerations = []corev1.Toleration{{Key: "k", Operator: corev1.TolerationOpEqual, Value: "v", Effect: corev1.TaintEffectNoSchedule}}
		}, nodes: taint(corev1.TaintEffectNoSchedule), want: "a"},
		{name: "host port taken", pod: ports(80), old: []*corev1.Pod{pod("old", "", 0, 0, ports(80), bind("a"))}, want: "b"},
		{name: "other host port taken", pod: ports(80), old: []*corev1.Pod{pod("old", "", 0, 0, ports(81), bind("a"))}, want: "a"},
		{name: "anti-affinity", pod: antiTo("web", corev1.LabelHostname), old: []*corev1.Pod{pod("old", "", 0, 0, app("web"), bind("a"))}, want: "b"},
		{name: "anti-affinity of a pod that stands", pod: app("web"), old: []*corev1.Pod{pod("old", "", 0, 0, antiTo("web", corev1.LabelHostname), bind("a"))}, want: "b"},
		{name: "anti-affinity over a zone of both", pod: antiTo("web", "region"), old: []*corev1.Pod{pod("old", "", 0, 0, app("web"), bind("a"))}, code: engine.NoRoom},
		{name: "anti-affinity to a finished pod", pod: antiTo("web", corev1.LabelHostname), old: []*corev1.Pod{pod("old", "", 0, 0, app("web"), bind("a"), finish)}, want: "a"},
		{name: "affinity", pod: near("web", 0), old: []*corev1.Pod{pod("old", "", 0, 0, app("web"), bind("b"))}, want: "b"},
		{name: "affinity to nobody", pod: near("web", 0), code: engine.NoRoom},
		{name: "affinity to itself", pod: both(app("web"), near("web", 0)), want: "a"},
		{name: "preferred affinity", pod: near("web", 10), old: []*corev1.Pod{pod("old", "", 0, 0, app("web"), bind("b"))}, want: "b"},
		{name: "preferred affinity to nobody", pod: near("web", 10), want: "a"},
		{name: "spread", pod: both(app("web"), even(corev1.DoNotSchedule)), old: []*corev1.Pod{pod("old", "", 0, 0, app("web"), bind("a"))}, want: "b"},
		{name: "spread as a preference", pod: both(app("web"), even(corev1.ScheduleAnyway)), old: []*corev1.Pod{pod("old", "", 0, 0, app("web"), bind("a"))}, want: "b"},
		{name: "spread does not count who is being deleted", pod: both(app("web"), even(corev1.DoNotSchedule)), old: []*corev1.Pod{pod("old", "", 0, 0, app("web"), bind("a"), deleted)}, want: "a"},
		{name: "namespace selector", pod: antiIn("web", "prod"), old: []*corev1.Pod{pod("old", "", 0, 0, app("web"), of("shop"), bind("a"))}, want: "b"},
		{name: "namespace selector that selects another", pod: antiIn("web", "test"), old: []*corev1.Pod{pod("old", "", 0, 0, app("web"), of("shop"), bind("a"))}, want: "a"},
		{name: "namespace selector does not mean its own namespace", pod: antiIn("web", "prod"), old: []*corev1.Pod{pod("old", "", 0, 0, app("web"), bind("a"))}, want: "a"},
		{name: "namespace selector and a name", pod: both(antiIn("web", "prod"), naming(ns)), old: []*corev1.Pod{pod("old", "", 0, 0, app("web"), bind("a"))}, want: "b"},
		{name: "namespace selector of a pod that stands", pod: both(app("web"), of("shop")), old: []*corev1.Pod{pod("old", "", 0, 0, antiIn("web", "prod"), bind("a"))}, want: "b"},
		{name: "namespace selector that nothing has labels for", pod: both(app("web"), of("bare")), old: []*corev1.Pod{pod("old", "", 0, 0, antiIn("web", "prod"), bind("a"))}, want: "a"},
		{name: "namespace selector that does not parse", pod: both(antiIn("web", "prod"), func(p *corev1.Pod) {
			p.Spec.Affinity.PodAntiAffinity.RequiredDuringSchedulingIgnoredDuringExecution[0].NamespaceSelector.MatchLabels["env"] = "not a label"
		}), code: engine.Invalid},
		{name: "anti-affinity of a pod that stands, with what is not supported", pod: app("web"), old: []*corev1.Pod{pod("old", "", 0, 0, both(antiTo("web", corev1.LabelHostname), func(p *corev1.Pod) {
			p.Spec.Volumes = []corev1.Volume{{Name: "d", VolumeSource: corev1.VolumeSource{RBD: &corev1.RBDVolumeSource{}}}}
		}), bind("a"))}, want: "b"},
		{name: "spread over what a key alone selects", pod: both(app("web"), func(p *corev1.Pod) {
			even(corev1.DoNotSchedule)(p)
			p.Spec.TopologySpreadConstraints[0].LabelSelector, p.Spec.TopologySpreadConstraints[0].MatchLabelKeys = &metav1.LabelSelector{}, []string{"app"}
		}), old: []*corev1.Pod{pod("old", "", 0, 0, app("web"), bind("a"))}, want: "b"},
		{name: "resource claim", pod: func(p *corev1.Pod) { p.Spec.ResourceClaims = []corev1.PodResourceClaim{{Name: "c"}} }, code: engine.ResourceClaimMissing},
		{name: "disk of a cloud", pod: func(p *corev1.Pod) {
			p.Spec.Volumes = []corev1.Volume{{Name: "d", VolumeSource: corev1.VolumeSource{AWSElasticBlockStore: &corev1.AWSElasticBlockStoreVolumeSource{}}}}
		}, code: engine.Unsupported},
		{name: "feature that a node declares", pod: ownUsers, nodes: func(_, b *corev1.Node) {
			b.Status.DeclaredFeatures = []string{"Other", "UserNamespacesHostNetworkSupport"}
		}, want: "b"},
		{name: "feature that no node declares", pod: ownUsers, code: engine.NoRoom},
		{name: "gate", pod: gate, code: engine.Gated},
		{name: "volume reachable from a", pod: claimVolume("here"), want: "a"},
		{name: "volume reachable from a, which is cordoned", pod: claimVolume("here"), nodes: func(a, _ *corev1.Node) { a.Spec.Unschedulable = true }, code: engine.NoRoom},
		{name: "volume in zones", pod: claimVolume("zonal"), want: "b"},
		{name: "claim for one pod", pod: claimVolume("single"), want: "a"},
		{name: "claim for one pod that another uses", pod: claimVolume("single"), old: []*corev1.Pod{pod("old", "", 0, 0, claimVolume("single"), bind("b"))}, code: engine.NoRoom},
		{name: "claim that waits", pod: claimVolume("first"), want: "a"},
		{name: "claim with a chosen node", pod: claimVolume("chosen"), want: "b"},
		{name: "claim not bound", pod: claimVolume("late"), code: engine.ClaimUnbound},
		{name: "claim that does not exist", pod: claimVolume("none"), code: engine.ClaimMissing},
		{name: "claim that is being deleted", pod: claimVolume("leaving"), code: engine.ClaimLeaving},
		{name: "claim of an ephemeral volume", pod: ephemeral("mine"), want: "a"},
		{name: "claim of an ephemeral volume that was made for another", pod: ephemeral("taken"), code: engine.ClaimForeign},
		{name: "claim of an ephemeral volume that is still to be made", pod: ephemeral("unmade"), code: engine.ClaimMissing},
		{name: "claim without provisioner", pod: claimVolume("static"), code: engine.Unsupported},
	} {
		t.Run(tc.name, func(t *testing.T) {
			e := engine.New(engine.Options{})
			storage(e)
			e.UpsertNamespace(&corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: "shop", Labels: map[string]string{"env": "prod"}}})
			a, b := node("a", 4, 0, "region", "r", corev1.LabelTopologyZone, "za"), node("b", 8, 0, "region", "r", corev1.LabelTopologyZone, "zb")
			if tc.nodes != nil {
				tc.nodes(a, b)
			}
			e.UpsertNode(a)
			e.UpsertNode(b)
			for _, p := range tc.old {
				e.UpsertPod(p)
			}
			if tc.pod == nil {
				tc.pod = func(*corev1.Pod) {}
			}
			d := e.Solve(e.UpsertPod(pod("p", "", 1, 0, tc.pod)))
			got := ""
			if len(d.Placements) == 1 {
				got = d.Placements[0].Node
			}
			if got != tc.want || d.Reason.Code != tc.code {
				t.Errorf("on %q (%s, %s: %s), want %q (%s)", got, d.Outcome, d.Reason.Code, d.Reason, tc.want, tc.code)
			}
			if wants := tc.name == "claim that waits"; wants != (len(d.Placements) == 1 && len(d.Placements[0].Claims) == 1 && d.Placements[0].Claims[0] == "first") && !strings.HasPrefix(tc.name, "claim with") {
				t.Errorf("placements %+v", d.Placements)
			}
			if told := len(d.Left) == 1 && d.Left[0].Reason.Code == tc.code; told != (tc.want == "" && tc.code != engine.Gated) {
				t.Errorf("of the pod itself it says %+v", d.Left)
			}
			if tc.code == engine.Unsupported && d.Reason.Detail == "" {
				t.Error("the feature is not named")
			}
			if err := e.Check(); err != nil {
				t.Error(err)
			}
		})
	}
}

// ownUsers asks for a user namespace beside the network of the host, which not every node can do.
func ownUsers(p *corev1.Pod) {
	no := false
	p.Spec.HostNetwork, p.Spec.HostUsers = true, &no
}

func taint(effect corev1.TaintEffect) func(a, b *corev1.Node) {
	return func(a, _ *corev1.Node) { a.Spec.Taints = []corev1.Taint{{Key: "k", Value: "v", Effect: effect}} }
}

// near wants a pod of the app on the same node: required, or preferred with a weight.
func near(app string, weight int32) func(*corev1.Pod) {
	term := corev1.PodAffinityTerm{TopologyKey: corev1.LabelHostname, LabelSelector: &metav1.LabelSelector{MatchLabels: map[string]string{"app": app}}}
	return func(p *corev1.Pod) {
		a := &corev1.PodAffinity{RequiredDuringSchedulingIgnoredDuringExecution: []corev1.PodAffinityTerm{term}}
		if weight > 0 {
			a = &corev1.PodAffinity{PreferredDuringSchedulingIgnoredDuringExecution: []corev1.WeightedPodAffinityTerm{{Weight: weight, PodAffinityTerm: term}}}
		}
		p.Spec.Affinity = &corev1.Affinity{PodAffinity: a}
	}
}

func even(what corev1.UnsatisfiableConstraintAction) func(*corev1.Pod) {
	return func(p *corev1.Pod) {
		p.Spec.TopologySpreadConstraints = []corev1.TopologySpreadConstraint{{MaxSkew: 1, TopologyKey: corev1.LabelHostname, WhenUnsatisfiable: what,
			LabelSelector: &metav1.LabelSelector{MatchLabels: map[string]string{"app": "web"}}}}
	}
}

// TestSharedClaims: members of one gang that share a claim.
func TestSharedClaims(t *testing.T) {
	for _, tc := range []struct {
		claim  string
		placed int
	}{{"single", 0}, {"first", 2}, {"here", 2}} {
		e := engine.New(engine.Options{})
		storage(e)
		e.UpsertNode(node("a", 1, 0))
		e.UpsertNode(node("b", 2, 0))
		if tc.claim == "here" {
			e.UpsertNode(node("a", 2, 0))
		}
		e.UpsertGroup(gang("g", 2))
		e.UpsertPod(pod("p0", "g", 1, 0, claimVolume(tc.claim)))
		e.UpsertPod(pod("p1", "g", 1, 0, claimVolume(tc.claim)))
		d := solve(t, e, "g")
		if len(d.Placements) != tc.placed {
			t.Errorf("%s: %d placed, want %d (%s)", tc.claim, len(d.Placements), tc.placed, d.Reason)
		}
		if len(d.Placements) == 2 && d.Placements[0].Node != d.Placements[1].Node {
			t.Errorf("%s: on %s and %s", tc.claim, d.Placements[0].Node, d.Placements[1].Node)
		}
	}
}
