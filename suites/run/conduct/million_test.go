package conduct

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"
)

// BenchmarkJudgeRecord judges a record of MUSTER_EVENTS events (default 100,000) and reports the time, the most memory
// the process ever held, and the size of the file. A million has to be judged within 60 s and 2 GiB (hack/soak.sh):
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
	file := filepath.Join(b.TempDir(), "record.jsonl")
	writeTape(b, file, events, false)
	info, err := os.Stat(file)
	if err != nil {
		b.Fatal(err)
	}
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

// peakMiB is the most memory this process ever held.
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
