#!/bin/sh
# Measures how records are matched with a table of reference, beside all pairs and beside RapidFuzz, and keeps the results in
# bench/runs/<date>-audit-<machine>/.
#
#   bench/audit.sh [NAME]      NAME of the results folder, if not <date>-audit-<machine>
#
# ROWS=200000 RECORDS=100000   the table and the records
# SAMPLE=100                   records that are compared with every row
#
# For figures that count nothing else may run on the machine.
set -eu
cd "$(dirname "$0")/.."

rows=${ROWS:-200000}
records=${RECORDS:-100000}
sample=${SAMPLE:-100}
version=3.14.6
name=${1:-$(date +%F)-audit-$(uname -m)-$(nproc)cpu}
out=bench/runs/$name
work=${CARGO_TARGET_DIR:-target}/bench-audit
programs=${CARGO_TARGET_DIR:-target}/dist
mkdir -p "$out" "$work"

cargo build --profile dist -p windrow-bench --bin audit_match
venv=$work/venv
[ -x "$venv/bin/python" ] || python3 -m venv "$venv"
"$venv/bin/pip" install --quiet --disable-pip-version-check "rapidfuzz==$version" numpy

echo "ROWS=$rows RECORDS=$records SAMPLE=$sample bench/audit.sh $name" >"$out/command.txt"
{
    rustc --version
    git describe --always --dirty 2>/dev/null | sed 's/^/windrow commit /' || true
    "$venv/bin/python" --version
    "$venv/bin/pip" freeze | grep -iE '^(rapidfuzz|numpy)=='
    uname -srm
    grep -m1 'model name' /proc/cpuinfo | sed 's/.*: /cpu: /' || true
    echo "cores: $(nproc)"
} >"$out/versions.txt"

before=$(cut -d' ' -f1 /proc/loadavg)
{
    echo "# Matching with a table of reference, $name"
    echo
    echo "What is matched: \`crates/bench/src/bin/audit_match\`; how: \`crates/audit/src/matching\`. Versions: \`versions.txt\`."
    echo "The load was $before when it began, on $(nproc) cores: much above 0, other work ran, too."
    echo
    "$programs/audit_match" --rows "$rows" --records "$records" --sample "$sample" --threads 2 --dump "$work/data" --csv "$out/audit.csv"
    echo
    echo "### RapidFuzz (Python), all pairs of the same sample at 0.8 on two threads"
    echo
    "$venv/bin/python" bench/audit.py "$work/data" --all "$records"
} >"$out/summary.md"
cat "$out/summary.md"
