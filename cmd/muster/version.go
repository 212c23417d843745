package main

import (
	"encoding/json"
	"fmt"
	"io"
	"runtime"

	"github.com/spf13/cobra"
	kubeversion "k8s.io/component-base/version"
	"sigs.k8s.io/yaml"

	"muster/perf/runner"
)

// revision is the commit this binary was built from, set by the linker (-X main.revision=…).
var revision = runner.UnknownRevision

// versions is what muster version prints.
type versions struct {
	Revision   string `json:"revision"`
	Kubernetes string `json:"kubernetes"`
	Go         string `json:"go"`
	Platform   string `json:"platform"`
}

func currentVersions() versions {
	return versions{
		Revision:   revision,
		Kubernetes: kubeversion.Get().GitVersion,
		Go:         runtime.Version(),
		Platform:   runtime.GOOS + "/" + runtime.GOARCH,
	}
}

func newVersionCommand() *cobra.Command {
	var output string
	cmd := &cobra.Command{
		Use:   "version",
		Short: "Print the versions of muster and of the control plane inside it",
		Args:  noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			v := currentVersions()
			return print(cmd.OutOrStdout(), output, v, func(w io.Writer) error {
				_, err := fmt.Fprintf(w, "muster %s\nKubernetes %s\n%s %s\n", v.Revision, v.Kubernetes, v.Go, v.Platform)
				return err
			})
		},
	}
	outputFlag(cmd, &output, "table")
	return cmd
}

// outputFlag adds -o. Its values are checked by print.
func outputFlag(cmd *cobra.Command, output *string, def string) {
	cmd.Flags().StringVarP(output, "output", "o", def, "how to print: table, json or yaml")
	_ = cmd.RegisterFlagCompletionFunc("output", cobra.FixedCompletions([]string{"table", "json", "yaml"}, cobra.ShellCompDirectiveNoFileComp))
}

// checkOutput refuses an unknown -o before anything is done.
func checkOutput(output string) error {
	switch output {
	case "table", "json", "yaml":
		return nil
	}
	return usage(fmt.Errorf("unknown output %q: use table, json or yaml", output))
}

// print writes v as the user asked for; table is how people read it.
func print(w io.Writer, output string, v any, table func(io.Writer) error) error {
	switch output {
	case "table":
		return table(w)
	case "json":
		e := json.NewEncoder(w)
		e.SetIndent("", "  ")
		return e.Encode(v)
	case "yaml":
		data, err := yaml.Marshal(v)
		if err != nil {
			return fmt.Errorf("encoding the output: %w", err)
		}
		_, err = w.Write(data)
		return err
	}
	return checkOutput(output)
}
