# ./ibidem lab mutate: compiles all with its tests, then runs them against changed classes. Sourced by ./ibidem.

mutate() {
    need_maven
    lock
    say "compiling, with tests (output in dist/mutate.log)"
    (become_maven -ntp -T 2 -Dunit -Dspotless.check.skip=true -pl lab -am test-compile \
        org.apache.maven.plugins:maven-dependency-plugin:build-classpath -Dmdep.outputFile=target/classpath \
        -Dmdep.includeScope=test) >"$dist/mutate.log" 2>&1 || die "it does not compile; see dist/mutate.log"
    unlock
    built=target/unit/target
    # shellcheck disable=SC2086
    exec "$java_home/bin/java" $quick_start -Dibidem.home="$root" \
        -cp "$root/lab/$built/test-classes:$root/lab/$built/classes:$(cat "$root/lab/target/classpath")" \
        org.ibidem.lab.mutate.Mutate "$@"
}
