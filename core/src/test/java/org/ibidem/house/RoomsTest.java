package org.ibidem.house;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.Location;
import com.tngtech.archunit.lang.ArchRule;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.ibidem.IbidemException;
import org.ibidem.port.SendPort;
import org.ibidem.serial.ObjectWriter;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Which room of `core`, and of `base` and `serial` below it, may know which. This table is the
/// architecture; the test keeps it true. A room that does not exist yet is no failure.
class RoomsTest {

    /// A room, and the rooms it may know besides itself and the root package. `link` is the package
    /// alone, `link.*` are the packages below it; of every other name the packages below count too.
    record Room(String name, String... mayKnow) {
        static String pattern(String name) {
            return switch (name) {
                case "" -> "org.ibidem";
                case "link", "connect" -> "org.ibidem." + name;
                default -> "org.ibidem." + name + "..";
            };
        }

        String[] known() {
            return Stream.concat(Stream.of("", name), Arrays.stream(mayKnow))
                    .map(Room::pattern)
                    .toArray(String[]::new);
        }

        @Override
        public String toString() {
            return name.isEmpty() ? "the root" : name;
        }
    }

    static final Room[] ROOMS = {
        new Room(""),
        new Room("buffer"),
        new Room("config"),
        new Room("codec", "config"),
        new Room("monitor", "buffer", "config"),
        new Room("topology", "buffer", "config"),
        new Room("trust", "buffer", "config"),
        new Room("link", "buffer", "config", "topology"),
        new Room("link.*", "link", "buffer", "config", "topology", "monitor"),
        new Room("tls", "link"),
        new Room("filter", "tls", "link", "buffer", "codec", "config", "topology", "monitor"),
        new Room("connect", "link", "topology", "config", "buffer"),
        new Room("connect.*", "connect", "link", "topology", "config", "buffer"),
        new Room("arbitration", "link", "buffer", "monitor", "config"),
        new Room("selector", "link", "connect", "topology", "config"),
        new Room(
                "service",
                "link",
                "connect",
                "connect.*",
                "selector",
                "arbitration",
                "topology",
                "trust",
                "tls",
                "config",
                "buffer",
                "monitor"),
        new Room(
                "registry",
                "service",
                "link",
                "connect",
                "connect.*",
                "selector",
                "arbitration",
                "topology",
                "trust",
                "config",
                "buffer",
                "monitor"),
        new Room("serial", "buffer", "config"),
        abstraction("port"),
        abstraction("circuit"),
        abstraction("vlink"),
        new Room(
                "messaging",
                "port",
                "serial",
                "registry",
                "service",
                "link",
                "arbitration",
                "topology"),
    };

    static Room abstraction(String name) {
        return new Room(
                name,
                "serial",
                "service",
                "selector",
                "arbitration",
                "registry",
                "link",
                "topology",
                "config",
                "buffer",
                "monitor");
    }

    /// What only some rooms may use: types by their names, members as `Type.member` (a constructor
    /// is `Type.<init>`), or with the types of their parameters.
    record Reserved(String what, Set<String> names, String... rooms) {
        boolean covers(JavaAccess<?> access) {
            var owner = access.getTargetOwner().getName();
            return names.contains(owner)
                    || names.contains(owner + "." + access.getName())
                    || names.contains(access.getTarget().getFullName());
        }

        @Override
        public String toString() {
            return what;
        }
    }

    static final Reserved[] RESERVED = {
        new Reserved(
                "sockets",
                Set.of(
                        "java.net.Socket",
                        "java.net.ServerSocket",
                        "java.net.DatagramSocket",
                        "java.nio.channels.SocketChannel",
                        "java.nio.channels.ServerSocketChannel",
                        "java.nio.channels.DatagramChannel",
                        "java.nio.channels.AsynchronousSocketChannel",
                        "java.nio.channels.AsynchronousServerSocketChannel"),
                "link.*",
                "connect",
                "connect.*",
                "service"),
        // Whoever accepts, proves: there are no other doors.
        new Reserved(
                "listening sockets",
                Set.of("java.net.ServerSocket", "java.nio.channels.ServerSocketChannel"),
                "connect.direct",
                "service"),
        // It takes as long as a name server likes: see [org.ibidem.connect.Names].
        new Reserved(
                "looking names up",
                Set.of(
                        "java.net.InetAddress.getByName",
                        "java.net.InetAddress.getAllByName",
                        "java.net.InetAddress.getLocalHost",
                        "java.net.InetAddress.getHostName",
                        "java.net.InetAddress.getCanonicalHostName",
                        "java.net.InetSocketAddress.getHostName",
                        "java.net.InetSocketAddress.<init>(java.lang.String, int)"),
                "connect"),
        new Reserved("selectors", Set.of("java.nio.channels.Selector"), "arbitration"),
        new Reserved(
                "threads",
                Set.of(
                        "java.lang.Thread.<init>",
                        "java.lang.Thread.ofVirtual",
                        "java.lang.Thread.ofPlatform",
                        "java.lang.Thread.startVirtualThread",
                        "java.util.Timer",
                        "java.util.concurrent.Executors",
                        "java.util.concurrent.ThreadPoolExecutor",
                        "java.util.concurrent.ForkJoinPool",
                        "java.util.concurrent.CompletableFuture.runAsync",
                        "java.util.concurrent.CompletableFuture.supplyAsync"),
                "arbitration"),
        new Reserved(
                "the time",
                Set.of(
                        "java.lang.System.nanoTime",
                        "java.lang.System.currentTimeMillis",
                        "java.time.Instant.now",
                        "java.time.LocalDateTime.now",
                        "java.time.Clock.systemUTC",
                        "java.time.InstantSource.system"),
                "arbitration"),
        new Reserved(
                "properties and the environment",
                Set.of(
                        "java.lang.System.getProperty",
                        "java.lang.System.getProperties",
                        "java.lang.System.getenv",
                        "java.lang.Boolean.getBoolean",
                        "java.lang.Integer.getInteger",
                        "java.lang.Long.getLong"),
                "config"),
        // A path may lead to another file by then: files are made with their modes.
        new Reserved(
                "changes of modes by path", Set.of("java.nio.file.Files.setPosixFilePermissions")),
        new Reserved("standard streams", Set.of("java.lang.System.out", "java.lang.System.err")),
        new Reserved("the native linker", Set.of("java.lang.foreign.Linker")),
    };

    /// One class of each module that has rooms.
    static final List<Class<?>> MODULES =
            List.of(IbidemException.class, ObjectWriter.class, SendPort.class);

    static final JavaClasses CORE =
            new ClassFileImporter()
                    .importLocations(
                            MODULES.stream().map(RoomsTest::place).map(RoomsTest::inside).toList());

    /// Where the classes of a module lie: a folder or a jar.
    static Path place(Class<?> of) {
        try {
            return Path.of(of.getProtectionDomain().getCodeSource().getLocation().toURI());
        } catch (URISyntaxException e) {
            throw new AssertionError(e);
        }
    }

    private static Location inside(Path place) {
        return Files.isDirectory(place)
                ? Location.of(place)
                : Location.of(URI.create("jar:" + place.toUri() + "!/"));
    }

    /// Else every rule would hold.
    @Test
    void the_classes_are_found() {
        assertThat(CORE.contain("org.ibidem.port.SendPort")).isTrue();
        assertThat(CORE.contain("org.ibidem.buffer.Ring")).isTrue();
        assertThat(CORE.contain("org.ibidem.serial.ObjectPolicy")).isTrue();
        assertThat(CORE.size()).isGreaterThan(600);
    }

    @ParameterizedTest
    @Tag("slow")
    @FieldSource("ROOMS")
    void a_room_knows_only_what_it_may(Room room) {
        knowsOnlyWhatItMay(room).check(CORE);
    }

    static ArchRule knowsOnlyWhatItMay(Room room) {
        return noClasses()
                .that()
                .resideInAPackage(Room.pattern(room.name()))
                .should()
                .dependOnClassesThat(
                        resideInAPackage("org.ibidem..").and(not(resideInAnyPackage(room.known()))))
                .allowEmptyShould(true);
    }

    @Test
    void every_class_lives_in_a_room_of_the_table() {
        livesInARoom().check(CORE);
    }

    static ArchRule livesInARoom() {
        var patterns = Arrays.stream(ROOMS).map(r -> Room.pattern(r.name()));
        return classes()
                .should()
                .resideInAnyPackage(patterns.toArray(String[]::new))
                .allowEmptyShould(true);
    }

    @Test
    @Tag("slow")
    void rooms_form_no_cycle() {
        noCycle().check(CORE);
    }

    static ArchRule noCycle() {
        return slices().matching("org.ibidem.(*)..")
                .should()
                .beFreeOfCycles()
                .allowEmptyShould(true);
    }

    @ParameterizedTest
    @ValueSource(strings = {"link", "filter", "connect"})
    void neighbours_below_one_room_do_not_know_each_other(String room) {
        neighboursApart(room).check(CORE);
    }

    static ArchRule neighboursApart(String room) {
        return slices().matching("org.ibidem." + room + ".(*)..")
                .should()
                .notDependOnEachOther()
                .allowEmptyShould(true);
    }

    @ParameterizedTest
    @Tag("slow")
    @FieldSource("RESERVED")
    void what_is_reserved_is_used_in_its_rooms_only(Reserved reserved) {
        usedInItsRoomsOnly(reserved).check(CORE);
    }

    static ArchRule usedInItsRoomsOnly(Reserved reserved) {
        var rooms = Arrays.stream(reserved.rooms()).map(Room::pattern).toArray(String[]::new);
        return noClasses()
                .that(not(resideInAnyPackage(rooms)))
                .should()
                .accessTargetWhere(describe("it is " + reserved, reserved::covers))
                .allowEmptyShould(true);
    }

    @Test
    void core_needs_nothing_but_the_jdk() {
        needsNothingButTheJdk().check(CORE);
    }

    static ArchRule needsNothingButTheJdk() {
        return noClasses()
                .should()
                .dependOnClassesThat(
                        not(resideInAnyPackage(
                                        "java..", "javax..", "jdk..", "sun..", "org.ibidem.."))
                                .and(not(resideInAPackage("org.jspecify..")))
                                .and(not(describe("primitive", JavaClass::isPrimitive)))
                                .and(not(describe("array", JavaClass::isArray))))
                .allowEmptyShould(true);
    }

    @Test
    void only_serial_uses_what_the_jdk_does_not_support() {
        usesWhatIsSupported().check(CORE);
    }

    static ArchRule usesWhatIsSupported() {
        return noClasses()
                .that()
                .resideOutsideOfPackage("org.ibidem.serial..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("sun..", "com.sun..", "jdk.internal..")
                .allowEmptyShould(true);
    }
}
