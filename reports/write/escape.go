package write

import (
	"strconv"
	"strings"
)

// Escaped is a text that may come from anywhere (the log of a command), in lines that can be shown: control characters are
// written as Go writes them, and every line but the first begins with indent.
func Escaped(text, indent string) string {
	lines := strings.Split(strings.TrimRight(strings.ReplaceAll(text, "\r\n", "\n"), "\n"), "\n")
	for i, line := range lines {
		var b strings.Builder
		for _, c := range strings.ToValidUTF8(line, "\uFFFD") {
			if c == '\t' || strconv.IsPrint(c) {
				b.WriteRune(c)
				continue
			}
			quoted := strconv.QuoteRune(c)
			b.WriteString(quoted[1 : len(quoted)-1])
		}
		lines[i] = b.String()
	}
	return strings.Join(lines, "\n"+indent)
}

// item is a text in a list of a page: what comes after its first line is shown as it is, as code.
func item(text string) string {
	first, rest, more := strings.Cut(Escaped(text, "      "), "\n")
	if !more {
		return first
	}
	return first + "\n\n" + rest + "\n"
}
