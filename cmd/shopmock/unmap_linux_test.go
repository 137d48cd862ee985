package main

import (
	"net/http"
	"testing"
	"time"

	"github.com/prometheus/procfs"
)

// TestAnIdleProgramMapsLittleOfItsFile reads how much of the program's file is resident when the shop is ready, and again until that is a
// third: without unmapProgram it stays what it was.
func TestAnIdleProgramMapsLittleOfItsFile(t *testing.T) {
	p := startProgram(t)
	process, err := procfs.NewProc(p.command.Process.Pid)
	if err != nil {
		t.Fatal(err)
	}
	resident := func() uint64 {
		status, err := process.NewStatus()
		if err != nil {
			t.Fatal(err)
		}
		return status.RssFile
	}
	began := resident()
	for end := time.Now().Add(20 * time.Second); resident() > began/3; time.Sleep(20 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("%d kB of the program's file are resident, %d kB when it was ready", resident()/1024, began/1024)
		}
	}
	if status, _, _ := p.call(http.MethodGet, "/shop/v3/products", "", ""); status != http.StatusOK {
		t.Errorf("what was unmapped is to be mapped again when it is used: status %d", status)
	}
}
