package main

import (
	"os"

	"github.com/prometheus/procfs"
	"golang.org/x/sys/unix"
)

// unmapProgram lets go of the pages of the program's file that the process has touched: most of them were needed to start. Those that are
// used again are mapped again, from the kernel's cache as long as there is memory for it. Where that cannot be done all stays as it is.
func unmapProgram() {
	file, err := os.Executable()
	if err != nil {
		return
	}
	self, err := procfs.Self()
	if err != nil {
		return
	}
	maps, err := self.ProcMaps()
	if err != nil {
		return
	}
	for _, part := range maps {
		if part.Pathname == file && !part.Perms.Write { // what was written to is in no file
			unix.Syscall(unix.SYS_MADVISE, part.StartAddr, part.EndAddr-part.StartAddr, unix.MADV_DONTNEED) //nolint:errcheck // see above
		}
	}
}
