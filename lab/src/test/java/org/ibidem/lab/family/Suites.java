package org.ibidem.lab.family;

import java.util.Map;
import java.util.stream.Stream;
import org.junit.platform.engine.DiscoverySelector;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.discovery.DiscoverySelectors;
import org.junit.platform.engine.support.descriptor.MethodSource;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

/// A program that runs test classes, several at a time, and says what came of each test: a line
/// `SUCCESSFUL its name`, or `FAILED its name: why`, or `ABORTED its name: why`.
final class Suites {
    private static final Map<String, String> PARALLEL =
            Map.of(
                    "junit.jupiter.execution.parallel.enabled",
                    "true",
                    "junit.jupiter.execution.parallel.mode.default",
                    "same_thread",
                    "junit.jupiter.execution.parallel.mode.classes.default",
                    "concurrent",
                    "junit.jupiter.execution.parallel.config.strategy",
                    "fixed",
                    "junit.jupiter.execution.parallel.config.fixed.parallelism",
                    "4");

    private Suites() {}

    /// Runs them.
    ///
    /// @param args the names of the classes, or of their methods after a `#`
    public static void main(String[] args) {
        var selected = Stream.of(args).map(Suites::select).toArray(DiscoverySelector[]::new);
        var request =
                LauncherDiscoveryRequestBuilder.request()
                        .selectors(selected)
                        .configurationParameters(PARALLEL)
                        .build();
        LauncherFactory.create().execute(request, new Told());
        System.exit(0); // whatever threads a test has left
    }

    private static DiscoverySelector select(String name) {
        return name.indexOf('#') < 0
                ? DiscoverySelectors.selectClass(name)
                : DiscoverySelectors.selectMethod(name);
    }

    private static final class Told implements TestExecutionListener {
        @Override
        public void executionFinished(TestIdentifier test, TestExecutionResult result) {
            if (test.isTest() || result.getStatus() != TestExecutionResult.Status.SUCCESSFUL) {
                var why = result.getThrowable().map(each -> ": " + each).orElse("");
                System.out.println(result.getStatus() + " " + name(test) + why);
            }
        }

        private static String name(TestIdentifier test) {
            return test.getSource().orElse(null) instanceof MethodSource method
                    ? method.getJavaClass().getSimpleName() + "#" + method.getMethodName()
                    : test.getUniqueId();
        }
    }
}
