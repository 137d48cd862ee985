package cmd_test

// The guides are worked through from top to bottom, as a reader does, and what their sessions show is what happened.

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// TestTheGuidesCanBeWorkedThrough runs every line of the guides' blocks. A line of a block that shows no output must succeed; a
// session must print what it shows, but for times and counts. UPDATE_GOLDEN=1 writes the sessions anew.
func TestTheGuidesCanBeWorkedThrough(t *testing.T) {
	if testing.Short() {
		t.Skip("it runs the suites several times")
	}
	needCurl(t)
	t.Parallel()
	programs := buildPrograms(t)
	for _, guide := range guides {
		t.Run(guide, func(t *testing.T) {
			clone := filepath.Join(t.TempDir(), "shopcheck")
			copyTracked(t, clone)
			text := readGuide(t, guide)
			worked := openTerminal(t, clone, programs).workThrough(text)
			if os.Getenv("UPDATE_GOLDEN") != "" && worked != text {
				if err := os.WriteFile(guide, []byte(worked), 0o644); err != nil {
					t.Fatal(err)
				}
			}
		})
	}
}

// runElsewhere are lines that others run: suites/defects has what selftest does, TestTheModuleCan… require and rename the module, CI
// has the main job, and the tests are running: they would begin anew in themselves, without an end.
var runElsewhere = regexp.MustCompile(
	`^(shopcheck selftest( --independent| --fair)?|go (mod edit|get|test) .*|go run \./cmd/shopcheck run|NAME=.*)$`)

// terminal is a shell in a clone of the project with both programs in its PATH, and the programs that its reader has in other terminals.
type terminal struct {
	t       *testing.T
	folder  string
	env     []string
	input   io.Writer
	output  *bufio.Reader
	servers map[string]*exec.Cmd // by the address that the guide has
	real    map[string]string    // the addresses that they have here
}

func openTerminal(t *testing.T, folder, programs string) *terminal {
	t.Helper()
	env := append(os.Environ(), "PATH="+programs+":"+os.Getenv("PATH"), "CURL_HOME="+folder, "no_proxy=*", "GITHUB_STEP_SUMMARY=",
		"GOFLAGS=-buildvcs=false -trimpath", "SHOPMOCK_LISTEN=127.0.0.1:0", "SHOPMOCK_LISTEN_LISTEN=127.0.0.1:0", "COLUMNS=120")
	script, input, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	output, said, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	// The lines come through a file of their own: what runs must not read them.
	shell := exec.Command("bash", "/dev/fd/3") // it ends with its input
	shell.Dir, shell.Env, shell.ExtraFiles, shell.Stdout, shell.Stderr = folder, env, []*os.File{script}, said, said
	if err := shell.Start(); err != nil {
		t.Fatal(err)
	}
	term := &terminal{t, folder, env, input, bufio.NewReader(output), map[string]*exec.Cmd{}, map[string]string{}}
	t.Cleanup(func() {
		for _, server := range term.servers {
			end(t, server)
		}
		input.Close()
		if err := shell.Wait(); err != nil {
			t.Error(err)
		}
		for _, file := range []*os.File{script, said, output} {
			file.Close()
		}
	})
	return term
}

// block is a fenced one of a guide that a reader types.
var block = regexp.MustCompile("(?ms)^```(sh|console)\n(.*?)^```\n")

// workThrough runs the blocks of a guide, and returns the guide with what its sessions printed.
func (term *terminal) workThrough(guide string) string {
	term.t.Helper()
	var worked strings.Builder
	rest := 0
	for _, at := range block.FindAllStringSubmatchIndex(guide, -1) {
		shown := guide[at[4]:at[5]]
		worked.WriteString(guide[rest:at[4]])
		if guide[at[2]:at[3]] == "sh" {
			term.typeLines(shown)
		} else {
			shown = term.replay(shown)
		}
		worked.WriteString(shown)
		rest = at[5]
	}
	return worked.String() + guide[rest:]
}

func (term *terminal) typeLines(lines string) {
	term.t.Helper()
	for line := range strings.Lines(strings.ReplaceAll(lines, "\\\n", " ")) {
		line, _, _ = strings.Cut(line, " # ")
		switch line = strings.TrimSpace(line); {
		case line == "" || strings.HasPrefix(line, "#") || runElsewhere.MatchString(line):
		case strings.HasPrefix(line, "shopmock serve") || strings.HasPrefix(line, "shopmock listen"):
			term.serve(line)
		default:
			if said, code := term.run(line); code != 0 {
				term.t.Errorf("%s\nends with exit code %d:\n%.3000s", line, code, said)
			}
		}
	}
}

// replay runs the lines of a session that begin with a prompt, and returns the session as it happened. A line "…" in what the guide
// shows stands for any number of lines; such a session stays as it is, as long as it fits.
func (term *terminal) replay(shown string) string {
	term.t.Helper()
	var happened strings.Builder
	for line := range strings.Lines(shown) {
		if command, isCommand := strings.CutPrefix(line, "$ "); isCommand {
			said, _ := term.run(strings.TrimSpace(command))
			if said != "" && !strings.HasSuffix(said, "\n") {
				said += "\n"
			}
			happened.WriteString(line + said)
		}
	}
	pattern := strings.ReplaceAll(regexp.QuoteMeta(withoutCounts(shown)), "…\n", "(?s:.*)")
	if regexp.MustCompile("^" + pattern + "$").MatchString(withoutCounts(happened.String())) {
		return shown
	}
	if os.Getenv("UPDATE_GOLDEN") == "" {
		term.t.Errorf("the session is another (UPDATE_GOLDEN=1 writes it):\n%s\nwhere the guide shows\n%s", happened.String(), shown)
	}
	return happened.String()
}

var (
	dates    = regexp.MustCompile(`\d{4}-\d\d-\d\d([T ]\d\d:\d\d(:\d\d)?(\.\d+)?(Z|[+-]\d\d:\d\d)?)?`)
	numbers  = regexp.MustCompile(`(\d+(\.\d+)?[hmµn]?)+`) // 90 ms and 1m30s alike
	workers  = regexp.MustCompile(`N workers?`)            // more of them where answers take longer
	progress = regexp.MustCompile(`[ .]*\.\.+`)
)

// withoutCounts leaves of a session what does not change from one time to another, and with the number of specs.
func withoutCounts(session string) string {
	for _, changing := range []struct {
		found *regexp.Regexp
		shown string
	}{{dates, "DATE"}, {numbers, "N"}, {workers, "N workers"}, {progress, " ..."}} {
		session = changing.found.ReplaceAllString(session, changing.shown)
	}
	return session
}

// mockListens is where the mock is in the guides, and its commands look for it.
const mockListens = "127.0.0.1:8080"

const marker = "--- exit code "

// run types a line, and returns what it printed, with the addresses of the guide, and its exit code.
func (term *terminal) run(line string) (said string, code int) {
	term.t.Helper()
	for shown, real := range term.real {
		line = strings.ReplaceAll(line, shown, real)
	}
	if _, err := fmt.Fprintf(term.input, "%s\nprintf '\\n%s%%d\\n' $?\n", line, marker); err != nil {
		term.t.Fatal(err)
	}
	var lines strings.Builder
	for {
		text, err := term.output.ReadString('\n')
		if err != nil {
			term.t.Fatalf("%s\nended the shell: %v\n%.3000s", line, err, lines.String())
		}
		if number, ended := strings.CutPrefix(text, marker); ended {
			if code, err = strconv.Atoi(strings.TrimSpace(number)); err != nil {
				term.t.Fatal(err)
			}
			break
		}
		lines.WriteString(text)
	}
	said = strings.TrimSuffix(lines.String(), "\n") // the one before the marker
	for shown, real := range term.real {
		said = strings.ReplaceAll(said, real, shown)
	}
	return said, code
}

// serve starts a program that stays, as in a terminal of its own, in the place of one that had its address, and waits until it answers.
func (term *terminal) serve(line string) {
	term.t.Helper()
	shown := mockListens
	if strings.HasPrefix(line, "shopmock listen") {
		shown = "127.0.0.1:8081"
	}
	if earlier := term.servers[shown]; earlier != nil {
		end(term.t, earlier)
	}
	server := exec.Command("bash", "-c", "exec "+strings.Replace(line, "--listen "+shown, "", 1))
	server.Dir, server.Env = term.folder, term.env
	output, err := server.StdoutPipe()
	if err != nil {
		term.t.Fatal(err)
	}
	if err := server.Start(); err != nil {
		term.t.Fatal(err)
	}
	lines := bufio.NewScanner(output)
	for lines.Scan() {
		if ready := regexp.MustCompile(`(?:ready|webhooks) at https?://(\S+)`).FindStringSubmatch(lines.Text()); ready != nil {
			term.servers[shown], term.real[shown] = server, ready[1]
			go io.Copy(io.Discard, output) // it ends with the program
			if shown == mockListens {
				term.run("export SHOPMOCK_URL=http://" + shown)
			}
			return
		}
	}
	term.t.Fatalf("%s\nended before it was ready: %v", line, server.Wait())
}

func end(t *testing.T, server *exec.Cmd) {
	t.Helper()
	if err := server.Process.Signal(os.Interrupt); err != nil {
		t.Error(err)
	}
	if err := server.Wait(); err != nil {
		t.Error(server.Args, err)
	}
}
