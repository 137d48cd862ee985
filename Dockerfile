# Both programs in images without a shell, as a user that may do nothing:
#
#   docker build --target shopmock -t shopmock .
#   docker build --target shopcheck -t shopcheck .
#
# From other machines the mock takes API keys signed (OAuth 1.0a) or over HTTPS (--tls), as shops of this family do.
FROM golang:1.26 AS build
WORKDIR /src
COPY go.mod go.sum ./
RUN go mod download
COPY . .
RUN CGO_ENABLED=0 go build -buildvcs=false -trimpath -ldflags="-s -w" -o /out/ ./cmd/shopcheck ./cmd/shopmock
RUN mkdir /empty

FROM gcr.io/distroless/static-debian12:nonroot AS shopcheck
COPY --from=build /out/shopcheck /usr/local/bin/shopcheck
COPY --from=build --chown=nonroot:nonroot /empty /reports
WORKDIR /reports
ENTRYPOINT ["shopcheck"]

FROM gcr.io/distroless/static-debian12:nonroot AS shopmock
COPY --from=build /out/shopmock /usr/local/bin/shopmock
COPY --from=build --chown=nonroot:nonroot /empty /data
EXPOSE 8080
HEALTHCHECK --interval=5s --timeout=6s --start-period=1m CMD ["shopmock", "ready"]
ENTRYPOINT ["shopmock"]
CMD ["serve", "--listen", "0.0.0.0:8080", "--data", "/data"]
