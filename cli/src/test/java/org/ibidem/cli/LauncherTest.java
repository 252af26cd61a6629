package org.ibidem.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// What `./ibidem` does before there is any Java: the functions of its shell, on a tree of their
/// own.
@Timeout(60)
class LauncherTest {
    private static final Path BIN = Path.of("..", "bin").toAbsolutePath().normalize();

    /// No JDK of any machine is as new.
    private static final int WANTED = 99;

    @TempDir Path root;

    private final Map<String, String> environment = new HashMap<>();

    private record Said(int code, String out, String err) {}

    @BeforeEach
    void plant() throws IOException {
        environment.put("HOME", root.resolve("home").toString());
        environment.put("PATH", "/usr/bin:/bin");
        Files.createDirectories(root.resolve("dist"));
    }

    /// Runs this script after the launcher's functions were read.
    private Said sh(String script) throws Exception {
        return finish(start(script));
    }

    private Process start(String script) throws IOException {
        var all =
                "set -eu; root='%s'; . '%s/common.sh'; . '%s/test.sh'; java_wanted=%d; %s"
                        .formatted(root, BIN, BIN, WANTED, script);
        var builder = new ProcessBuilder("sh", "-c", all).directory(root.toFile());
        builder.environment().clear();
        builder.environment().putAll(environment);
        return builder.start();
    }

    private static Said finish(Process process) throws Exception {
        var out =
                new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
        var err =
                new String(process.getErrorStream().readAllBytes(), StandardCharsets.UTF_8).strip();
        assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
        return new Said(process.exitValue(), out, err);
    }

    private Path file(String name, String text) throws IOException {
        var file = root.resolve(name);
        Files.createDirectories(file.getParent());
        return Files.writeString(file, text);
    }

    private Path program(String name) throws IOException {
        var file = file(name, "#!/bin/sh\n");
        return Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    private Path jdk(String name, String version) throws IOException {
        program(name + "/bin/java");
        program(name + "/bin/javac");
        file(name + "/release", "IMPLEMENTOR=\"X\"\nJAVA_VERSION=\"" + version + "\"\n");
        return root.resolve(name);
    }

    private static final String FIND = "find_java; echo \"$java_home\"";

    @Test
    void a_jdk_is_found_where_java_home_says() throws Exception {
        var home = jdk("one", "99.0.1");
        environment.put("JAVA_HOME", home.toString());
        assertThat(sh(FIND)).isEqualTo(new Said(0, home.toString(), ""));
    }

    @Test
    void a_jdk_is_found_through_a_link_on_the_path() throws Exception {
        environment.put("JAVA_HOME", jdk("old", "98").toString());
        var home = jdk("new", "100-ea");
        var links = Files.createDirectory(root.resolve("links"));
        Files.createSymbolicLink(links.resolve("java"), home.resolve("bin/java"));
        environment.put("PATH", links + ":/usr/bin:/bin");
        assertThat(sh(FIND)).isEqualTo(new Said(0, home.toRealPath().toString(), ""));
    }

    @Test
    void a_jdk_is_found_in_the_usual_folders() throws Exception {
        var home = jdk("home/.sdkman/candidates/java/99", "99");
        assertThat(sh(FIND)).isEqualTo(new Said(0, home.toString(), ""));
    }

    @Test
    void what_is_too_old_or_no_jdk_is_passed_over_and_one_line_says_what_to_install()
            throws Exception {
        jdk("home/.sdkman/candidates/java/98", "98.9.9");
        var runtime = jdk("home/.sdkman/candidates/java/runtime", "99");
        Files.delete(runtime.resolve("bin/javac"));
        assertThat(sh(FIND))
                .isEqualTo(
                        new Said(
                                1,
                                "",
                                "ibidem: needs JDK 99 or newer: install one (or run ./ibidem"
                                        + " setup), or set IBIDEM_JAVA_HOME to where it is"));
    }

    @Test
    void a_home_that_was_asked_for_and_is_none_is_named() throws Exception {
        jdk("home/.sdkman/candidates/java/99", "99");
        environment.put("IBIDEM_JAVA_HOME", "/no/such");
        assertThat(sh(FIND))
                .isEqualTo(
                        new Said(
                                1,
                                "",
                                "ibidem: IBIDEM_JAVA_HOME (/no/such) is no JDK 99 or newer"));
    }

    @Test
    void without_maven_one_line_says_what_to_install() throws Exception {
        environment.put("PATH", root.toString());
        assertThat(finish(start("need_maven")))
                .isEqualTo(
                        new Said(
                                1,
                                "",
                                "ibidem: needs Maven 3.8 or newer to build: install it (or run"
                                        + " ./ibidem setup)"));
    }

    private static final String STALE = "stale cli && echo stale || echo fresh";

    private void tree() throws IOException {
        file("pom.xml", "");
        file("bin/common.sh", "");
        file("core/pom.xml", "");
        file(".mvn/jvm.config", "");
        file("core/src/main/java/A.java", "");
        file("core/src/test/java/ATest.java", "");
        file("lab/src/main/java/B.java", "");
        try (var all = Files.walk(root)) {
            for (var each : all.toList()) {
                Files.setLastModifiedTime(each, FileTime.from(Instant.now().minusSeconds(100)));
            }
        }
        file("dist/cli/stamp", "");
    }

    @Test
    void what_was_never_built_is_stale() throws Exception {
        tree();
        Files.delete(root.resolve("dist/cli/stamp"));
        assertThat(sh(STALE).out()).isEqualTo("stale");
    }

    @Test
    void jars_newer_than_all_that_goes_into_them_are_fresh() throws Exception {
        tree();
        Files.writeString(root.resolve("core/src/test/java/ATest.java"), "changed");
        Files.writeString(root.resolve("lab/src/main/java/B.java"), "changed");
        assertThat(sh(STALE)).isEqualTo(new Said(0, "fresh", ""));
    }

    @Test
    void jars_built_elsewhere_of_the_same_sources_are_taken_over() throws Exception {
        tree();
        Files.delete(root.resolve("dist/cli/stamp"));
        Files.delete(root.resolve("dist/cli"));
        file("clone/dist/cli/one.jar", "one");
        file("clone/dist/cli/stamp", "");
        assertThat(
                        sh(
                                "train() { :; }; renew() { :; }; adopt cli \"$root/clone/dist/cli\"; cat dist/cli/one.jar"))
                .isEqualTo(new Said(0, "one", ""));
        assertThat(sh(STALE).out()).isEqualTo("fresh");
    }

    @Test
    void where_nothing_can_be_written_the_jars_that_are_there_do() throws Exception {
        tree();
        Files.delete(root.resolve("dist/cli/stamp"));
        var ask = "writable() { false; }; build cli; echo goes on";
        assertThat(sh(ask))
                .isEqualTo(
                        new Said(
                                1,
                                "",
                                "ibidem: cannot build: nothing can be written in "
                                        + root
                                        + "; copy it to where it can"));
        file("dist/cli/stamp", "");
        assertThat(sh(ask)).isEqualTo(new Said(0, "goes on", ""));
        Files.setLastModifiedTime(
                root.resolve("core/pom.xml"), FileTime.from(Instant.now().plusSeconds(10)));
        assertThat(sh(ask))
                .isEqualTo(
                        new Said(
                                0,
                                "goes on",
                                "ibidem: the sources are newer than what was built of them, and"
                                        + " nothing can be written in "
                                        + root
                                        + ": run as built"));
        assertThat(sh("writable && echo yes").out()).isEqualTo("yes");
        assertThat(sh("dist=/proc/none; writable || echo no").out()).isEqualTo("no");
    }

    @ParameterizedTest
    @ValueSource(strings = {"LC_ALL", "LC_CTYPE", "LANG", ""})
    void a_locale_without_names_beyond_ascii_is_no_obstacle(String variable) throws Exception {
        if (!variable.isEmpty()) {
            environment.put(variable, "C");
        }
        assertThat(sh("know_all_names; locale charmap").out()).isEqualTo("UTF-8");
        environment.put("LC_ALL", "de_DE.ISO-8859-1");
        assertThat(sh("know_all_names; echo $LC_ALL").out()).isEqualTo("de_DE.ISO-8859-1");
    }

    @Test
    void a_source_that_was_changed_added_or_deleted_makes_them_stale() throws Exception {
        for (var change : List.of("touch", "new", "delete", "pom")) {
            tree();
            var later = FileTime.from(Instant.now().plusSeconds(10));
            switch (change) {
                case "touch" ->
                        Files.setLastModifiedTime(root.resolve("core/src/main/java/A.java"), later);
                case "new" ->
                        Files.setLastModifiedTime(file("core/src/main/java/C.java", ""), later);
                case "delete" -> {
                    Files.delete(root.resolve("core/src/main/java/A.java"));
                    Files.setLastModifiedTime(root.resolve("core/src/main/java"), later);
                }
                default -> Files.setLastModifiedTime(root.resolve("core/pom.xml"), later);
            }
            assertThat(sh(STALE).out()).as(change).isEqualTo("stale");
        }
    }

    @Test
    void the_lock_of_a_builder_that_died_is_taken_over() throws Exception {
        var dead = new ProcessBuilder("true").start();
        dead.waitFor();
        file("dist/lock/pid", "" + dead.pid());
        assertThat(sh("lock; cat \"$dist/lock/pid\"; echo $$; unlock"))
                .satisfies(said -> {
                    var lines = said.out().lines().toList();
                    assertThat(lines).hasSize(2);
                    assertThat(lines.get(0)).isEqualTo(lines.get(1));
                });
        assertThat(root.resolve("dist/lock")).doesNotExist();
    }

    @Test
    void who_comes_while_another_builds_says_so_and_waits_for_it() throws Exception {
        file("dist/lock/pid", "" + ProcessHandle.current().pid());
        var waiting = start("lock; echo mine; unlock");
        try (var err = waiting.errorReader()) {
            assertThat(err.readLine())
                    .isEqualTo(
                            "ibidem: waiting for the build of process "
                                    + ProcessHandle.current().pid());
            Files.delete(root.resolve("dist/lock/pid"));
            Files.delete(root.resolve("dist/lock"));
            assertThat(new String(waiting.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
                    .isEqualTo("mine\n");
            assertThat(waiting.waitFor()).isZero();
        }
    }

    /// What is asked of Maven, one line each, and then whether the run counts as broken. It fails
    /// where it is asked for something that contains `broken`.
    private List<String> suite(String broken) throws Exception {
        return sh("""
        log=$dist/test.log; excluded=full; : >"$log"; echo 1 >"$dist/test.rc"
        become_maven() {
            case "$*" in *' verify') printf 'Building Ibidem %%s\\n' node hub >>"$log" ;; esac
            echo "$*" >>"$dist/asked"
            case "$*" in *"%s"*) return 1 ;; esac
        }
        whole_suite -x
        cat "$dist/asked" "$dist/test.rc"
        """
                        .formatted(broken))
                .out()
                .lines()
                .toList();
    }

    @Test
    void nothing_is_tested_before_it_is_compiled_and_processes_wait_for_core() throws Exception {
        var asked = suite("nothing");
        assertThat(asked).hasSize(11).endsWith("-q spotless:check", "0");
        int compiled = asked.indexOf(only(asked, " verify"));
        int networks = asked.indexOf(only(asked, "groups=network|fuzz"));
        assertThat(networks).isGreaterThan(compiled);
        int beside = asked.indexOf(only(asked, "-Dtest=org/ibidem/lab/bench"));
        assertThat(beside).isGreaterThan(networks);
        int small = asked.indexOf(only(asked, "-pl !lab process-test-classes surefire:test"));
        assertThat(small).isGreaterThan(compiled);
        assertThat(small)
                .isGreaterThan(
                        asked.indexOf(
                                only(asked, "full,cold -Dtests.transport.skip=true -pl core")));
        int rest = asked.indexOf(only(asked, "-Dtest=!org/ibidem/lab/bench"));
        assertThat(rest).isGreaterThan(small);
        assertThat(asked.indexOf(only(asked, "groups=alone")))
                .isGreaterThan(Math.max(beside, rest));
        assertThat(asked).filteredOn(line -> line.contains("full,network,fuzz,alone")).hasSize(2);
        assertThat(only(asked, "-pl transport -am process-test-classes surefire:test"))
                .contains("-Dtests.compiled=true");
        assertThat(asked)
                .filteredOn(
                        line -> line.contains("-pl core -am process-test-classes surefire:test"))
                .hasSize(2)
                .allMatch(line -> line.contains("-Dmaven.main.skip=true"));
    }

    private static String only(List<String> asked, String part) {
        assertThat(asked).filteredOn(line -> line.contains(part)).hasSize(1);
        return asked.stream().filter(line -> line.contains(part)).findFirst().orElseThrow();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                " verify",
                "-pl transport",
                "groups=cold",
                "full,cold",
                "groups=network",
                "-pl !lab process-test-classes",
                "-Dtest=org/ibidem/lab/bench",
                "-Dtest=!org/ibidem/lab/bench",
                "groups=alone"
            })
    void a_run_of_maven_that_fails_breaks_the_whole(String which) throws Exception {
        assertThat(suite(which)).endsWith("1");
    }

    private static final String PASSED =
            """
            <?xml version="1.0"?>
            <testsuite name="org.x.OneTest" time="0.5" tests="4" errors="0" skipped="1" failures="0">
              <testcase name="a_thing" classname="org.x.OneTest" time="0.1"/>
              <testcase name="a_device" classname="org.x.OneTest" time="0.1">
                <skipped type="org.opentest4j.TestAbortedException"><![CDATA[org.opentest4j.TestAbortedException: Assumption failed: no device &amp; no "driver" here
            	at org.x.OneTest]]></skipped>
              </testcase>
            </testsuite>
            """;
    private static final String FAILED =
            """
            <testsuite name="org.x.TwoTest" time="0.5" tests="3" errors="1" skipped="0" failures="1">
              <testcase name="adds" classname="org.x.TwoTest" time="0.1">
                <failure message="expected &lt;3&gt; but was &quot;4&quot;" type="X">trace</failure>
              </testcase>
            </testsuite>
            """;

    private Said summary(int broken) throws Exception {
        return sh("suite=quick; broken=" + broken + "; misformatted=0; summarize");
    }

    @Test
    void the_summary_lists_what_was_skipped_and_why_and_counts_last() throws Exception {
        file("core/target/surefire-reports/TEST-org.x.OneTest.xml", PASSED);
        var said = summary(0);
        assertThat(said.code()).isZero();
        assertThat(said.out().lines())
                .anyMatch(line -> line.matches("skipped: OneTest.a_device: .*no device .*here.*"))
                .anyMatch(line -> line.startsWith("not run: laboratory"))
                .endsWith("3 passed, 0 failed, 1 skipped");
    }

    @Test
    void a_failure_is_named_and_is_the_exit_code() throws Exception {
        file("core/target/surefire-reports/TEST-org.x.OneTest.xml", PASSED);
        file("hub/target/surefire-reports/TEST-org.x.TwoTest.xml", FAILED);
        var said = summary(0);
        assertThat(said.code()).isEqualTo(1);
        assertThat(said.out().lines())
                .contains("failed:  TwoTest.adds: expected <3> but was \"4\"")
                .endsWith("4 passed, 2 failed, 1 skipped");
    }

    @Test
    void a_broken_build_is_a_failure_even_when_every_test_that_ran_passed() throws Exception {
        file("core/target/surefire-reports/TEST-org.x.OneTest.xml", PASSED);
        var said = summary(1);
        assertThat(said.code()).isEqualTo(1);
        assertThat(said.out().lines())
                .anyMatch(line -> line.startsWith("failed:  the build itself"))
                .endsWith("3 passed, 1 failed, 1 skipped");
    }

    @Test
    void a_failure_in_the_other_stream_of_a_module_counts() throws Exception {
        file("lab/target/surefire-reports/TEST-org.x.OneTest.xml", PASSED);
        file("lab/target/surefire-reports-network/TEST-org.x.TwoTest.xml", FAILED);
        var said = summary(0);
        assertThat(said.code()).isEqualTo(1);
        assertThat(said.out().lines()).endsWith("4 passed, 2 failed, 1 skipped");
    }

    @Test
    void the_slowest_classes_are_listed_and_the_times_of_all_kept() throws Exception {
        for (int i = 1; i <= 25; i++) {
            var name = "org.x.No" + i + "Test";
            var time = "time=\"1,%03d.5\"".formatted(i);
            file(
                    "core/target/surefire-reports/TEST-" + name + ".xml",
                    PASSED.replace("org.x.OneTest", name).replaceFirst("time=\"0.5\"", time));
        }
        var lines = summary(0).out().lines().filter(line -> line.contains(" tests  org.x.No"));
        assertThat(lines).hasSize(20).startsWith("  1025.5 s     4 tests  org.x.No25Test");
        assertThat(Files.readAllLines(root.resolve("dist/times"))).hasSize(25);
    }

    @Test
    void no_test_at_all_is_a_failure() throws Exception {
        assertThat(summary(0).code()).isEqualTo(1);
    }
}
