package org.ibidem.rmi.frame;

import static org.assertj.core.api.Assertions.assertThat;

import java.rmi.registry.Registry;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RemoteMethodTest {
    /// As the stub of the JDK's registry has them.
    @ParameterizedTest
    @CsvSource({
        "bind, 7583982177005850366",
        "list, 2571371476350237748",
        "lookup, -7538657168040752697",
        "rebind, -8381844669958460146",
        "unbind, 7305022919901907578"
    })
    void numbers_are_those_of_java_rmi(String name, long hash) {
        var method =
                Arrays.stream(Registry.class.getMethods())
                        .filter(each -> each.getName().equals(name))
                        .findFirst()
                        .orElseThrow();
        assertThat(new RemoteMethod(method).hash()).isEqualTo(hash);
    }

    @Test
    void methods_are_named_as_people_write_them() throws Exception {
        var method = Registry.class.getMethod("lookup", String.class);
        assertThat(new RemoteMethod(method))
                .hasToString(
                        "java.rmi.Remote lookup(java.lang.String) of java.rmi.registry.Registry");
    }
}
