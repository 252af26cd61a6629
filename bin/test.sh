# ./ibidem test: runs the suites through Maven and says what they did. Sourced by ./ibidem.

usage='usage: ./ibidem test [--quick|--full]
  --quick   the unit suites, over a third of the stacks each day, and the checks of the sources
  (none)    everything this machine can run: also the laboratory and short fuzzing; of some long
            tests each runs on every third day
  --full    the same with long runs'

run_tests() {
    case ${1-} in
        --quick) suite=quick excluded=lab,full,fuzz,slow,turn0,turn1,turn2 full=false ;;
        '') suite=default excluded=full,$(other_turns) full=false ;;
        --full) suite=full excluded= full=true ;;
        -h | --help) echo "$usage"; return ;;
        *) echo "$usage" >&2; return 2 ;;
    esac
    find_java
    need_maven
    # The laboratory starts the command itself, many times: it shall find it built.
    [ "$suite" = quick ] || build cli
    lock
    rm -rf "$root"/*/target/surefire-reports* "$root"/*/target/unit/target/surefire-reports* "$root/lab/target/fuzzed"
    log=$dist/test.log
    began=$(date +%s)

    # A failed test shall not keep the later modules from being tested; what failed is counted below.
    # For the same reason the format is not checked between.
    export IBIDEM_BUILT=1
    set -- -ntp --fail-at-end -Dmaven.test.failure.ignore=true -Dspotless.check.skip=true \
        -Dmaven.source.skip=true -Dmaven.javadoc.skip=true "-Dtests.excluded=$excluded" -Dibidem.full=$full
    echo 1 >"$dist/test.rc"
    echo 1 >"$dist/format.rc"
    : >"$log"
    if [ "$suite" = quick ]; then
        quick_suite "$@"
    else
        whole_suite "$@"
    fi | tee "$log" | show_progress
    misformatted=$(cat "$dist/format.rc")
    unlock
    broken=$(cat "$dist/test.rc")
    # A test JVM that dies takes its tests with it, and Maven told to ignore failures ignores that too.
    if grep -qE '^\[ERROR\].*(forked VM|forked process|fork)' "$log"; then broken=1; fi
    summarize
}

# Tests of a minute, beside which there are shorter ones of the same: each has a tag turn0, turn1 or turn2,
# and runs when the number of the day says so.
other_turns() {
    today=$(($(date +%s) / 86400 % 3))
    echo "turn$(((today + 1) % 3)),turn$(((today + 2) % 3))"
}

check_format() {
    if (become_maven -q spotless:check) >"$dist/format.log" 2>&1; then echo 0 >"$dist/format.rc"; fi
}

# With the arguments for Maven. Keeps two cores at work: the tests of core and of what it stands on, which
# are most, run while the other modules are compiled and tested, and the format is checked while the first
# modules are compiled. Those of lab come last, as they bear no company: two threads that look again and again. Test
# classes run side by side; and no JVM lives long enough here for the time that compiling well takes.
quick_suite() {
    running=
    trap 'kill $running 2>/dev/null; exit 130' INT TERM HUP
    brief='-XX:TieredStopAtLevel=1 -XX:+UseSerialGC'
    MAVEN_OPTS="$brief -Xms1g -Xmn600m ${MAVEN_OPTS:-}"
    set -- "$@" -Dunit -Dibidem.quick=true -Dtests.parallel=true "-Dtests.args=$brief"
    passed=0
    (become_maven -T 2 "$@" -Dtests.core.skip=true -pl '!lab' test) 2>&1 &
    others=$! running=$!
    check_format &
    format=$! running="$running $!"
    until_begun node $others
    (transport_tests "$@") 2>&1 &
    lower=$! running="$running $!"
    until_begun hub $others
    (core_tests "$@") 2>&1 &
    core=$! running="$running $!"
    wait $others || passed=1
    wait $lower || passed=1
    wait $core || passed=1
    wait $format || true
    (become_maven -T 2 "$@" -Dtests.core.skip=true -Dtests.skip=true -pl lab -am test) 2>&1 &
    running=$!
    wait $running || passed=1
    echo $passed >"$dist/test.rc"
}

# With the arguments for Maven. Two streams, as most of a test's time is waiting: the laboratories, which
# have networks, processes and shared memory of their own, with fuzzing; and beside them all the rest,
# where processes are measured and killed. The tests of transport, and then those of core, run while the
# modules above are compiled.
whole_suite() {
    running=
    trap 'kill $running 2>/dev/null; exit 130' INT TERM HUP
    passed=0
    (become_maven -T 2 "$@" -Dtests.core.skip=true -Dtests.lab.skip=true -Dtests.skip=true verify) 2>&1 &
    compiling=$! running=$!
    until_begun node $compiling
    (transport_tests "$@" -Dtests.parallel=true) 2>&1 &
    lower=$! running="$running $!"
    wait $lower || passed=1
    until_begun hub $compiling
    (core_tests "$@" -Dtests.stream=-cold -Dtests.groups=cold -Dtests.serial.skip=true) 2>&1 &
    cold=$! running="$running $!"
    wait $cold || passed=1
    (core_tests "$@" -Dtests.parallel=true "-Dtests.excluded=${excluded:+$excluded,}cold") 2>&1 &
    core=$! running="$running $!"
    if wait $compiling; then
        two_streams "$@"
    else
        passed=1
        wait $core || true
    fi
    check_format
    [ $passed = 1 ] || echo 0 >"$dist/test.rc"
}

# When all is compiled, nothing may be compiled again under tests that run. Of the laboratory's other tests,
# those of BESIDE go behind the networks, so that both streams end at about the same time. What is tagged
# `alone` comes when both have ended: it looks at what all processes have left in shared memory.
beside='bench nemesis stress contract model programs'

# The classes of those, each behind $1.
beside() {
    printf ",${1-}org/ibidem/lab/%s/**" $beside | cut -c 2-
}

two_streams() {
    set -- "$@" $compiled -Dtests.core.skip=true
    rm -rf "$dist/lab-classes"
    export LABORATORY_CLASSES="$dist/lab-classes" # nothing is compiled any more
    (
        passed=0
        trap 'kill $! 2>/dev/null; exit 130' TERM
        (lab_tests "$@" -Dtests.stream=-network "-Dtests.groups=network|fuzz") &
        wait $! || passed=1
        (lab_tests "$@" -Dtests.stream=-beside "-Dtests.excluded=${excluded:+$excluded,}network,fuzz,alone" \
            "-Dtest=$(beside)") &
        wait $! || passed=1
        exit $passed
    ) 2>&1 &
    networks=$! running="$running $!"
    wait $core || passed=1 # its tests look at the machine's shared memory, where processes would be
    (become_maven "$@" -Dtests.parallel=true -Dtests.lab.skip=true -pl '!lab' process-test-classes surefire:test) 2>&1 &
    small=$! running="$running $!"
    wait $small || passed=1
    (lab_tests "$@" "-Dtests.excluded=${excluded:+$excluded,}network,fuzz,alone" "-Dtest=$(beside '!')") 2>&1 &
    rest=$! running="$running $!"
    wait $rest || passed=1
    wait $networks || passed=1
    (lab_tests "$@" -Dtests.stream=-alone -Dtests.groups=alone) 2>&1 &
    running=$!
    wait $running || passed=1
}

# Another Maven has compiled what is tested.
compiled='-Dmaven.main.skip=true -Dtests.compiled=true'

# Waits until Maven, whose process is $2, begins with module $1: those that it requires are compiled then.
until_begun() {
    until grep -q "Building Ibidem $1" "$log" || ! kill -0 "$2" 2>/dev/null; do sleep 0.2; done
}

# Those of transport, and of base, which it stands on.
transport_tests() {
    become_maven $compiled "$@" -pl transport -am process-test-classes surefire:test
}

# Those of core, and of node and serial, which it stands on.
core_tests() {
    become_maven $compiled "$@" -Dtests.transport.skip=true -pl core -am process-test-classes surefire:test
}

lab_tests() {
    become_maven "$@" -Dtests.skip=true -Dsurefire.failIfNoSpecifiedTests=false \
        -pl lab -am process-test-classes surefire:test
}

# Of Maven's output, what a person wants to see.
show_progress() {
    awk '/^\[INFO\] Building Ibidem [a-z]/ { print "== " $4; fflush(); next }
        /^\[(ERROR|WARNING)\] Tests run:.* -- in / || /^\[INFO\] Tests run:.* -- in / {
            sub(/^\[[A-Z]*\] /, ""); print "   " $0; fflush(); next }
        /^\[ERROR\] *(\tat .*)?$/ || /Help 1|re-run Maven|Re-run Maven|For more information|resume the build|-rf :/ { next }
        /^\[ERROR\]|^\[WARNING\] .*\.java:/ { print; fflush() }'
}

# Prints the classes that took longest, and keeps the times of all of them.
slowest() {
    xargs cat <"$dist/reports" | awk '
        function attribute(name) {
            if (!match($0, " " name "=\"[^\"]*\"")) return ""
            return substr($0, RSTART + length(name) + 3, RLENGTH - length(name) - 4)
        }
        /<testsuite / {
            seconds = attribute("time"); gsub(/,/, "", seconds)
            printf "%8.1f s %5d tests  %s\n", seconds, attribute("tests"), attribute("name")
        }' | sort -rn >"$dist/times"
    echo "slowest classes (all of them: dist/times):"
    head -n 20 "$dist/times"
}

# Adds up the reports, and counts a broken build and a wrong format as one failure each.
summarize() {
    echo
    find "$root"/*/target/surefire-reports* "$root"/*/target/unit/target/surefire-reports* -name 'TEST-*.xml' 2>/dev/null | sort >"$dist/reports"
    slowest
    xargs cat <"$dist/reports" | awk '
        function attribute(name) {
            if (!match($0, " " name "=\"[^\"]*\"")) return ""
            return substr($0, RSTART + length(name) + 3, RLENGTH - length(name) - 4)
        }
        function tell(what, why) {
            if (why == "" && sub(/.*CDATA\[[^:]*: /, "")) why = $0   # an assumption that did not hold
            gsub(/(&#10;| )+/, " ", why); gsub(/&quot;/, "\"", why); gsub(/&apos;/, "\047", why)
            gsub(/&lt;/, "<", why); gsub(/&gt;/, ">", why); gsub(/&amp;/, "\\&", why)
            print what test ": " (why == "" ? "(no reason given)" : substr(why, 1, 300))
        }
        /<testcase / { class = attribute("classname"); sub(/.*\./, "", class); test = class "." attribute("name") }
        /<skipped/ { tell("skipped: ", attribute("message")) }
        # Where it failed or hung: what ended there first, and the lines of ours.
        trace && /Exception|Error|\tat org\.ibidem/ && shown++ < 12 { print "             " substr($0, 1, 200) }
        /<\/(failure|error)>/ { trace = 0 }
        /<(failure|error)[ >]/ { trace = !/<\/(failure|error)>/; shown = 0; tell("failed:  ", attribute("message")) }'
    if [ -f "$root/lab/target/fuzzed" ]; then sed 's/^/fuzzed:  /' "$root/lab/target/fuzzed"; fi
    case $suite in
        quick) echo "not run: laboratory, slow tests, two stacks in three (whose turn is another day) and fuzzing, Error Prone and NullAway (run ./ibidem test), long runs (run ./ibidem test --full)" ;;
        default) echo "not run: long runs; long tests, benchmarks and fuzzing of unchanged decoders whose turn is another day (run ./ibidem test --full)" ;;
    esac
    echo "took $(($(date +%s) - ${began:-0})) s"
    [ $broken = 0 ] || echo "failed:  the build itself; see above, and all of it in dist/test.log"
    [ $misformatted = 0 ] || echo "failed:  the format of some sources (dist/format.log says which); run ./ibidem format"
    xargs cat <"$dist/reports" | awk -v broken=$((broken + misformatted)) '
        function number(name) { return match($0, " " name "=\"[0-9]+") ? substr($0, RSTART + length(name) + 3, RLENGTH - length(name) - 3) : 0 }
        /<testsuite / { run += number("tests"); bad += number("failures") + number("errors"); skipped += number("skipped") }
        END {
            bad += broken
            printf "%d passed, %d failed, %d skipped\n", run - (bad - broken) - skipped, bad, skipped
            exit bad > 0 || run == 0
        }'
}
