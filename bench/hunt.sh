#!/bin/sh
# Measures how well hunts find culprits, on webs of pharmacies made from seeds, and keeps the results in
# bench/runs/<date>-hunt-<machine>/.
#
#   bench/hunt.sh [NAME]       NAME of the results folder, if not <date>-hunt-<machine>
#
# SEEDS="1 2 3"       the webs
# PROFILE=dist        dev is as good for recall and precision, and slower
set -eu
cd "$(dirname "$0")/.."

seeds=${SEEDS:-1 2 3}
profile=${PROFILE:-dist}
name=${1:-$(date +%F)-hunt-$(uname -m)-$(nproc)cpu}
out=bench/runs/$name
folder=$([ "$profile" = dev ] && echo debug || echo "$profile")
target=${CARGO_TARGET_DIR:-target}/$folder
mkdir -p "$out"

cargo build --profile "$profile" -p windrow-cli -p windrow-bench --bin windrow --bin hunt

echo "SEEDS=\"$seeds\" PROFILE=$profile bench/hunt.sh $name" >"$out/command.txt"
{
    rustc --version
    git describe --always --dirty 2>/dev/null | sed 's/^/windrow commit /' || true
    uname -srm
    grep -m1 'model name' /proc/cpuinfo | sed 's/.*: /cpu: /' || true
    echo "cores: $(nproc)"
    echo "load before: $(cut -d' ' -f1-3 /proc/loadavg)"
} >"$out/versions.txt"

{
    echo "# Culprits found, $name"
    echo
    echo "What is measured and how: the first lines of \`crates/bench/src/bin/hunt.rs\`."
    for seed in $seeds; do
        echo
        echo '```text'
        "$target/hunt" --seed "$seed" 2>&1
        echo '```'
    done
} >"$out/summary.md"
