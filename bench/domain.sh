#!/bin/sh
# Runs the benchmark of domains with its peers, and keeps the results in bench/runs/<date>-domain-<machine>/.
#
#   bench/domain.sh [NAME]      NAME of the results folder, if not <date>-domain-<machine>
#
# ROUNDS=15          each page's fastest of so many
# EXTRUCT_ROUNDS=2   the same for extruct, which takes a minute a round
#
# For figures that count nothing else may run on the machine. Lexbor is measured before and after: its faster time counts.
set -eu
cd "$(dirname "$0")/.."

rounds=${ROUNDS:-15}
extruct=${EXTRUCT_ROUNDS:-2}
name=${1:-$(date +%F)-domain-$(uname -m)-$(nproc)cpu}
out=bench/runs/$name
work=${CARGO_TARGET_DIR:-target}/bench-domain
programs=${CARGO_TARGET_DIR:-target}/dist
mkdir -p "$out" "$work"

cargo build --profile dist -p windrow-bench --bin inputs --bin domain
venv=$work/venv
[ -x "$venv/bin/python" ] || python3 -m venv "$venv"
"$venv/bin/pip" install --quiet --disable-pip-version-check --requirement bench/requirements.txt

echo "ROUNDS=$rounds EXTRUCT_ROUNDS=$extruct bench/domain.sh $name" >"$out/command.txt"
{
    rustc --version
    git describe --always --dirty 2>/dev/null | sed 's/^/windrow commit /' || true
    "$venv/bin/python" --version
    "$venv/bin/pip" freeze | grep -iE '^(extruct|lxml|selectolax|rdflib|mf2py|jstyleson|html-text)=='
    uname -srm
    grep -m1 'model name' /proc/cpuinfo | sed 's/.*: /cpu: /' || true
    echo "cores: $(nproc)"
} >"$out/versions.txt"

before=$(cut -d' ' -f1 /proc/loadavg)
rm -rf "$work/whole" "$work/markup"
"$programs/inputs" --into "$work"
peers() { "$venv/bin/python" bench/peers.py "$1" "$work" "$work/$2.csv" "$3" details swde; }
peers each lexbor-before "$rounds"
peers extruct extruct "$extruct"
peers each lexbor-after "$rounds"
{
    cat "$work/lexbor-before.csv"
    tail -n +2 "$work/lexbor-after.csv"
    tail -n +2 "$work/extruct.csv"
} >"$work/peers.csv"
{
    echo "# Benchmarks of domains, $name"
    echo
    echo "How they are made and what they mean: \`docs/performance.md\`. Versions: \`versions.txt\`."
    echo "Each page's fastest of $rounds, of extruct $extruct; the load was $before before and $(cut -d' ' -f1 /proc/loadavg) when ours began, on $(nproc) cores: much above 1, other work ran, too."
    "$programs/domain" --rounds "$rounds" --python "$work/peers.csv" --csv "$out/domain.csv" --worst 8
} >"$out/summary.md"
cat "$out/summary.md"
