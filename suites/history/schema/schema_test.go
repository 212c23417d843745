package schema

import (
	"bytes"
	"os"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"muster/suites/history"
	"muster/suites/history/historytest"
)

const published = "../../../docs/history.schema.json"

func TestThePublishedSchemaIsCurrent(t *testing.T) {
	want, err := JSON()
	if err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile(published)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Errorf("docs/history.schema.json is out of date; run go run ./hack/historyschema > docs/history.schema.json")
	}
}

func compiled(t *testing.T) *jsonschema.Schema {
	t.Helper()
	text, err := os.ReadFile(published)
	if err != nil {
		t.Fatal(err)
	}
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	if err := c.AddResource(ID, doc); err != nil {
		t.Fatal(err)
	}
	s, err := c.Compile(ID)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func validate(t *testing.T, s *jsonschema.Schema, line string) error {
	t.Helper()
	v, err := jsonschema.UnmarshalJSON(strings.NewReader(line))
	if err != nil {
		t.Fatal(err)
	}
	return s.Validate(v)
}

// Every line that is written is a line of the schema.
func TestHistoriesAreOfTheSchema(t *testing.T) {
	held := true
	b := historytest.New().Nodes(2).Gang("g", 2).Pods("g", 2).Mark("here").Bind("g-0", "node-0").Reject("g-1").
		Await("all", 1, held).Try("refused", "create", "pods", "x", history.Response{Code: 422, Causes: []string{"a: b"}}).
		Break("fault").Strike("fault").Calls("now", map[string]int{"list pods": 2}).Metrics("later", map[string]float64{`a{b="c"}`: 2}).Crash("exit status 1", "the end").
		Canary(5).Gone("g-0")
	var buf bytes.Buffer
	if err := history.WriteAll(&buf, b.History()); err != nil {
		t.Fatal(err)
	}
	s, n := compiled(t), 0
	for line := range strings.Lines(buf.String()) {
		n++
		if err := validate(t, s, line); err != nil {
			t.Errorf("line %d: %v\n%s", n, err, line)
		}
	}
	if n < 15 {
		t.Errorf("%d lines only", n)
	}
}

// What the reader refuses of a single line, so does the schema.
func TestTheSchemaRefuses(t *testing.T) {
	header := `{"kind":"muster/history","format":1,"cluster":"c","name":"n","storage":"unknown","seed":1,"scheduler":{"name":"s","schedulerNames":["s"],"dialect":"native","settleRoot":10,"settleBase":5},"started":"2026-03-01T12:00:00Z"}`
	event := `{"seq":1,"stream":"w","origin":"watch","wall":"2026-03-01T12:00:00Z","mono":1,"resource":"pods","verb":"added","uid":"u","object":{}}`
	s := compiled(t)
	for _, good := range []string{header, event} {
		if err := validate(t, s, good); err != nil {
			t.Fatal(err)
		}
	}
	for name, bad := range map[string]string{
		"another kind":       strings.Replace(header, "muster/history", "other", 1),
		"a newer format":     strings.Replace(header, `"format":1`, `"format":99`, 1),
		"unknown storage":    strings.Replace(header, `"storage":"unknown"`, `"storage":"disk"`, 1),
		"a field too many":   strings.Replace(event, `"seq":1`, `"seq":1,"extra":2`, 1),
		"no verb":            strings.Replace(event, `"verb":"added"`, `"verb":""`, 1),
		"an unknown origin":  strings.Replace(event, `"origin":"watch"`, `"origin":"hearsay"`, 1),
		"a negative clock":   strings.Replace(event, `"mono":1`, `"mono":-1`, 1),
		"number zero":        strings.Replace(event, `"seq":1`, `"seq":0`, 1),
		"object and patch":   strings.Replace(event, `"object":{}`, `"object":{},"patch":{}`, 1),
		"no origin":          strings.Replace(event, `"origin":"watch",`, ``, 1),
		"header and no name": strings.Replace(header, `"name":"n",`, ``, 1),
	} {
		if validate(t, s, bad) == nil {
			t.Errorf("%s: taken", name)
		}
	}
}
