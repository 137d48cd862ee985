package main

// shopmock ready: whether a shop takes requests, for scripts and containers.

import (
	"cmp"
	"context"
	"fmt"
	"net/http"
	"time"

	"github.com/spf13/cobra"
)

func readyCommand() *cobra.Command {
	var shop shopFlags
	var wait time.Duration
	ready := &cobra.Command{
		Use:   "ready [--wait[=30s]]",
		Short: "Tell by the exit code whether a shop takes requests: 0 when it does.",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			ctx, cancel := context.WithTimeout(cmd.Context(), cmp.Or(wait, firstTry))
			defer cancel()
			if err := awaitReady(ctx, &shop, wait > 0); err != nil {
				return err
			}
			_, err := fmt.Fprintf(cmd.OutOrStdout(), "ready at %s\n", shop.url)
			return err
		},
	}
	shop.add(ready)
	ready.Flags().DurationVar(&wait, "wait", 0, "wait until it does, so long at most; 30s without a value")
	ready.Flags().Lookup("wait").NoOptDefVal = "30s"
	return ready
}

// firstTry is how long a shop may take to answer, if nobody waits for it, and tryAgain how long to wait before the next question.
const (
	firstTry = 5 * time.Second
	tryAgain = 100 * time.Millisecond
)

// awaitReady returns nil as soon as the shop takes requests, and what is wrong with it when the time is over.
func awaitReady(ctx context.Context, shop *shopFlags, patient bool) error {
	for {
		_, err := shop.send(ctx, http.MethodGet, "/readyz", nil)
		if err == nil || !patient {
			return err
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("the time to wait is over: %w", err)
		case <-time.After(tryAgain):
		}
	}
}
