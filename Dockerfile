# Builds the server, archives the sample templates, and leaves both in an image that holds nothing else but the shared
# libraries they need: no distribution, no shell, no package manager. It runs as a user without rights and writes
# nothing: its file system may be read-only.

FROM docker.io/library/swift:6.3-bookworm AS build
RUN apt-get update -qq \
 && apt-get install -y -qq --no-install-recommends \
      binutils libmicrohttpd-dev libsimdjson-dev libxxhash-dev tzdata zlib1g-dev pkg-config \
 && rm -rf /var/lib/apt/lists/*
WORKDIR /build
COPY Package.swift ./
RUN swift package resolve
COPY Sources Sources
COPY Tests Tests
RUN swift build -c release --product cellfactory --static-swift-stdlib

# Of its symbols the program keeps the names of functions, which backtraces print. The backtracer is Swift's own.
RUN program="$(swift build -c release --static-swift-stdlib --show-bin-path)/cellfactory" \
 && nm --defined-only --format=posix "$program" | awk '$2 ~ /^[tTwW]$/ { print $1 }' >functions \
 && install -d /out/usr/local/bin /out/usr/libexec/swift/linux \
 && objcopy --strip-all --keep-symbols=functions "$program" /out/usr/local/bin/cellfactory \
 && strip -o /out/usr/libexec/swift/linux/swift-backtrace-static /usr/libexec/swift/linux/swift-backtrace-static

# The licences of what is linked into both: ours, the packages', Swift's, xxHash's, and that of Unicode's tables of locales.
COPY LICENSE ./
RUN install -D -m 644 LICENSE /out/usr/share/doc/cellfactory/copyright \
 && install -D -m 644 /usr/share/swift/LICENSE.txt /out/usr/share/doc/swift/copyright \
 && install -D -m 644 /usr/share/doc/libxxhash-dev/copyright /out/usr/share/doc/libxxhash-dev/copyright \
 && install -D -m 644 Sources/CFormats/UNICODE-LICENSE.txt /out/usr/share/doc/unicode-cldr/copyright \
 && (cd .build/checkouts && for text in */LICENSE* */NOTICE*; do \
      if [ -e "$text" ]; then install -D -m 644 "$text" "/out/usr/share/doc/$text"; fi; done)
COPY deploy/image/assemble.sh ./
RUN ./assemble.sh /out /usr/local/bin/cellfactory /usr/libexec/swift/linux/swift-backtrace-static

COPY templates templates
RUN install -d /out/usr/local/share/cellfactory \
 && /out/usr/local/bin/cellfactory archive templates --output /out/usr/local/share/cellfactory/cells.archive

FROM scratch
COPY --from=build /out /
LABEL org.opencontainers.image.title="CellFactory" \
      org.opencontainers.image.description="Renders rows of JSON into HTML cells, over HTTP" \
      org.opencontainers.image.licenses="Apache-2.0"
# Draining ends before the 10 s after which `docker stop` kills. Backtraces of a crash go to standard error, without
# registers: with them the backtracer prints the memory they point to, which holds rows.
ENV CELLFACTORY_HOST=0.0.0.0 \
    CELLFACTORY_PORT=8080 \
    CELLFACTORY_ARCHIVE=/usr/local/share/cellfactory/cells.archive \
    CELLFACTORY_DRAIN_SECONDS=8 \
    SWIFT_BACKTRACE=enable=yes,output-to=stderr,registers=none,images=mentioned,threads=crashed,interactive=no,color=no,swift-backtrace=/usr/libexec/swift/linux/swift-backtrace-static
USER 65532:65532
EXPOSE 8080
HEALTHCHECK --interval=10s --timeout=6s --start-period=2s --retries=3 \
  CMD ["/usr/local/bin/cellfactory", "health"]
ENTRYPOINT ["/usr/local/bin/cellfactory"]
CMD ["serve"]
