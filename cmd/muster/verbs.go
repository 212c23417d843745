package main

import "github.com/spf13/cobra"

// judgingVerbs and lookingVerbs are the verbs of two of the root command's groups, in the order of the design.
func judgingVerbs() []*cobra.Command {
	return []*cobra.Command{newConformanceCommand(), newJudgeCommand(), newRecordCommand(), newProveCommand(), newReportCommand(), newPerfCommand()}
}

func lookingVerbs() []*cobra.Command { return []*cobra.Command{newListCommand()} }
