#!/bin/sh
# Runs every benchmark and keeps the results in bench/runs/<date>-<machine>/.
#
#   bench/run.sh [NAME]         NAME of the results folder, if not <date>-<machine>
#
# PYTHON_PEERS=0  leaves lexbor, lxml and extruct out (no venv is made)
# SERVO_PEER=0    leaves servo-xpath out (a package of its own, bench/servo-xpath)
# STEP=20         every 20th page only, fewer rounds: does everything work?
#
# For figures that count nothing else may run on the machine.
set -eu
cd "$(dirname "$0")/.."

step=${STEP:-1}
rounds=15
seeds=20
largest=10000000
crawled=10000
kills=20
archive=300
if [ "$step" -gt 1 ]; then
    rounds=3
    seeds=2
    largest=1000000
    crawled=500
    kills=3
    archive=20
fi
name=${1:-$(date +%F)-$(uname -m)-$(nproc)cpu}
out=bench/runs/$name
work=${CARGO_TARGET_DIR:-target}/bench-inputs
rm -rf "$work"
mkdir -p "$out" "$work"

cargo build --profile dist -p windrow-bench --features peers
cargo build --profile dist -p windrow-cli
programs=${CARGO_TARGET_DIR:-target}/dist

{
    echo "bench/run.sh $name"
    echo "step=$step rounds=$rounds seeds=$seeds largest=$largest"
} >"$out/command.txt"
{
    rustc --version
    cargo tree -p windrow-bench --features peers --depth 2 --prefix none | grep -E '^(html5ever|scraper|windrow[a-z-]*) ' |
        sed 's/ (.*//' | sort -u
    git describe --always --dirty 2>/dev/null | sed 's/^/windrow commit /' || true
    uname -srm
    grep -m1 'model name' /proc/cpuinfo | sed 's/.*: /cpu: /' || true
    echo "cores: $(nproc)"
} >"$out/versions.txt"

"$programs/inputs" --into "$work" --step "$step"
"$programs/pattern" --into "$work"
parse_peers= xpath_peers= extract_peers= pattern_peers= each_peers= domain_peers=
if [ "${PYTHON_PEERS:-1}" != 0 ]; then
    venv=$work/venv
    python3 -m venv "$venv"
    "$venv/bin/pip" install --quiet --requirement bench/requirements.txt
    {
        "$venv/bin/python" --version
        "$venv/bin/pip" freeze
    } >>"$out/versions.txt"
    "$venv/bin/python" bench/peers.py parse "$work" "$work/parse-python.csv" "$rounds"
    "$venv/bin/python" bench/peers.py each "$work" "$work/each-python.csv" "$rounds"
    # It takes a minute a round.
    "$venv/bin/python" bench/peers.py extruct "$work" "$work/extruct-python.csv" 2 details swde
    { cat "$work/each-python.csv"; tail -n +2 "$work/extruct-python.csv"; } >"$work/domain-python.csv"
    "$venv/bin/python" bench/peers.py xpath "$work" "$work/xpath-python.csv" "$rounds"
    "$venv/bin/python" bench/peers.py extract "$work" "$work/extract-python.csv" "$rounds"
    "$venv/bin/python" bench/peers.py pattern "$work" "$work/pattern-python.csv" "$rounds"
    parse_peers="--python $work/parse-python.csv"
    each_peers="--python $work/each-python.csv"
    domain_peers="--python $work/domain-python.csv"
    extract_peers="--python $work/extract-python.csv"
    pattern_peers="--python $work/pattern-python.csv"
    xpath_peers="--lxml $work/xpath-python.csv"
fi
if [ "${SERVO_PEER:-1}" != 0 ]; then
    cargo build --release --manifest-path bench/servo-xpath/Cargo.toml --target-dir "$programs/../servo-xpath"
    grep -A1 'name = "servo-xpath"' bench/servo-xpath/Cargo.lock | tr -d '\n' |
        sed 's/.*name = "\(.*\)"version = "\(.*\)"/\1 v\2\n/' >>"$out/versions.txt"
    "$programs/../servo-xpath/release/windrow-bench-servo-xpath" --rounds "$rounds" --step "$step" --csv "$work/xpath-servo.csv"
    xpath_peers="$xpath_peers --servo $work/xpath-servo.csv"
fi

{
    echo "# Benchmarks, $name"
    echo
    echo "How they are made and what they mean: \`docs/performance.md\`. Versions: \`versions.txt\`."
    # The variables hold an option and its value, or nothing.
    # shellcheck disable=SC2086
    "$programs/parse" --rounds "$rounds" --step "$step" $parse_peers --csv "$out/parse.csv"
    "$programs/heap" --step "$step" --csv "$out/heap.csv"
    # shellcheck disable=SC2086
    "$programs/xpath" --rounds "$rounds" --step "$step" $xpath_peers --csv "$out/xpath.csv"
    # shellcheck disable=SC2086
    "$programs/extract" --rounds "$rounds" --step "$step" $extract_peers --csv "$out/extract.csv"
    # shellcheck disable=SC2086
    "$programs/pattern" --rounds "$rounds" $pattern_peers --csv "$out/pattern.csv"
    # shellcheck disable=SC2086
    "$programs/discover" --rounds "$rounds" --step "$step" $each_peers --csv "$out/discover.csv"
    # shellcheck disable=SC2086
    "$programs/learn" --rounds "$rounds" --step "$step" $each_peers --csv "$out/learn.csv"
    "$programs/feed" --rounds "$rounds" --csv "$out/feed.csv"
    # shellcheck disable=SC2086
    "$programs/domain" --rounds "$rounds" --step "$step" $domain_peers --csv "$out/domain.csv"
    "$programs/last" --seeds "$seeds" --step "$step" --csv "$out/last.csv"
    "$programs/threads" --rounds "$rounds" --step "$step" --csv "$out/threads.csv"
    "$programs/growth" --largest "$largest" --csv "$out/growth.csv"
    "$programs/warc" --megabytes "$archive" --into "$work"
    "$programs/crawl" --windrow "$programs/windrow" --pages "$crawled" --kills "$kills" --csv "$out/crawl.csv"
} | tee "$out/summary.md"
