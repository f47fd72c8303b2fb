# Builds the server, archives the sample templates, and leaves both in an image without compiler or shell needs.
# The image runs as a user without rights and writes nothing: its file system may be read-only.

FROM docker.io/library/swift:6.3-bookworm AS build
RUN apt-get update -qq \
 && apt-get install -y -qq --no-install-recommends \
      libmicrohttpd-dev libsimdjson-dev libxxhash-dev zlib1g-dev pkg-config \
 && rm -rf /var/lib/apt/lists/*
WORKDIR /build
COPY Package.swift ./
RUN swift package resolve
COPY Sources Sources
COPY Tests Tests
RUN swift build -c release --product cellfactory --static-swift-stdlib \
 && install -D --strip "$(swift build -c release --static-swift-stdlib --show-bin-path)/cellfactory" \
      /out/usr/local/bin/cellfactory
COPY LICENSE ./
RUN install -D -m 644 LICENSE /out/usr/share/doc/cellfactory/copyright
COPY templates templates
RUN install -d /out/usr/local/share/cellfactory \
 && /out/usr/local/bin/cellfactory archive templates --output /out/usr/local/share/cellfactory/cells.archive

FROM docker.io/library/debian:bookworm-slim
RUN apt-get update -qq \
 && apt-get install -y -qq --no-install-recommends libmicrohttpd12 libsimdjson14 \
 && rm -rf /var/lib/apt/lists/*
COPY --from=build /out /
# A drain shorter than the 10 s after which `docker stop` kills. No backtracer: it is not in the image, and would print
# memory, which holds rows.
ENV CELLFACTORY_HOST=0.0.0.0 \
    CELLFACTORY_PORT=8080 \
    CELLFACTORY_ARCHIVE=/usr/local/share/cellfactory/cells.archive \
    CELLFACTORY_DRAIN_SECONDS=8 \
    SWIFT_BACKTRACE=enable=no
USER 65532:65532
EXPOSE 8080
HEALTHCHECK --interval=10s --timeout=6s --start-period=2s --retries=3 \
  CMD ["/usr/local/bin/cellfactory", "health"]
ENTRYPOINT ["/usr/local/bin/cellfactory"]
CMD ["serve"]
