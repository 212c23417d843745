package plan

import (
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"muster/suites"
	"muster/suites/history"
)

func TestOfferOfAHeader(t *testing.T) {
	scheduler := suites.Requirement{ID: "GANG-001", Profile: "gang", Gates: []string{"GenericWorkload"}, Release: "1.37"}
	control := suites.Requirement{ID: "API-001", Profile: "api", Subject: suites.ControlPlane}
	full := func() history.Header {
		return history.Header{
			Gates: map[string]bool{"GenericWorkload": true}, Versions: map[string]string{"kube-apiserver": "v1.37.2"},
			MusterInfo: map[string]string{}, Scheduler: history.SchedulerProfile{Name: "none"},
		}
	}
	for _, tt := range []struct {
		name   string
		change func(*history.Header)
		why    [2]string // of the scheduler's and of the control plane's requirement
	}{
		{"everything is there, whatever the scheduler is called", func(*history.Header) {}, [2]string{}},
		{"no scheduler", func(h *history.Header) { h.MusterInfo[InfoScheduler] = InfoNone }, [2]string{NoScheduler}},
		{"a gate", func(h *history.Header) { h.Gates["GenericWorkload"] = false }, [2]string{"GenericWorkload is off"}},
		{"another release", func(h *history.Header) { h.Versions["kube-apiserver"] = "v1.38.0" }, [2]string{"describes Kubernetes 1.37, and the API server is v1.38.0"}},
		{"another patch of the release", func(h *history.Header) { h.Versions["kube-apiserver"] = "v1.37.9" }, [2]string{}},
		{"an unknown release", func(h *history.Header) { h.Versions = nil }, [2]string{}},
		{"another release of something else", func(h *history.Header) { h.Versions["etcd"] = "v3.6.0" }, [2]string{}},
		{"declared", func(h *history.Header) { h.Scheduler.Unsupported = []string{"api"} }, [2]string{"", "declares api"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			h := full()
			tt.change(&h)
			off := OfferOf(&h).Unsupported([]suites.Requirement{scheduler, control})
			for i, id := range []string{scheduler.ID, control.ID} {
				if why := off[id]; !strings.Contains(why, tt.why[i]) || (why == "") != (tt.why[i] == "") {
					t.Errorf("%s: %q, want %q", id, why, tt.why[i])
				}
			}
		})
	}
}

func TestMinor(t *testing.T) {
	for version, want := range map[string]string{
		"v1.37.2": "1.37", "1.37.2": "1.37", "v1.38.0-alpha.1+abc": "1.38", "v1.37+": "1.37", "1.37": "1.37",
		"": "", "unknown": "", "v1": "", "v1.x": "",
	} {
		if got := Minor(version); got != want {
			t.Errorf("%q: %q, want %q", version, got, want)
		}
	}
}

// Without a scheduler exactly the requirements on the control plane are left; of another release exactly those that are
// tied to none.
func TestWhatIsLeft(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var reqs []suites.Requirement
		for i := range rapid.IntRange(1, 20).Draw(t, "n") {
			r := suites.Requirement{ID: fmt.Sprintf("X-%03d", i), Profile: "x"}
			r.Subject = rapid.SampledFrom([]string{"", "scheduler", suites.ControlPlane}).Draw(t, "subject")
			r.Release = rapid.SampledFrom([]string{"", "1.37", "1.38"}).Draw(t, "release")
			reqs = append(reqs, r)
		}
		o := Offer{NoScheduler: rapid.Bool().Draw(t, "none"), APIServer: rapid.SampledFrom([]string{"", "v1.37.2", "v1.38.1"}).Draw(t, "api server")}
		off := o.Unsupported(reqs)
		for _, r := range reqs {
			gone := o.NoScheduler && r.Subject != suites.ControlPlane
			tied := o.APIServer != "" && r.Release != "" && !strings.HasPrefix(o.APIServer, "v"+r.Release)
			if _, is := off[r.ID]; is != (gone || tied) {
				t.Fatalf("%+v of %+v: unsupported %t", r, o, is)
			}
		}
	})
}
