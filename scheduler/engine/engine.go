package engine

import corev1 "k8s.io/api/core/v1"

// Options of an Engine; the zero value is sensible.
type Options struct {
	// Seed decides between domains that are equally good. With the same seed and the same calls in the same order the
	// engine gives the same answers.
	Seed uint64
	// SearchSteps bounds the exact search for a gang of several shapes, in steps of well under a microsecond each;
	// 0 is DefaultSearchSteps. A search that runs out keeps the best placement found, which may be none.
	SearchSteps int
	// TableCells bounds the memory for tables, in pairs of shape and node; 0 is DefaultTableCells. The table not used for
	// longest makes room for a new one; two are kept at least.
	TableCells int
	// PreemptForAll: pods are evicted also for members beyond a quorum, as many as can be placed that way.
	PreemptForAll bool
	// Fault is what the engine does wrong; the zero value is nothing.
	Fault Fault
}

// DefaultTableCells is 24 million: 240 shapes on 100,000 nodes, 5 bytes a cell and a bit for each node in each bucket that
// is used; some 200 MiB.
const DefaultTableCells = 24 << 20

// DefaultSearchSteps lets the exact search run for a few milliseconds.
const DefaultSearchSteps = 20_000

// Engine holds what is known of a cluster and answers for it. It is not safe for concurrent use.
type Engine struct {
	opts Options

	resources registry
	nodes     []*node // by id; ids of nodes that are gone and empty are used again
	byName    map[string]int32
	idle      []int32 // ids free for use
	order     nodeOrder
	keys      map[string]*topologyKey
	manyKeys  int // so many keys, and unused ones are forgotten
	log       changeLog
	cohorts   cohorts

	shapes     map[string]*shape
	labelSets  map[string]*labelSet
	namespaces map[string]*namespace
	spaces     spaceLabels
	terms      map[string]*term
	tables     []*table // those that exist, in no order
	clock      uint64   // counts uses of tables, to drop the one not used for longest
	freed      uint64   // counts the times room may have come free on some node

	pods     map[Key]*pod
	groups   map[groupKey]*group
	claims   map[Key]*claim
	volumes  map[string]*volume
	classes  map[string]*class
	devices  deviceState
	waiting  waiters
	reserved map[Root][]int32

	budgets   map[string]map[string]*budget // by namespace and name
	nominated map[Root]*nomination
	seats     map[Key]*seat // by nominated pod
	moves     uint64        // counts changes of nodes' labels

	// Within one Solve:
	solving Root
	trials  int  // that are open
	trial   bool // what is placed now will be taken back
	trail   []step
	steps   int      // left of the search budget
	tries   int      // left of the budget of placements of single groups in a tree
	hunting bool     // what Solve finds out is not to be remembered
	joint   bool     // groups of a tree are only given scopes, to be placed together
	lifted  []*table // used in the trial

	buf     []byte      // scratch for keys
	scratch corev1.Node // scratch for node affinity
	fills   fillScratch
}

// New is an engine that knows of nothing yet.
func New(o Options) *Engine {
	if o.SearchSteps == 0 {
		o.SearchSteps = DefaultSearchSteps
	}
	if o.TableCells == 0 {
		o.TableCells = DefaultTableCells
	}
	e := &Engine{
		opts: o, byName: map[string]int32{}, keys: map[string]*topologyKey{}, manyKeys: 64,
		shapes: map[string]*shape{}, labelSets: map[string]*labelSet{}, namespaces: map[string]*namespace{}, spaces: spaceLabels{}, terms: map[string]*term{},
		pods: map[Key]*pod{}, groups: map[groupKey]*group{},
		claims: map[Key]*claim{}, volumes: map[string]*volume{}, classes: map[string]*class{},
		reserved: map[Root][]int32{}, budgets: map[string]map[string]*budget{}, nominated: map[Root]*nomination{}, seats: map[Key]*seat{},
	}
	e.devices.init()
	e.resources.index = map[corev1.ResourceName]int32{}
	e.waiting.init()
	return e
}
