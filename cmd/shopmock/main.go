// Command shopmock runs the reference shop as a program.
package main

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"syscall"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	done, err := commandFor(os.Args[1:]).ExecuteContextC(ctx)
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "shopmock:", err)
	}
	os.Exit(exitCode(done, err))
}
