package org.ibidem.serial;

import java.util.stream.Stream;
import org.ibidem.serial.graph.Samples;
import org.ibidem.serial.graph.Trip;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestFactory;

/// The contract of [Serializable]: for each graph the result, or the exception, is that of the JDK.
class ContractTest {
    private static final ClassLoader HERE = ContractTest.class.getClassLoader();

    @TestFactory
    @Tag("slow")
    Stream<DynamicTest> same_result_as_the_jdk() {
        return Samples.all().entrySet().stream()
                .map(sample ->
                        DynamicTest.dynamicTest(
                                sample.getKey(), () -> Trip.compare(sample.getValue(), HERE)));
    }
}
