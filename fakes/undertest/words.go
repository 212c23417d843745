package undertest

import (
	"bytes"
	"errors"
	"fmt"
	"os/exec"
	"strings"
	"text/template"
)

// Fields are what a --scheduler-exec command can refer to as {{.Name}}.
type Fields struct {
	// Kubeconfig is the path of a kubeconfig whose user is system:kube-scheduler.
	Kubeconfig string
	// SchedulerName is the first of the names it is to schedule for.
	SchedulerName string
	// RunDir is a folder of its own to write into. It is gone after the run.
	RunDir string
	// LeaderElect says whether it has to ask for a lease (true or false). A command that refers to it can be run twice at
	// a time, and is where two schedulers are the subject.
	LeaderElect bool
}

// Command splits a --scheduler-exec command into words and fills its fields in. No shell is involved: no variables, no
// globs, no pipes. A field is filled in after the splitting, so a path with spaces stays one word.
func Command(line string, f Fields) ([]string, error) {
	words, err := Split(line)
	if err != nil {
		return nil, fmt.Errorf("reading the scheduler command: %w", err)
	}
	if len(words) == 0 {
		return nil, errors.New("reading the scheduler command: it is empty")
	}
	for i, w := range words {
		t, err := template.New("word").Option("missingkey=error").Parse(w)
		if err != nil {
			return nil, fmt.Errorf("reading the scheduler command: %q: %w", w, err)
		}
		var b bytes.Buffer
		if err := t.Execute(&b, f); err != nil {
			return nil, fmt.Errorf("reading the scheduler command: %q: %w; the fields are .Kubeconfig, .SchedulerName, "+
				".RunDir and .LeaderElect", w, err)
		}
		words[i] = b.String()
	}
	return words, nil
}

// checkCommand refuses a command that could not be started.
func checkCommand(line string) error {
	words, err := Command(line, Fields{})
	if err != nil {
		return err
	}
	if _, err := exec.LookPath(words[0]); err != nil {
		return fmt.Errorf("looking for the scheduler command: %w", err)
	}
	return nil
}

// Split splits a line into words as a POSIX shell does before any expansion: blanks separate; single quotes keep
// everything; double quotes keep everything but a backslash before ", \, $, ` or a newline; a backslash elsewhere keeps
// the next character, and with a newline is nothing. {{ and }} keep what is between them too.
func Split(line string) ([]string, error) {
	s := splitter{rest: line}
	for s.rest != "" && s.err == nil {
		s.step()
	}
	if s.err != nil {
		return nil, s.err
	}
	s.end()
	return s.words, nil
}

type splitter struct {
	rest  string
	word  strings.Builder
	open  bool // a word has begun, even if it is empty so far ('')
	words []string
	err   error
}

func (s *splitter) step() {
	switch c := s.rest[0]; {
	case c == ' ' || c == '\t' || c == '\n' || c == '\r':
		s.end()
		s.rest = s.rest[1:]
	case c == '\'':
		s.until("'", "'", false)
	case strings.HasPrefix(s.rest, "{{"):
		s.until("{{", "}}", true)
	case c == '"':
		s.rest, s.open = s.rest[1:], true
		s.doubleQuoted()
	case c == '\\':
		s.backslash()
	default:
		s.take(1)
	}
}

// until keeps what lies between the opening mark and the next closing one; with marks, the marks as well.
func (s *splitter) until(opening, closing string, marks bool) {
	body, rest, ok := strings.Cut(s.rest[len(opening):], closing)
	if !ok {
		s.err = fmt.Errorf("the %s in %q is never closed", opening, s.rest)
		return
	}
	if marks {
		body = opening + body + closing
	}
	s.word.WriteString(body)
	s.rest, s.open = rest, true
}

func (s *splitter) doubleQuoted() {
	for s.rest != "" {
		switch {
		case s.rest[0] == '"':
			s.rest = s.rest[1:]
			return
		case strings.HasPrefix(s.rest, "{{"):
			if s.until("{{", "}}", true); s.err != nil {
				return
			}
		case s.rest[0] == '\\' && len(s.rest) > 1 && strings.IndexByte("\"\\$`\n", s.rest[1]) >= 0:
			s.backslash()
		default:
			s.take(1)
		}
	}
	s.err = errors.New("a double quote is never closed")
}

func (s *splitter) backslash() {
	if len(s.rest) < 2 {
		s.err = errors.New("a backslash at the end keeps nothing")
		return
	}
	s.rest = s.rest[1:]
	if s.rest[0] == '\n' {
		s.rest = s.rest[1:]
		return
	}
	s.take(1)
}

func (s *splitter) take(n int) {
	s.word.WriteString(s.rest[:n])
	s.rest, s.open = s.rest[n:], true
}

func (s *splitter) end() {
	if s.open {
		s.words = append(s.words, s.word.String())
	}
	s.word.Reset()
	s.open = false
}
