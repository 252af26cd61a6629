package org.ibidem.rmi.program;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import javax.naming.Context;
import org.ibidem.hub.Hub;
import org.ibidem.registry.Join;
import org.ibidem.registry.Node;
import org.ibidem.rmi.Rmi;
import org.ibidem.rmi.rewrite.ProgramLoader;
import org.ibidem.serial.ObjectPolicy;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Programs of `java.rmi` say the same with the JDK's RMI and, rewritten, with ours.
@Tag("slow")
@Isolated("both RMIs are one for the whole JVM, and so is standard output")
@Timeout(120)
class UnmodifiedTest {
    @TempDir Path folder;

    private static int freePort() throws IOException {
        try (var socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    private static void call(ClassLoader loader, String what, String... arguments)
            throws ReflectiveOperationException {
        var type = Class.forName(what, true, loader);
        type.getMethod("main", String[].class).invoke(null, (Object) arguments);
    }

    /// What it prints.
    private static String played(ClassLoader loader, String mains) throws Exception {
        var port = Integer.toString(freePort());
        var out = System.out;
        var said = new ByteArrayOutputStream();
        Thread.currentThread().setContextClassLoader(loader);
        System.setOut(new PrintStream(said, true, StandardCharsets.UTF_8));
        try {
            for (var main : mains.split(" ", -1)) {
                if (main.endsWith(".end")) {
                    var type = main.substring(0, main.length() - ".end".length());
                    Class.forName(type, true, loader).getMethod("end").invoke(null);
                } else {
                    call(loader, main, port);
                }
            }
        } finally {
            System.setOut(out);
            Thread.currentThread().setContextClassLoader(UnmodifiedTest.class.getClassLoader());
        }
        return said.toString(StandardCharsets.UTF_8);
    }

    private static URLClassLoader loader(Path place) throws IOException {
        return new URLClassLoader(
                new URL[] {place.toUri().toURL()}, UnmodifiedTest.class.getClassLoader());
    }

    private String byOurs(String mains) throws Exception {
        try (var classes = loader(folder);
                var loader = new ProgramLoader(classes);
                var hub = Hub.start(Hub.Options.DEFAULT.port(0));
                var node = Node.join(Join.pool("programs").hub("localhost:" + hub.port()));
                var rmi = Rmi.open(node, options(loader))) {
            Home.is(node, rmi);
            System.setProperty(Context.URL_PKG_PREFIXES, "org.ibidem.rmi.program");
            try {
                var said = played(loader, mains);
                assertThat(rmi.exported()).as("all is unexported").isZero();
                assertThat(rmi.names().list()).isEmpty();
                return said;
            } finally {
                System.clearProperty(Context.URL_PKG_PREFIXES);
                Home.isNone();
            }
        }
    }

    private Rmi.Options options(ClassLoader loader) {
        var policy =
                ObjectPolicy.NOTHING_BUT_VALUES.allowWhere(
                        name -> Files.exists(folder.resolve(name.replace('.', '/') + ".class")));
        return Rmi.Options.usual().policy(policy).loader(loader).uninterruptible();
    }

    @ParameterizedTest
    @CsvSource({
        "compute, compute.Engine compute.Ask compute.Engine.end, hello from the engine",
        "chat, chat.Main, bob hears bob: alone",
        "bank, bank.Main, no such account",
        "Hello, Hello, 'hello, worldtrue'",
        "Weather, Weather, malformed: //x/y#z",
        "Files, Files, no such handle",
        "Workers, Workers, sum 87",
        "Directory, Directory, 'nobody, greetings, two'",
        "Managed, Managed, 'position 7, turned to 7'",
        "Impatient, Impatient, 'list: class java.rmi.ConnectException'",
    })
    void say_the_same(String program, String mains, String some) throws Exception {
        System.setProperty("java.rmi.server.hostname", "127.0.0.1"); // else it asks for names
        Sources.compiled(folder, program);
        String expected;
        try (var loader = loader(folder)) {
            expected = played(loader, mains);
        }
        assertThat(expected).contains(some);
        assertThat(byOurs(mains)).isEqualTo(expected);
    }
}
