package process

import (
	"fmt"
	"os"
	"strconv"
	"strings"
	"time"
)

// Usage is what a process has used.
type Usage struct {
	// CPU is user and system time since its start, that of its ended and reaped children included.
	CPU time.Duration
	// RSS is the resident set in bytes.
	RSS int64
}

// clockTick is the unit of times in /proc. The kernel has reported 100 to user space on every architecture Go runs
// on since 2.6, whatever its own tick is.
const clockTick = 10 * time.Millisecond

// Usage of the process, and where it is a guard of everything below it: to find that out means to look at every process
// of the machine. Roles have nothing below them. After its end: the last usage that was seen.
func (p *Process) Usage() Usage {
	usage := Alone
	if p.spec.Role == Guard {
		usage = func(pid int) (Usage, error) { return treeUsage(pid, false) }
	}
	u, err := usage(p.PID())
	p.usageMu.Lock()
	defer p.usageMu.Unlock()
	if err == nil && p.Ended() == "" {
		p.usage = u
	}
	return p.usage
}

// treeUsage is the usage of a process and its descendants. A guard is left out (self is false), since it is muster's
// and not its command's, but not the time of the descendants it has reaped.
func treeUsage(pid int, self bool) (Usage, error) {
	root, err := readStat(pid)
	if err != nil {
		return Usage{}, err
	}
	total := Usage{CPU: root.reaped}
	if self {
		total.CPU += root.own
		total.RSS = root.rss
	}
	for _, child := range Descendants(pid) {
		if s, err := readStat(child); err == nil {
			total.CPU += s.own + s.reaped
			total.RSS += s.rss
		}
	}
	return total, nil
}

// Of is the usage of any process, with its descendants.
func Of(pid int) (Usage, error) { return treeUsage(pid, true) }

// Alone is the usage of a process without its descendants.
func Alone(pid int) (Usage, error) {
	s, err := readStat(pid)
	return Usage{CPU: s.own, RSS: s.rss}, err
}

// Descendants are the processes below pid, children before grandchildren.
func Descendants(pid int) []int {
	children := map[int][]int{}
	for id, s := range processes() {
		children[s.parent] = append(children[s.parent], id)
	}
	var out []int
	for queue := children[pid]; len(queue) > 0; queue = queue[1:] {
		out = append(out, queue[0])
		queue = append(queue, children[queue[0]]...)
	}
	return out
}

// processes are all there are, by id.
func processes() map[int]stat {
	entries, err := os.ReadDir("/proc")
	if err != nil {
		return nil
	}
	out := map[int]stat{}
	for _, e := range entries {
		id, err := strconv.Atoi(e.Name())
		if err != nil {
			continue
		}
		if s, err := readStat(id); err == nil {
			out[id] = s
		}
	}
	return out
}

type stat struct {
	state   string
	parent  int
	group   int
	started uint64 // clock ticks after boot
	own     time.Duration
	reaped  time.Duration // of children that have ended and been waited for
	rss     int64
}

// StartTime is when a process started, in clock ticks since boot: with its id it names one process for ever.
func StartTime(pid int) (uint64, error) {
	s, err := readStat(pid)
	return s.started, err
}

func readStat(pid int) (stat, error) {
	data, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return stat{}, err
	}
	return parseStat(string(data))
}

// parseStat reads the fields of proc_pid_stat(5). The command's name is in parentheses and may itself hold spaces and
// parentheses, so fields are counted from the last one.
func parseStat(line string) (stat, error) {
	end := strings.LastIndexByte(line, ')')
	if end < 0 {
		return stat{}, fmt.Errorf("reading a process's stat: no command name in %q", line)
	}
	f := strings.Fields(line[end+1:]) // f[0] is field 3
	if len(f) < 22 {
		return stat{}, fmt.Errorf("reading a process's stat: %d fields after the command name, want at least 22", len(f))
	}
	var n [22]int64
	for i := 1; i < 22; i++ {
		v, err := strconv.ParseInt(f[i], 10, 64)
		if err != nil { // an unsigned value beyond int64 (a limit) is of no interest here
			continue
		}
		n[i] = v
	}
	return stat{
		state:   f[0],
		parent:  int(n[1]),
		group:   int(n[2]),
		started: uint64(n[19]),
		own:     time.Duration(n[11]+n[12]) * clockTick,
		reaped:  time.Duration(n[13]+n[14]) * clockTick,
		rss:     n[21] * int64(os.Getpagesize()),
	}, nil
}

// LiveDescendants are the descendants that have not ended: zombies, which only wait to be reaped, are left out.
func LiveDescendants(pid int) []int {
	var out []int
	for _, d := range Descendants(pid) {
		if s, err := readStat(d); err == nil && s.state != "Z" && s.state != "X" {
			out = append(out, d)
		}
	}
	return out
}
