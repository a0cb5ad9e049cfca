#!/bin/sh
# Measures how records are kept and found again, in SQLite and on PostgreSQL, beside the same rows as bare JSON and by
# sqlite-utils, and keeps the results in bench/runs/<date>-store-<machine>/.
#
#   bench/store.sh [NAME]       NAME of the results folder, if not <date>-store-<machine>
#
# RECORDS=1000000     records of the large store; the small ones and the server get a tenth
# SQLITE_UTILS=4.2.1   its version, from PyPI; 0 leaves it out
# POSTGRES=1          0 leaves the server out
set -eu
cd "$(dirname "$0")/.."

records=${RECORDS:-1000000}
version=${SQLITE_UTILS:-4.2.1}
name=${1:-$(date +%F)-store-$(uname -m)-$(nproc)cpu}
out=bench/runs/$name
target=${CARGO_TARGET_DIR:-target}
work=$target/bench-store
mkdir -p "$out" "$work"

cargo build --profile dist --workspace --bin store

echo "RECORDS=$records SQLITE_UTILS=$version POSTGRES=${POSTGRES:-1} bench/store.sh $name" >"$out/command.txt"
{
    rustc --version
    git describe --always --dirty 2>/dev/null | sed 's/^/windrow commit /' || true
    sed -n '/^name = "libsqlite3-sys"/{n;s/version = "\(.*\)"/libsqlite3-sys \1 (bundled SQLite)/p}' Cargo.lock
    find /usr/lib/postgresql -maxdepth 1 -mindepth 1 2>/dev/null | sed 's:.*/:PostgreSQL :' || true
    python3 --version
    [ "$version" = 0 ] || echo "sqlite-utils==$version"
    uname -srm
    grep -m1 'model name' /proc/cpuinfo | sed 's/.*: /cpu: /' || true
    echo "cores: $(nproc)"
    echo "load before: $(cut -d' ' -f1-3 /proc/loadavg)"
} >"$out/versions.txt"

# The processor that the thread runs on counts its time; on one it is not moved about.
set -- "$target/dist/store" --records "$records" --into "$work" --csv "$out/store.csv" --dump "$work/rows.jsonl"
{
    echo "# Records kept and found again, $name"
    echo
    echo "What is measured and how: the first lines of \`crates/bench/src/bin/store/main.rs\`."
    if [ "${POSTGRES:-1}" = 0 ]; then
        taskset -c 0 "$@"
    else
        # shellcheck disable=SC2016
        tools/postgres sh -c 'exec taskset -c 0 "$@" --postgres "$WINDROW_POSTGRES/postgres"' store "$@"
    fi
    if [ "$version" != 0 ]; then
        [ -x "$work/python/bin/python" ] || python3 -m venv "$work/python"
        "$work/python/bin/pip" install -q --disable-pip-version-check "sqlite-utils==$version"
        echo
        echo "### The same rows by sqlite-utils, without provenance, history or types of values"
        echo
        taskset -c 0 "$work/python/bin/python" - "$work" <<'PYTHON'
import itertools
import json
import os
import sys
import time

import sqlite_utils

folder = sys.argv[1]
rows = [json.loads(line) for line in open(f"{folder}/rows.jsonl", encoding="utf-8")]
print("| what | on a page | records | cpu ms | clock ms | records/s | rows |")
print("|---|--:|--:|--:|--:|--:|--:|")
for on_page in (10, 50, 1000):
    for what, options in (("insert_all, no index", {}), ("upsert_all by link", {"pk": "link"})):
        file = f"{folder}/sqlite-utils.db"
        for end in ("", "-wal", "-shm"):
            if os.path.exists(file + end):
                os.remove(file + end)
        database = sqlite_utils.Database(file)
        database.enable_wal()
        database.execute("pragma synchronous = normal")
        table = database["ads"]
        put = table.upsert_all if options else table.insert_all
        cpu, clock = time.process_time(), time.perf_counter()
        pages = iter(rows)
        while page := list(itertools.islice(pages, on_page)):
            put(page, **options)
        cpu, clock = time.process_time() - cpu, time.perf_counter() - clock
        print(f"| {what} | {on_page} | {len(rows)} | {cpu * 1000:.2f} | {clock * 1000:.2f} | {len(rows) / cpu:.0f} | {table.count} |")
        database.close()
PYTHON
    fi
    echo
    echo "load after: $(cut -d' ' -f1-3 /proc/loadavg)"
} >"$out/summary.md"
cat "$out/summary.md"
rm -rf "$work"/*.db "$work"/*.db-* "$work/rows.jsonl"
