// Package all links every package of scenarios, so that whoever imports it finds them registered. A new folder of
// scenarios is one more line here.
package all

import (
	_ "muster/suites/api"
	_ "muster/suites/basic"
	_ "muster/suites/builder"
	_ "muster/suites/composite"
	_ "muster/suites/conditions"
	_ "muster/suites/devices"
	_ "muster/suites/field"
	_ "muster/suites/gang"
	_ "muster/suites/job"
	_ "muster/suites/preemption"
	_ "muster/suites/robust"
	_ "muster/suites/topology"
)
