package conduct

import (
	"fmt"
	"os"
	"path/filepath"
)

// Histories are the history files that the arguments name: a file is one, and a directory stands for all histories in
// it, be it a run's output directory, its history directory, or the folder of a failure.
func Histories(args []string) ([]string, error) {
	var files []string
	for _, arg := range args {
		if info, err := os.Stat(arg); err != nil || !info.IsDir() {
			files = append(files, arg) // whoever reads it says what is wrong with it
			continue
		}
		var here []string
		for _, pattern := range []string{filepath.Join(historyDir, "*.jsonl"), "*.jsonl"} {
			var err error
			if here, err = filepath.Glob(filepath.Join(arg, pattern)); err != nil {
				return nil, fmt.Errorf("looking for histories in %s: %w", arg, err)
			}
			if len(here) > 0 {
				break
			}
		}
		if len(here) == 0 {
			return nil, fmt.Errorf("the directory %s holds no history: name the output directory of a run, or history files (*.jsonl)", arg)
		}
		files = append(files, here...)
	}
	return files, nil
}

// Failures is the directory in a run's output directory that has a folder for every scenario that did not pass.
func Failures(out string) string { return filepath.Join(out, failuresDir) }

// Report is the report that an argument names: a file, or the one in a run's output directory.
func Report(arg string) string {
	if info, err := os.Stat(arg); err == nil && info.IsDir() {
		return filepath.Join(arg, reportFile)
	}
	return arg
}
