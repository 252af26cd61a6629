package mpi;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/// No public method of the API is without a call in a test.
class CalledTest {
    private static final List<Class<?>> API =
            List.of(
                    MPI.class,
                    Comm.class,
                    Intracomm.class,
                    Intercomm.class,
                    Cartcomm.class,
                    Graphcomm.class,
                    Group.class,
                    Datatype.class,
                    Op.class,
                    Request.class,
                    Prequest.class,
                    Status.class,
                    Errhandler.class,
                    MPIException.class);

    /// They do nothing, and the collector calls them.
    private static final String FINALIZER = "finalize";

    private static String tests() throws IOException {
        StringBuilder all = new StringBuilder();
        try (var files = Files.list(Path.of("src/test/java/mpi"))) {
            for (Path file : files.filter(each -> !each.endsWith("CalledTest.java")).toList()) {
                all.append(Files.readString(file));
            }
        }
        return all.toString();
    }

    @Test
    void each_public_method_is_called() throws IOException {
        String tests = tests();
        List<String> uncalled = new ArrayList<>();
        for (Class<?> type : API) {
            Arrays.stream(type.getDeclaredMethods())
                    .filter(method -> Modifier.isPublic(method.getModifiers()))
                    .map(Method::getName)
                    .filter(name -> !name.equals(FINALIZER))
                    .distinct()
                    .filter(name ->
                            !Pattern.compile("(\\.|::)" + name + "\\b").matcher(tests).find())
                    .forEach(name -> uncalled.add(type.getSimpleName() + "." + name));
        }
        assertThat(uncalled).isEmpty();
    }
}
