package rules

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

const module = "muster"

// pkg is what the rules look at: the imports of a package's own files, tests apart.
type pkg struct {
	dir     string
	imports map[string][]string // import path → files
	tests   map[string][]string
	clocks  []string // file:line of time.Now, time.Since, time.Sleep, go statements
	doc     bool
}

// load parses every package of the module.
func load(t *testing.T) map[string]*pkg {
	t.Helper()
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]*pkg{}
	err = filepath.WalkDir(root, func(file string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, _ := filepath.Rel(root, file)
		if d.IsDir() {
			name := d.Name()
			if rel != "." && (strings.HasPrefix(name, ".") || name == "testdata" || name == "bin" || name == "muster-out" || rel == "hack/tools") {
				return filepath.SkipDir
			}
			return nil
		}
		if !strings.HasSuffix(file, ".go") {
			return nil
		}
		dir := filepath.ToSlash(filepath.Dir(rel))
		p := out[dir]
		if p == nil {
			p = &pkg{dir: dir, imports: map[string][]string{}, tests: map[string][]string{}}
			out[dir] = p
		}
		return p.add(file, rel)
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func (p *pkg) add(file, rel string) error {
	src, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	set := token.NewFileSet()
	f, err := parser.ParseFile(set, file, src, parser.ParseComments)
	if err != nil {
		return err
	}
	test := strings.HasSuffix(rel, "_test.go")
	if f.Doc != nil && !test {
		p.doc = true
	}
	for _, imp := range f.Imports {
		name := strings.Trim(imp.Path.Value, `"`)
		if test {
			p.tests[name] = append(p.tests[name], rel)
		} else {
			p.imports[name] = append(p.imports[name], rel)
		}
	}
	if test {
		return nil
	}
	ast.Inspect(f, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.GoStmt:
			p.clocks = append(p.clocks, set.Position(n.Pos()).String()+": go statement")
		case *ast.SelectorExpr:
			if x, ok := n.X.(*ast.Ident); ok && x.Name == "time" && slices.Contains([]string{"Now", "Since", "Until", "Sleep", "After", "Tick", "NewTimer", "NewTicker"}, n.Sel.Name) {
				p.clocks = append(p.clocks, set.Position(n.Pos()).String()+": time."+n.Sel.Name)
			}
		}
		return true
	})
	return nil
}

// closure is every package of the module that dir's code reaches, itself included.
func closure(all map[string]*pkg, dir string) []string {
	seen := map[string]bool{}
	var walk func(string)
	walk = func(d string) {
		if seen[d] || all[d] == nil {
			return
		}
		seen[d] = true
		for imp := range all[d].imports {
			if rest, ok := strings.CutPrefix(imp, module+"/"); ok {
				walk(rest)
			}
		}
	}
	walk(dir)
	out := make([]string, 0, len(seen))
	for d := range seen {
		out = append(out, d)
	}
	slices.Sort(out)
	return out
}

func under(dir string, rooms ...string) bool {
	return slices.ContainsFunc(rooms, func(r string) bool { return dir == r || strings.HasPrefix(dir, r+"/") })
}

// TestWhoMayImportWhom is design §3: the rooms and the doors between them. A rule holds over everything a package
// reaches, not only over what it names itself.
func TestWhoMayImportWhom(t *testing.T) {
	all := load(t)
	rules := []struct {
		room   []string
		except []string
		never  []string
		why    string
	}{
		{room: []string{"scheduler"}, never: []string{"suites", "perf", "fakes", "workloads", "reports", "cmd"}, why: "the reference scheduler stands alone"},
		{room: []string{"suites", "perf"}, never: []string{"scheduler", "cmd"}, why: "nothing is judged by the reference's own engine"},
		{room: []string{"workloads", "fakes"}, never: []string{"suites", "perf", "reports", "cmd"}, why: "what is submitted and where it runs know nothing of who judges"},
		{room: []string{"fakes"}, except: []string{"fakes/component"}, never: []string{"scheduler"}, why: "only fakes/component links roles"},
		{room: []string{"reports"}, never: []string{"suites/run", "suites/history/record", "fakes/cluster", "fakes/undertest", "fakes/component", "scheduler", "perf/compare"}, why: "reports read data types only"},
		{room: []string{"suites/oracle"}, never: []string{"suites/check", "suites/run", "fakes", "workloads", "suites/history"}, why: "the oracle stands alone"},
	}
	for _, r := range rules {
		for dir := range all {
			if !under(dir, r.room...) || under(dir, r.except...) {
				continue
			}
			for _, reached := range closure(all, dir) {
				if under(reached, r.never...) {
					t.Errorf("%s reaches %s: %s", dir, reached, r.why)
				}
			}
		}
	}
	for dir, p := range all {
		for imp, files := range p.imports {
			if strings.HasPrefix(imp, "k8s.io/kubernetes") && dir != "fakes/component" {
				t.Errorf("%s imports %s: only fakes/component may, it links 150 MB", files[0], imp)
			}
		}
		for imp, files := range p.tests {
			if strings.HasPrefix(imp, "k8s.io/kubernetes") {
				t.Errorf("%s imports %s: a test must never link an API server", files[0], imp)
			}
			if under(dir, "scheduler") && strings.HasPrefix(imp, module+"/") && !under(strings.TrimPrefix(imp, module+"/"), "scheduler", "suites/oracle") {
				t.Errorf("%s imports %s: the scheduler's tests may use suites/oracle and nothing else", files[0], imp)
			}
		}
	}
}

// pure packages have no client, no clock and no goroutine, and reach none.
var pure = []string{"suites/check", "suites/oracle", "suites/premise", "suites/history", "perf/measure", "scheduler/engine"}

func TestPurePackages(t *testing.T) {
	all := load(t)
	for _, dir := range pure {
		if all[dir] == nil {
			continue // a room of a later issue
		}
		for _, reached := range closure(all, dir) {
			for imp, files := range all[reached].imports {
				switch {
				case strings.HasPrefix(imp, "k8s.io/client-go"), imp == "net/http", imp == "os/exec", imp == "math/rand", imp == "math/rand/v2":
					t.Errorf("%s must be pure but reaches %s, which imports %s (%s)", dir, reached, imp, files[0])
				}
			}
		}
		for _, c := range all[dir].clocks {
			t.Errorf("%s must be pure: %s", dir, c)
		}
	}
}

// TestScenariosAreJudgedPurely holds for every area folder: a Judge may not reach for a clock, and neither may Drive.
func TestScenariosAreJudgedPurely(t *testing.T) {
	all := load(t)
	for dir, p := range all {
		if path.Dir(dir) != "suites" || under(dir, "suites/run", "suites/door", "suites/requirements") {
			continue
		}
		for _, c := range p.clocks {
			t.Errorf("%s: scenarios and checks wait on the environment, never on a clock: %s", dir, c)
		}
	}
}

func TestEveryPackageSaysWhatItIsFor(t *testing.T) {
	for dir, p := range load(t) {
		if !p.doc {
			t.Errorf("%s has no package comment (doc.go)", dir)
		}
	}
}

// TestNoNaps: a sleep hides a race. Watches, clocks and contexts wait.
func TestNoNaps(t *testing.T) {
	for _, p := range load(t) {
		for _, c := range p.clocks {
			if strings.HasSuffix(c, "time.Sleep") {
				t.Errorf("%s: wait on a watch, a timer or a context instead", c)
			}
		}
	}
}
