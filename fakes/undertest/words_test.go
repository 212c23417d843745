package undertest

import (
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestSplit(t *testing.T) {
	for _, c := range []struct {
		line string
		want []string
		err  string
	}{
		{line: "", want: nil},
		{line: "  \t\n ", want: nil},
		{line: "a b  c", want: []string{"a", "b", "c"}},
		{line: `a 'b c' "d e"`, want: []string{"a", "b c", "d e"}},
		{line: `a'b c'd"e f"g`, want: []string{"ab cde fg"}},
		{line: `'' ""`, want: []string{"", ""}},
		{line: `a\ b`, want: []string{"a b"}},
		{line: `"a\"b" "a\b" '\'`, want: []string{`a"b`, `a\b`, `\`}},
		{line: "a\\\nb", want: []string{"ab"}},
		{line: "\"a\\\nb\"", want: []string{"ab"}},
		{line: `$HOME *.go | tee > x`, want: []string{"$HOME", "*.go", "|", "tee", ">", "x"}},
		{line: `--k={{ .Kubeconfig }} x`, want: []string{"--k={{ .Kubeconfig }}", "x"}},
		{line: `"--k={{ printf "%s" .Kubeconfig }}"`, want: []string{`--k={{ printf "%s" .Kubeconfig }}`}},
		{line: `a 'b`, err: "never closed"},
		{line: `a "b`, err: "never closed"},
		{line: `a {{.B`, err: "never closed"},
		{line: `a \`, err: "backslash"},
	} {
		got, err := Split(c.line)
		switch {
		case c.err != "":
			if err == nil || !strings.Contains(err.Error(), c.err) {
				t.Errorf("Split(%q) = %q, %v; want an error about %q", c.line, got, err, c.err)
			}
		case err != nil || !slices.Equal(got, c.want):
			t.Errorf("Split(%q) = %q, %v; want %q", c.line, got, err, c.want)
		}
	}
}

// Whatever the words are, quoting them and splitting gives them back.
func TestSplitUndoesQuoting(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		words := rapid.SliceOfN(rapid.String(), 0, 6).Draw(t, "words")
		var quoted []string
		for i, w := range words {
			switch {
			case rapid.Bool().Draw(t, "single") || strings.Contains(w, "{{"):
				quoted = append(quoted, "'"+strings.ReplaceAll(w, "'", `'\''`)+"'")
			default:
				r := strings.NewReplacer(`"`, `\"`, `\`, `\\`)
				quoted = append(quoted, `"`+r.Replace(words[i])+`"`)
			}
		}
		got, err := Split(strings.Join(quoted, rapid.StringMatching(`[ \t\n]+`).Draw(t, "blank")))
		if err != nil {
			t.Fatalf("splitting %q: %v", quoted, err)
		}
		if !slices.Equal(got, words) && len(got)+len(words) > 0 {
			t.Fatalf("split %q into %q, want %q", quoted, got, words)
		}
	})
}

func TestCommand(t *testing.T) {
	f := Fields{Kubeconfig: "/run dir/kube config", SchedulerName: "s", RunDir: "/r"}
	got, err := Command(`sched --kubeconfig {{.Kubeconfig}} "--name={{ .SchedulerName }}" '{{.RunDir}}/log'`, f)
	want := []string{"sched", "--kubeconfig", "/run dir/kube config", "--name=s", "/r/log"}
	if err != nil || !slices.Equal(got, want) {
		t.Errorf("got %q, %v; want %q", got, err, want)
	}
	for line, part := range map[string]string{
		"":             "empty",
		"x {{.Nope}}":  ".Kubeconfig, .SchedulerName",
		"x {{if}}":     "{{if}}",
		"x 'unclosed ": "never closed",
	} {
		if _, err := Command(line, f); err == nil || !strings.Contains(err.Error(), part) {
			t.Errorf("Command(%q): error %v, want one about %q", line, err, part)
		}
	}
}
