package history

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"reflect"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

const goodHeader = `{"kind":"muster/history","format":1,"cluster":"c","name":"main","storage":"single-etcd","seed":1,"scheduler":{"name":"x","schedulerNames":["s"],"dialect":"native","settleRoot":1,"settleBase":1},"started":"2026-09-01T12:00:00Z"}`

func goodEvent(seq int) string {
	return fmt.Sprintf(`{"seq":%d,"stream":"watch:pods","origin":"watch","wall":"2026-09-01T12:00:00Z","mono":1,"version":"v1","resource":"pods","verb":"added","namespace":"ns","name":"p%d","uid":"u%d","rv":"%d","object":{}}`, seq, seq, seq, seq+100)
}

// mono is goodEvent at a time; begins the begin of a scenario with some field in its scope.
func mono(seq, at int) string {
	return strings.Replace(goodEvent(seq), `"mono":1`, fmt.Sprintf(`"mono":%d`, at), 1)
}

func begins(field string) string {
	return `{"seq":1,"stream":"driver:s","origin":"driver","wall":"2026-09-01T12:00:00Z","mono":1,"verb":"begin","action":{"scenario":"s","response":{},"sentWall":"2026-09-01T12:00:00Z","sentMono":1,"scope":{"scenario":"s","namespaces":["ns"],"seed":1,` + field + `}}}`
}

func file(lines ...string) string { return strings.Join(lines, "\n") + "\n" }

func TestRead(t *testing.T) {
	e := goodEvent
	for _, c := range []struct {
		name, text string
		// line and want: what the strict reader says, and of which line. lines: those that ReadAll lists; seqs: the
		// events it keeps.
		line  int64
		want  string
		lines []int64
		seqs  []int64
	}{
		{"good", file(goodHeader, e(1), e(2)), 0, "", nil, []int64{1, 2}},
		{"header only", file(goodHeader), 0, "", nil, nil},
		{"half a line at the end", file(goodHeader, e(1)) + e(2)[:60], 3, "cut off (60 bytes", []int64{3}, []int64{1}},
		{"a whole line without its newline", file(goodHeader, e(1)) + e(2), 3, "cut off", []int64{3}, []int64{1}},
		{"half a line in the middle", file(goodHeader, e(1), e(2)[:60], e(3)), 3, "cut off", []int64{3, 4}, []int64{1, 3}},
		{"garbage", file(goodHeader, e(1), "\x00\x01garbage", e(3)), 3, "invalid character", []int64{3, 4}, []int64{1, 3}},
		{"an empty line", file(goodHeader, "", e(1)), 2, "EOF", []int64{2}, []int64{1}},
		{"two values on a line", file(goodHeader, e(1)+e(2)), 2, "more on the line", []int64{2}, nil},
		{"an unknown field", file(goodHeader, strings.Replace(e(1), `"seq"`, `"sequence":1,"seq"`, 1)), 2, `unknown field "sequence"`, []int64{2}, nil},
		{"a missing line", file(goodHeader, e(1), e(4)), 3, "2 are missing", []int64{3}, []int64{1, 4}},
		{"a line twice", file(goodHeader, e(1), e(1), e(2)), 3, "must rise", []int64{3}, []int64{1, 2}},
		{"no verb", file(goodHeader, strings.Replace(e(1), `"added"`, `""`, 1)), 2, "no verb", []int64{2}, nil},
		{"an unknown origin", file(goodHeader, strings.Replace(e(1), `"watch"`, `"rumour"`, 1)), 2, `unknown origin "rumour"`, []int64{2}, nil},
		{"object and patch", file(goodHeader, strings.Replace(e(1), `"object":{}`, `"object":{},"patch":{}`, 1)), 2, "both an object and a patch", []int64{2}, nil},
		{"a version before a patch and no patch", file(goodHeader, strings.Replace(e(1), `"object":{}`, `"object":{},"prev":"7"`, 1)), 2, "and no patch", []int64{2}, nil},
		{"a negative time", file(goodHeader, mono(1, -1)), 2, "mono -1: a monotonic clock is never negative", []int64{2}, nil},
		{"time runs backwards", file(goodHeader, mono(1, 9), mono(2, 8), mono(3, 9)), 3, "mono 8, behind 9", []int64{3, 4}, []int64{1, 3}},
		{"streams have their own time", file(goodHeader, mono(1, 9), strings.Replace(mono(2, 8), "watch:pods", "watch:others", 1)), 0, "", nil, []int64{1, 2}},
		{"a scope with its own bound", file(goodHeader, begins(`"settleBase":60`)), 0, "", nil, []int64{1}},
		{"a scope's bound is negative", file(goodHeader, begins(`"settleBase":-60`)), 2, "settleBase is -60", []int64{2}, nil},
		{"a scope's bound is endless", file(goodHeader, begins(`"settleRoot":1e300`)), 2, "more than 24h", []int64{2}, nil},
		{"an object without uid", file(goodHeader, strings.Replace(e(1), `"uid":"u1",`, ``, 1)), 2, "lacks its uid", []int64{2}, nil},
		{"a number where text belongs", file(goodHeader, strings.Replace(e(1), `"name":"p1"`, `"name":7`, 1)), 2, "cannot unmarshal number", []int64{2}, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := Read(strings.NewReader(c.text), "x.jsonl")
			var p *Problem
			switch {
			case c.want == "" && err != nil:
				t.Errorf("Read: %v", err)
			case c.want == "":
			case !errors.As(err, &p) || p.Line != c.line || !strings.Contains(err.Error(), c.want):
				t.Errorf("Read: %v, want line %d and %q", err, c.line, c.want)
			case !strings.HasPrefix(err.Error(), fmt.Sprintf("x.jsonl line %d: ", c.line)):
				t.Errorf("Read: %v does not begin with file and line", err)
			}
			h, problems, err := ReadAll(strings.NewReader(c.text), "x.jsonl")
			if err != nil {
				t.Fatal(err)
			}
			var lines, seqs []int64
			for _, p := range problems {
				lines = append(lines, p.Line)
			}
			for _, e := range h.Events {
				seqs = append(seqs, e.Seq)
			}
			if !reflect.DeepEqual(lines, c.lines) || !reflect.DeepEqual(seqs, c.seqs) {
				t.Errorf("ReadAll: bad lines %v, events %v; want %v, %v", lines, seqs, c.lines, c.seqs)
			}
			if len(problems) > 0 && len(NewView(h, nil, Scope{}).Gaps) == 0 && len(h.Events) > 0 {
				t.Error("the view of a damaged history has no gap")
			}
		})
	}
}

func TestReadRefusesHeaders(t *testing.T) {
	for _, c := range []struct {
		name, text, want string
		is               error
	}{
		{"empty", "", "empty", ErrNotHistory},
		{"no JSON", file("hello"), "not JSON", ErrNotHistory},
		{"an event first", file(goodEvent(1)), `kind ""`, ErrNotHistory},
		{"another kind", file(`{"kind":"other","format":1}`), `kind "other"`, ErrNotHistory},
		{"newer", file(strings.Replace(goodHeader, `"format":1`, `"format":2,"fancy":true`, 1)), "format 2, readable up to 1", ErrNewer},
		{"format 0", file(strings.Replace(goodHeader, `"format":1`, `"format":0`, 1)), "format 0 does not exist", ErrNotHistory},
		{"unknown field", file(strings.Replace(goodHeader, `"format":1`, `"format":1,"fancy":true`, 1)), "fancy", nil},
		{"unknown storage", file(strings.Replace(goodHeader, "single-etcd", "tape", 1)), `storage "tape"`, nil},
		{"cut off", goodHeader[:50], "cut off", nil},
		{"no scheduler name", file(strings.Replace(goodHeader, `["s"]`, `[]`, 1)), "schedulerNames is []", nil},
		{"an empty scheduler name", file(strings.Replace(goodHeader, `["s"]`, `["s",""]`, 1)), "schedulerNames is", nil},
		{"a huge settle bound", file(strings.Replace(goodHeader, `"settleRoot":1`, `"settleRoot":1e300`, 1)), "more than 24h", nil},
		{"a negative settle bound", file(strings.Replace(goodHeader, `"settleRoot":1`, `"settleRoot":-5`, 1)), "settleRoot is -5", nil},
		{"no settle bound", file(strings.Replace(goodHeader, `"settleRoot":1,"settleBase":1`, `"settleRoot":0,"settleBase":0`, 1)), "at least 1s", nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := Read(strings.NewReader(c.text), "x.jsonl")
			if err == nil || !strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(), "line 1") {
				t.Errorf("%v, want line 1 and %q", err, c.want)
			}
			if c.is != nil && !errors.Is(err, c.is) {
				t.Errorf("%v is not %v", err, c.is)
			}
		})
	}
}

type brokenReader struct{ r io.Reader }

func (b brokenReader) Read(p []byte) (int, error) {
	n, err := b.r.Read(p)
	if err == io.EOF {
		err = errors.New("the disk is on fire")
	}
	return n, err
}

func TestReadSaysThatReadingFailed(t *testing.T) {
	_, _, err := ReadAll(brokenReader{strings.NewReader(file(goodHeader, goodEvent(1)))}, "x")
	if err == nil || !strings.Contains(err.Error(), "line 3: reading: the disk is on fire") {
		t.Errorf("%v", err)
	}
}

func TestReadCountsProblems(t *testing.T) {
	_, err := Read(strings.NewReader(file(goodHeader, "x", "y", "z")), "f")
	if err == nil || !strings.Contains(err.Error(), "and 2 lines more") {
		t.Errorf("%v", err)
	}
}

func TestReadBoundsLines(t *testing.T) {
	long := io.MultiReader(strings.NewReader(goodHeader+"\n"), io.LimitReader(zeros{}, MaxLine+10), strings.NewReader("\n"+goodEvent(1)+"\n"))
	h, problems, err := ReadAll(long, "f")
	if err != nil || len(problems) != 1 || problems[0].Line != 2 || !strings.Contains(problems[0].Error(), "longer than") || len(h.Events) != 1 {
		t.Errorf("problems %v, error %v", problems, err)
	}
}

// A line beyond the limit is called that, also where the file ends in it.
func TestReadSaysThatTheLastLineIsTooLong(t *testing.T) {
	long := io.MultiReader(strings.NewReader(goodHeader+"\n"), io.LimitReader(zeros{}, MaxLine+10))
	_, problems, err := ReadAll(long, "f")
	if err != nil || len(problems) != 1 || !strings.Contains(problems[0].Error(), "longer than the limit of 67108864 bytes (64 MiB)") {
		t.Errorf("problems %v, error %v", problems, err)
	}
}

type zeros struct{}

func (zeros) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = '0'
	}
	return len(p), nil
}

func TestWriteReadRoundTrip(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		tp := randomTape(t, rt, SingleEtcd)
		var buf bytes.Buffer
		if err := WriteAll(&buf, tp.history()); err != nil {
			rt.Fatal(err)
		}
		h, err := Read(bytes.NewReader(buf.Bytes()), "tape")
		if err != nil {
			rt.Fatal(err)
		}
		if !sameJSON(t, h.Events, tp.events) || !sameJSON(t, h.Header, tp.header) {
			rt.Fatal("what was read is not what was written")
		}
		if a, b := digest(t, NewView(h, toy{}, scopeS())), digest(t, tp.view(scopeS())); a != b {
			rt.Fatalf("the view of the file:\n%s\nof the memory:\n%s", a, b)
		}
	})
}

// full is a disk with room for some bytes.
type full struct{ room int }

func (f *full) Write(p []byte) (int, error) {
	if len(p) > f.room {
		return 0, errors.New("no space left on device")
	}
	f.room -= len(p)
	return len(p), nil
}

func TestWriteErrorSticks(t *testing.T) {
	disk := &full{room: 1 << 17}
	w, err := NewWriter(disk, Header{})
	if err != nil {
		t.Fatal(err)
	}
	e := &Event{Seq: 1, Verb: VerbMark, Name: strings.Repeat("x", 1<<15)}
	for w.Err() == nil {
		e.Seq++
		_ = w.Write(e)
	}
	first := w.Err()
	if !strings.Contains(first.Error(), "no space left") || !strings.Contains(first.Error(), "line ") {
		t.Errorf("error %v", first)
	}
	disk.room = 1 << 30
	if err := w.Write(e); err != first {
		t.Errorf("the next write says %v", err)
	}
	if err := w.Flush(); err != first {
		t.Errorf("the flush says %v", err)
	}
}

func FuzzRead(f *testing.F) {
	f.Add([]byte(file(goodHeader, goodEvent(1), goodEvent(2))))
	f.Add([]byte(file(goodHeader, goodEvent(1)) + goodEvent(2)[:40]))
	f.Add([]byte(file(goodHeader, `{"seq":1,"stream":"d","origin":"driver","wall":"2026-09-01T12:00:00Z","mono":1,"verb":"begin","action":{"scenario":"s","response":{},"sentWall":"2026-09-01T12:00:00Z","sentMono":0,"scope":{"scenario":"s","namespaces":["ns"],"seed":1}}}`)))
	f.Add([]byte(file(goodHeader, `{"seq":1,"stream":"w","origin":"closing","wall":"2026-09-01T12:00:00Z","mono":1,"resource":"pods","verb":"sync","object":[{"uid":"a","rv":"1"}]}`)))
	f.Add([]byte(file(goodHeader, goodEvent(1), `{"seq":2,"stream":"watch:pods","origin":"watch","wall":"2026-09-01T12:00:00Z","mono":1,"resource":"pods","verb":"modified","uid":"u1","rv":"7","patch":{"spec":{"nodeName":"n"}}}`)))
	f.Fuzz(func(t *testing.T, data []byte) {
		h, problems, err := ReadAll(bytes.NewReader(data), "fuzz")
		strictly, serr := Read(bytes.NewReader(data), "fuzz")
		if (serr != nil) != (err != nil || len(problems) > 0) {
			t.Fatalf("strictly %v; otherwise %v and %v", serr, problems, err)
		}
		if err != nil {
			return
		}
		// Every line is either an event or a problem (or both, where lines before it are missing).
		lines := int64(bytes.Count(data, []byte("\n")))
		if len(data) > 0 && data[len(data)-1] != '\n' {
			lines++
		}
		seen := map[int64]bool{}
		for _, p := range problems {
			seen[p.Line] = true
		}
		if got := int64(len(h.Events)+len(seen)) + 1; got < lines {
			t.Fatalf("%d lines, of which only %d are accounted for", lines, got)
		}
		// Whatever it says, a view can be made of it and asked.
		v := NewView(h, toy{}, Scope{})
		v.Replay(func(*State, Stamp) bool { return true })
		v.StateAt(v.Now())
		for _, s := range h.Scopes() {
			NewView(h, toy{}, s)
			NewView(h.Slice(s), toy{}, s)
		}
		if strictly != nil {
			var buf bytes.Buffer
			if err := WriteAll(&buf, h); err != nil {
				t.Fatal(err)
			}
		}
	})
}
