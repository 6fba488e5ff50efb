# The digest decides what is used; docs/operations/store.md says how to take a newer one.
ARG PYTHON=python:3.13.15-slim@sha256:7c61056e61ac89e852de05f3dc6fa51a6dd2181797bceed46aa725dd7cb2cd3b
FROM ${PYTHON} AS build
# So that two builds have the same layers: nothing is dated, and compiled code names a hash of its source, not its time.
ARG SOURCE_DATE_EPOCH=0
WORKDIR /build
RUN python -m venv /opt/plateau
COPY requirements.lock .
RUN /opt/plateau/bin/pip install --no-cache-dir --no-compile --require-hashes --requirement requirements.lock
COPY pyproject.toml README.md LICENSE ./
COPY domain domain
COPY service service
COPY workers workers
COPY api_spec api_spec
RUN /opt/plateau/bin/pip install --no-cache-dir --no-compile --no-deps --no-build-isolation .
COPY .ci/release/sbom.py .ci/release/
RUN /opt/plateau/bin/python .ci/release/sbom.py > sbom.cdx.json
RUN /opt/plateau/bin/pip uninstall --quiet --yes setuptools pip && \
    /opt/plateau/bin/python -m compileall -q -f --invalidation-mode unchecked-hash /opt/plateau/lib

FROM ${PYTHON}
ARG SOURCE_DATE_EPOCH=0
RUN useradd --system --uid 10001 --no-create-home plateau && install --directory --owner plateau --mode 700 /data
COPY --from=build /opt/plateau /opt/plateau
COPY --from=build /build/sbom.cdx.json /usr/share/doc/plateau-server/
ENV PATH=/opt/plateau/bin:$PATH \
    PYTHONUNBUFFERED=1 \
    PLATEAU_HOST=0.0.0.0 \
    PLATEAU_DATA=/data
USER plateau
# Holds the games, unless REDIS_URL names another server.
VOLUME /data
EXPOSE 8000
HEALTHCHECK --interval=10s --timeout=3s --start-period=10s \
    CMD python -c "import urllib.request as r; r.urlopen('http://127.0.0.1:${PLATEAU_PORT:-8000}/healthz', timeout=2)"
CMD ["plateau", "serve"]
