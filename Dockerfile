# All commands of `matchmaker`. Alone, `up` runs the whole service with its data in the volume /data;
# docker-compose.yml runs its parts.
FROM python:3.11-slim

ENV PYTHONUNBUFFERED=1 \
    PIP_NO_CACHE_DIR=1 \
    PIP_DISABLE_PIP_VERSION_CHECK=1 \
    MATCHMAKER_HOST=0.0.0.0 \
    MATCHMAKER_DATA_DIR=/data

WORKDIR /build
COPY constraints.txt pyproject.toml README.md LICENSE ./
COPY matchmaker matchmaker
COPY workers workers
COPY api api
RUN PIP_CONSTRAINT=constraints.txt PIP_BUILD_CONSTRAINT=constraints.txt pip install .

RUN useradd --system --create-home matchmaker \
    && install --directory --owner=matchmaker --mode=0700 /data
USER matchmaker
WORKDIR /home/matchmaker
VOLUME /data
EXPOSE 8000

HEALTHCHECK --interval=5s --timeout=3s --start-period=30s \
    CMD ["python", "-c", "from urllib.request import urlopen; urlopen('http://127.0.0.1:8000/readyz', timeout=2)"]

ENTRYPOINT ["matchmaker"]
CMD ["up"]
