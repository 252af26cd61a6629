package org.ibidem.lab.net.junit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.ibidem.lab.net.Lab;
import org.ibidem.lab.net.plan.Kind;
import org.ibidem.lab.net.plan.Network;
import org.ibidem.lab.net.plan.Plan;
import org.ibidem.lab.net.plan.Site;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

/// Where there can be no laboratory, tests that need one are skipped, and say why.
@Tag("lab")
class SkippingTest {
    static final class Small implements Plan {
        @Override
        public Network network() {
            return Network.of(Site.of("hub", Kind.OPEN));
        }
    }

    /// Not a test by its name: it is run by the program below.
    @Laboratory(Small.class)
    static class Needy {
        @Test
        void needs_a_laboratory(Lab lab) {
            assertThat(lab.machines()).isNotEmpty();
        }
    }

    /// Runs the tests of [Needy] and says what came of them.
    static final class Run {
        private Run() {}

        public static void main(String[] args) {
            var request =
                    LauncherDiscoveryRequestBuilder.request()
                            .selectors(selectClass(Needy.class))
                            .build();
            LauncherFactory.create()
                    .execute(
                            request,
                            new TestExecutionListener() {
                                @Override
                                public void executionFinished(
                                        TestIdentifier test, TestExecutionResult result) {
                                    System.out.println(
                                            test.getDisplayName()
                                                    + " "
                                                    + result.getStatus()
                                                    + " "
                                                    + result.getThrowable()
                                                            .map(Throwable::getMessage)
                                                            .orElse(""));
                                }
                            });
        }
    }

    private static String run(String path) throws Exception {
        var command =
                List.of(
                        "env",
                        "PATH=" + path,
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "-XX:+UseSerialGC",
                        "-cp",
                        System.getProperty("java.class.path"),
                        Run.class.getName());
        var process = new ProcessBuilder(command).redirectErrorStream(true).start();
        return new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    }

    @Test
    void with_the_reason() throws Exception {
        assertThat(run("/nowhere"))
                .contains("Needy ABORTED programs are missing: unshare, nsenter, ");
    }

    @Test
    void but_run_where_there_can_be_one() throws Exception {
        assertThat(run(System.getenv("PATH")))
                .containsAnyOf(
                        "needs_a_laboratory(Lab) SUCCESSFUL", "Needy ABORTED this machine allows");
    }
}
