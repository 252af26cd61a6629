package org.ibidem.serial;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.Stream;
import org.ibidem.serial.graph.Alike;
import org.ibidem.serial.graph.Samples;
import org.ibidem.serial.graph.Trip;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/// The contract of [Serializable]: for each graph the result, or the exception, is that of the JDK.
class ContractTest {
    @TestFactory
    Stream<DynamicTest> same_result_as_the_jdk() {
        return Samples.all().entrySet().stream()
                .map(sample ->
                        DynamicTest.dynamicTest(sample.getKey(), () -> compare(sample.getValue())));
    }

    private static void compare(Object graph) {
        var theirs = outcome(() -> Trip.throughJdk(graph));
        var ours = outcome(() -> Trip.through(graph));
        if (theirs instanceof Throwable problem) {
            assertThat(ours).isInstanceOf(problem.getClass());
            if (problem.getMessage() != null) {
                assertThat(((Throwable) ours).getMessage()).contains(problem.getMessage());
            }
        } else {
            if (ours instanceof Throwable problem) {
                throw new AssertionError("failed here, not with the JDK", problem);
            }
            assertThat(Alike.difference(theirs, ours)).isNull();
        }
    }

    private interface Trial {
        Object run() throws Throwable;
    }

    private static Object outcome(Trial trial) {
        try {
            return trial.run();
        } catch (Throwable e) {
            return e;
        }
    }
}
