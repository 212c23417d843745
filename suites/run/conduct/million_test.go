package conduct

import (
	"os"
	"path/filepath"
	"runtime/debug"
	"strconv"
	"strings"
	"testing"
	"time"
)

// BenchmarkJudgeRecord judges a record of MUSTER_EVENTS events (default 100,000) and reports the time, the most memory
// the process held meanwhile, and the size of the file. A million has to be judged within 60 s and 2 GiB (hack/soak-judge.sh).
// MUSTER_RECORD names the file to keep the record in, and to find it in the next time:
//
//	MUSTER_EVENTS=1000000 go test -run '^$' -bench JudgeRecord -benchtime 1x ./suites/run/conduct
func BenchmarkJudgeRecord(b *testing.B) {
	events := int64(100_000)
	if s := os.Getenv("MUSTER_EVENTS"); s != "" {
		n, err := strconv.ParseInt(s, 10, 64)
		if err != nil {
			b.Fatalf("MUSTER_EVENTS: %v", err)
		}
		events = n
	}
	file := os.Getenv("MUSTER_RECORD")
	if file == "" {
		file = filepath.Join(b.TempDir(), "record.jsonl")
	}
	if _, err := os.Stat(file); os.IsNotExist(err) {
		writeTape(b, file, events, false)
	}
	info, err := os.Stat(file)
	if err != nil {
		b.Fatal(err)
	}
	forget(b)
	for b.Loop() {
		began := time.Now()
		if _, _, err := Stored([]string{file}, nil); err != nil {
			b.Fatal(err)
		}
		b.ReportMetric(float64(events)/time.Since(began).Seconds(), "events/s")
	}
	b.ReportMetric(float64(info.Size())/(1<<20), "MiB-file")
	b.ReportMetric(peakMiB(b), "MiB-peak")
}

// forget lets go of what writing the record took, so that the peak is that of judging it.
func forget(b *testing.B) {
	b.Helper()
	debug.FreeOSMemory()
	if err := os.WriteFile("/proc/self/clear_refs", []byte("5"), 0); err != nil {
		b.Logf("the peak of memory includes writing the record: %v", err)
	}
}

// peakMiB is the most memory this process held since forget.
func peakMiB(b *testing.B) float64 {
	b.Helper()
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		b.Skip("the peak of memory is read from /proc")
	}
	for line := range strings.Lines(string(status)) {
		if rest, ok := strings.CutPrefix(line, "VmHWM:"); ok {
			kib, err := strconv.ParseFloat(strings.Fields(rest)[0], 64)
			if err != nil {
				b.Fatal(err)
			}
			return kib / 1024
		}
	}
	return 0
}
