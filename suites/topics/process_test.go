package topics_test

// This program as other processes: runs of their own, and workers of a run.

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"testing"
	"time"

	"shopcheck/reports"
	"shopcheck/suites"
	"shopcheck/suites/topics"
)

const roleVariable, subjectVariable = "SHOPCHECK_TEST_ROLE", "SHOPCHECK_TEST_SUBJECT"

// again is the command of this program in another role.
func again(t *testing.T, role, subject string) *exec.Cmd {
	t.Helper()
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	command := exec.Command(program)
	command.Env = append(os.Environ(), roleVariable+"="+role, subjectVariable+"="+subject)
	return command
}

// TestMain plays the role that the environment names.
func TestMain(m *testing.M) {
	switch os.Getenv(roleVariable) {
	case "run":
		os.Exit(runAgainst(os.Getenv(subjectVariable)))
	case "worker":
		os.Exit(work(os.Stdout))
	case "worker killed once":
		os.Exit(work(&killedOnce{out: os.Stdout, mark: os.Getenv(subjectVariable)}))
	case "dying worker":
		os.Exit(work(&dyingWriter{out: os.Stdout, after: os.Getenv(subjectVariable)}))
	}
	os.Exit(m.Run())
}

func runAgainst(url string) int {
	p, err := exampleProfile(url)
	if err != nil {
		fmt.Println(err)
		return 2
	}
	report, err := suites.Run(context.Background(),
		suites.Options{Profile: p, Topics: topics.All(), Shuffle: true, Seed: time.Now().UnixNano()})
	for _, spec := range report.Specs {
		if spec.Outcome != reports.Passed && spec.Outcome != reports.NotApplicable {
			fmt.Printf("%s %s %s %+v\n", spec.Outcome, spec.ID, spec.Reason, spec.Findings)
		}
	}
	fmt.Println(report.Verdict, report.Reasons, report.Leftovers, err)
	return report.ExitCode
}

func work(out io.Writer) int {
	if err := suites.Work(context.Background(), os.Stdin, out, topics.All()); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 2
	}
	return 0
}

// killedOnce is the output of a worker that is killed before it tells how a spec ended, unless a file says that one was already.
type killedOnce struct {
	out  io.Writer
	mark string
}

func (w *killedOnce) Write(p []byte) (int, error) {
	if bytes.HasPrefix(p, []byte(`{"done":{"id":"products.create.`)) {
		if file, err := os.OpenFile(w.mark, os.O_CREATE|os.O_EXCL, 0o600); err == nil {
			_ = file.Close()
			process, _ := os.FindProcess(os.Getpid()) // on any system; it never fails for one that runs
			_ = process.Kill()
		}
	}
	return w.out.Write(p)
}

// dyingWriter ends the process after certain words are written.
type dyingWriter struct {
	out   io.Writer
	after string
}

func (w *dyingWriter) Write(p []byte) (int, error) {
	n, err := w.out.Write(p)
	if bytes.Contains(p, []byte(w.after)) {
		fmt.Fprintln(os.Stderr, "a fault of this worker")
		os.Exit(7)
	}
	return n, err
}
