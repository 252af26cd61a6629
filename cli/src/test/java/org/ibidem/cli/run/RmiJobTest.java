package org.ibidem.cli.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Programs of `java.rmi`, unchanged, in processes of their own.
@Tag("lab")
@Isolated("starts processes")
class RmiJobTest {
    /// Whoever creates the registry serves; the others ask, and the last of them ends it.
    private static final String COUNTER =
            """
            import java.rmi.*;
            import java.rmi.registry.*;
            import java.rmi.server.*;

            interface Adds extends Remote {
                Total add(Part part) throws RemoteException;
                void end() throws RemoteException;
            }

            class Part implements java.io.Serializable { int value; }
            class Total extends Part { String by; }

            public class Counter extends UnicastRemoteObject implements Adds {
                private int sum;
                Counter() throws RemoteException { super(4000); }
                public synchronized Total add(Part part) {
                    Total total = new Total();
                    total.value = sum += part.value;
                    total.by = part.getClass().getName();
                    return total;
                }
                public void end() throws RemoteException {
                    Counter mine = this;
                    new Thread(() -> {
                        try {
                            while (!UnicastRemoteObject.unexportObject(mine, false)) Thread.yield();
                        } catch (NoSuchObjectException e) { e.printStackTrace(); }
                    }).start();
                }
                public static void main(String[] args) throws Exception {
                    try {
                        LocateRegistry.createRegistry(1099);
                    } catch (ExportException e) {
                        client();
                        return;
                    }
                    Naming.rebind("//localhost/counter", new Counter());
                    System.out.println("serves");
                }
                static void client() throws Exception {
                    Adds adds = null;
                    while (adds == null) {
                        try {
                            adds = (Adds) Naming.lookup("//localhost/counter");
                        } catch (NotBoundException e) { Thread.sleep(20); }
                    }
                    Total mine = new Total();
                    mine.value = 7;
                    Total total = adds.add(mine);
                    System.out.println(total.value + " by " + total.by);
                    Naming.unbind("//localhost/counter");
                    adds.end();
                }
            }
            """;

    @TempDir Path folder;

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void call_each_other_and_end_with_their_objects(boolean modules) throws Exception {
        var program = Files.writeString(folder.resolve("Counter.java"), COUNTER).toString();
        String[] arguments = {"--rmi", "-n", "2", program};
        try (var run =
                modules
                        ? Launched.run(folder, arguments)
                        : Launched.runOnClassPath(folder, arguments)) {
            assertThat(run.lines().stream().map(line -> line.replaceFirst("^\\[.\\] ", "")))
                    .as(run.errors())
                    .containsExactlyInAnyOrder("serves", "7 by Total");
            assertThat(run.code()).as(run.errors()).isZero();
        }
    }

    /// JNDI, JMX, a registry that is not there, interrupts, lambdas and marshalled objects.
    @ParameterizedTest
    @ValueSource(strings = {"Directory", "Managed", "Impatient", "Carried"})
    void say_the_same_as_by_java(String program) throws Exception {
        var source = Path.of("../models/src/test/resources/programs", program + ".java").toString();
        var expected = byJava(source);
        try (var run = Launched.run(folder, "--rmi", "--timeout", "60", source, freePort())) {
            assertThat(run.lines())
                    .as(run.errors())
                    .containsExactlyElementsOf(expected.stream().map("[0] "::concat).toList());
            assertThat(run.code()).as(run.errors()).isZero();
            assertThat(run.errors().contains("Managed uses what stays the JDK's: javax.management"))
                    .as(run.errors())
                    .isEqualTo(program.equals("Managed"));
        }
    }

    private static List<String> byJava(String source) throws IOException, InterruptedException {
        var java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        var program =
                new ProcessBuilder(
                                java,
                                "-XX:TieredStopAtLevel=1",
                                "-Djava.rmi.server.hostname=127.0.0.1", // else it asks for names
                                source,
                                freePort())
                        .redirectError(ProcessBuilder.Redirect.DISCARD)
                        .start();
        var lines = program.inputReader().lines().toList();
        assertThat(program.waitFor()).isZero();
        return lines;
    }

    private static String freePort() throws IOException {
        try (var socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return "" + socket.getLocalPort();
        }
    }
}
