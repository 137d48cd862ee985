.PHONY: conform test race bench bench-server lint fuzz

conform: ## run all suites against the in-process reference shop; the report is in out/
	go run ./cmd/shopcheck run

test: ## pass the tests
	go test ./...

race: ## the tests under the race detector
	go test -race ./...

bench: ## benchmarks, with a bare net/http handler as the floor in the same run
	go test -run '^$$' -bench . -benchmem ./...

bench-server: ## what a request costs the program, as a share of bare net/http, without the client's part; needs wrk
	CGO_ENABLED=0 go build -trimpath -ldflags="-s -w" -o out/shopmock ./cmd/shopmock
	bash mockserver/internal/shopmock/testdata/bench/against-floor.sh out/shopmock

FUZZTIME ?= 1m
fuzz: ## each fuzz test for FUZZTIME, one after the other
	@set -e; for found in $$(grep -rEo --include='*_test.go' '^func Fuzz[A-Za-z0-9_]+' . | sed 's/func //'); do \
		go test -run '^$$' -fuzz "^$${found#*:}\$$" -fuzztime $(FUZZTIME) "$$(dirname "$${found%:*}")"; \
	done

lint: ## format, vet, staticcheck (staticcheck.conf), functions that nothing reaches; how sources are written is tested by cmd
	@test -z "$$(gofmt -l .)" || { gofmt -l .; echo "gofmt would change these files"; exit 1; }
	go vet ./...
	go tool staticcheck ./...
	@dead="$$(go tool deadcode -test ./...)"; test -z "$$dead" || { echo "$$dead"; exit 1; }
