package runner

import (
	"bufio"
	"bytes"
	"os"
	"runtime"
	"strconv"
	"strings"
	"syscall"

	"muster/perf/results"
)

// ThisMachine is what everything here runs on.
func ThisMachine() results.Machine {
	m := results.Machine{CPUs: runtime.NumCPU(), CPU: lineOf("/proc/cpuinfo", "model name"), Go: runtime.Version()}
	var info syscall.Sysinfo_t
	if syscall.Sysinfo(&info) == nil {
		m.Memory = int64(info.Totalram) * int64(info.Unit)
	}
	if release, err := os.ReadFile("/proc/sys/kernel/osrelease"); err == nil {
		m.Kernel = strings.TrimSpace(string(release))
	}
	return m
}

// AvailableMemory is how much memory, in bytes, the kernel says can be used without swapping; 0 where it does not say.
func AvailableMemory() int64 {
	kib, _, _ := strings.Cut(lineOf("/proc/meminfo", "MemAvailable"), " ")
	n, err := strconv.ParseInt(kib, 10, 64)
	if err != nil {
		return 0
	}
	return n << 10
}

// lineOf is what stands behind the colon of the first line with this name; empty where there is none.
func lineOf(file, name string) string {
	raw, err := os.ReadFile(file)
	if err != nil {
		return ""
	}
	lines := bufio.NewScanner(bytes.NewReader(raw))
	for lines.Scan() {
		key, value, ok := strings.Cut(lines.Text(), ":")
		if ok && strings.TrimSpace(key) == name {
			return strings.TrimSpace(value)
		}
	}
	return ""
}
