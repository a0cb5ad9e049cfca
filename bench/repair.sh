#!/bin/sh
# Measures how wrappers are repaired, beside Scrapling on the same pages, and keeps the results in
# bench/runs/<date>-repair-<machine>/.
#
#   bench/repair.sh [NAME]      NAME of the results folder, if not <date>-repair-<machine>
#
# SEEDS=2             mutations of each kind for each wrapper
# SCRAPLING_SEEDS=1   of these, how many Scrapling gets: it takes a second a page
set -eu
cd "$(dirname "$0")/.."

seeds=${SEEDS:-2}
scrapling=${SCRAPLING_SEEDS:-1}
name=${1:-$(date +%F)-repair-$(uname -m)-$(nproc)cpu}
out=bench/runs/$name
work=${CARGO_TARGET_DIR:-target}/bench-repair
programs=${CARGO_TARGET_DIR:-target}/dist
mkdir -p "$out"
rm -rf "$work"

cargo build --profile dist -p windrow-bench --bin repair

echo "SEEDS=$seeds SCRAPLING_SEEDS=$scrapling bench/repair.sh $name" >"$out/command.txt"
{
    rustc --version
    git describe --always --dirty 2>/dev/null | sed 's/^/windrow commit /' || true
    python3 --version
    sed -n 's/^VERSION = "\(.*\)"/scrapling==\1/p' tools/scrapling-repair
    uname -srm
    grep -m1 'model name' /proc/cpuinfo | sed 's/.*: /cpu: /' || true
    echo "cores: $(nproc)"
} >"$out/versions.txt"

{
    echo "# Repair, $name"
    echo
    echo "What the kinds are: \`crates/testkit/src/mutate\`; how cases are judged: \`crates/bench/src/bin/repair\` and \`tools/scrapling-repair\`."
    echo
    "$programs/repair" "${WINDROW_SHARED:-../shared}/corpus" --seeds "$seeds" --json "$out/repair.json" --dump "$work"
    echo
    tools/scrapling-repair --seeds "$scrapling" --json "$out/scrapling.json" "$work"
} >"$out/summary.md"
cat "$out/summary.md"
