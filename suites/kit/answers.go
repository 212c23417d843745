package kit

import "muster/suites/history"

// Answers opens the case of a requirement that is judged by the driver's recorded requests alone. Gaps of watches hide
// none of those, so they are no premise.
func Answers(v *history.View, id string) *Case { return &Case{v: v, id: id} }
