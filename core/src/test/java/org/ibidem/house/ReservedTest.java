package org.ibidem.house;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.lang.ArchRule;
import java.util.Arrays;
import java.util.Set;
import org.ibidem.house.RoomsTest.Room;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/// What only some rooms may use of the JDK, and which.
class ReservedTest {
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
                "handshake",
                "accept",
                "dial",
                "station"),
        // Whoever accepts, proves: there are no other doors.
        new Reserved(
                "listening sockets",
                Set.of("java.net.ServerSocket", "java.nio.channels.ServerSocketChannel"),
                "connect.direct",
                "accept"),
        // It takes as long as a name server likes: see [org.ibidem.connect.HostLookup].
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
        new Reserved("sleeping", Set.of("java.lang.Thread.sleep"), "arbitration"),
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

    @ParameterizedTest
    @Tag("slow")
    @FieldSource("RESERVED")
    void what_is_reserved_is_used_in_its_rooms_only(Reserved reserved) {
        usedInItsRoomsOnly(reserved).check(RoomsTest.CORE);
    }

    static ArchRule usedInItsRoomsOnly(Reserved reserved) {
        var rooms = Arrays.stream(reserved.rooms()).map(Room::pattern).toArray(String[]::new);
        return noClasses()
                .that(not(resideInAnyPackage(rooms)))
                .should()
                .accessTargetWhere(describe("it is " + reserved, reserved::covers))
                .allowEmptyShould(true);
    }
}
