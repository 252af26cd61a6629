package org.ibidem.lab.mutate;

import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.TagFilter;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

/// Runs tests in a process of their own until the first one fails: `FILE SECONDS TEST…`. Ends with
/// [#PASSED], [#FAILED], or [#NONE]; the file names what has failed.
final class Trial implements TestExecutionListener {
    static final int PASSED = 0;

    /// Not 1, with which a JVM ends that has no memory left to say what has failed.
    static final int FAILED = 2;

    /// There were no tests.
    static final int NONE = 3;

    private final Path file;
    private int tests;

    private Trial(Path file) {
        this.file = file;
    }

    public static void main(String[] arguments) {
        var trial = new Trial(Path.of(arguments[0]));
        var tests = Arrays.copyOfRange(arguments, 2, arguments.length);
        LauncherFactory.create().execute(request(arguments[1], tests), trial);
        Runtime.getRuntime().halt(trial.tests == 0 ? NONE : PASSED);
    }

    private static LauncherDiscoveryRequest request(String seconds, String[] tests) {
        return LauncherDiscoveryRequestBuilder.request()
                .selectors(Arrays.stream(tests).map(test -> selectClass(test)).toList())
                .filters(TagFilter.excludeTags("lab", "full", "fuzz", "network"))
                .configurationParameter("junit.jupiter.execution.timeout.default", seconds + " s")
                .configurationParameter(
                        "junit.jupiter.execution.timeout.thread.mode.default", "SEPARATE_THREAD")
                .build();
    }

    @Override
    public void executionFinished(TestIdentifier test, TestExecutionResult result) {
        tests += test.isTest() ? 1 : 0;
        if (result.getStatus() == TestExecutionResult.Status.FAILED) {
            try {
                Files.writeString(file, test.getDisplayName());
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            } finally {
                Runtime.getRuntime().halt(FAILED);
            }
        }
    }
}
