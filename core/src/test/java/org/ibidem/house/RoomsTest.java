package org.ibidem.house;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.Location;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.library.dependencies.SliceAssignment;
import com.tngtech.archunit.library.dependencies.SliceIdentifier;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.ibidem.IbidemException;
import org.ibidem.link.Driver;
import org.ibidem.port.SendPort;
import org.ibidem.registry.Node;
import org.ibidem.serial.ObjectWriter;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Which room of `core`, and of the modules below it, may know which. This table is the
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
        new Room("program"),
        new Room("task"),
        new Room("codec", "config"),
        new Room("monitor", "buffer", "config"),
        new Room("topology", "buffer", "config"),
        new Room("trust", "buffer", "config"),
        new Room("wait", "buffer", "config"),
        new Room("link", "wait", "task", "buffer", "config", "topology"),
        new Room("ring", "link", "wait", "buffer"),
        new Room("stack", "link", "wait", "task", "buffer", "config"),
        new Room(
                "link.*",
                "link",
                "ring",
                "wait",
                "task",
                "buffer",
                "config",
                "topology",
                "monitor"),
        new Room("tls", "link"),
        new Room(
                "filter",
                "tls",
                "link",
                "ring",
                "wait",
                "task",
                "buffer",
                "codec",
                "config",
                "topology",
                "monitor"),
        new Room("connect", "link", "wait", "task", "topology", "config", "buffer"),
        new Room("connect.*", "connect", "link", "wait", "task", "topology", "config", "buffer"),
        new Room("arbitration", "link", "wait", "task", "buffer", "monitor", "config"),
        new Room("selector", "stack", "link", "task", "connect", "topology", "config"),
        new Room("peer", "topology", "buffer"),
        new Room("identity", "trust", "link", "topology", "config"),
        new Room(
                "handshake",
                "peer",
                "identity",
                "trust",
                "tls",
                "connect",
                "connect.*",
                "stack",
                "link",
                "wait",
                "task",
                "topology",
                "config",
                "buffer"),
        new Room(
                "accept",
                "peer",
                "handshake",
                "identity",
                "connect",
                "connect.*",
                "link",
                "task",
                "topology",
                "config",
                "buffer"),
        new Room(
                "control",
                "peer",
                "accept",
                "handshake",
                "identity",
                "tls",
                "connect",
                "connect.*",
                "link",
                "wait",
                "task",
                "topology",
                "buffer"),
        new Room(
                "dial",
                "peer",
                "control",
                "accept",
                "handshake",
                "connect",
                "arbitration",
                "link",
                "task",
                "topology",
                "config",
                "buffer",
                "monitor"),
        new Room(
                "channel",
                "peer",
                "control",
                "accept",
                "handshake",
                "identity",
                "connect",
                "arbitration",
                "stack",
                "link",
                "wait",
                "task",
                "topology",
                "config",
                "buffer"),
        new Room(
                "station",
                "peer",
                "channel",
                "dial",
                "control",
                "accept",
                "handshake",
                "identity",
                "trust",
                "selector",
                "connect",
                "connect.*",
                "arbitration",
                "stack",
                "link",
                "task",
                "topology",
                "config",
                "buffer",
                "monitor"),
        new Room(
                "registry",
                "peer",
                "station",
                "dial",
                "control",
                "accept",
                "handshake",
                "identity",
                "trust",
                "selector",
                "connect",
                "connect.*",
                "arbitration",
                "stack",
                "link",
                "task",
                "topology",
                "config",
                "buffer"),
        new Room("serial", "buffer", "config"),
        abstraction("port"),
        abstraction("circuit"),
        abstraction("vlink"),
        new Room(
                "messaging",
                "port",
                "station",
                "registry",
                "serial",
                "arbitration",
                "link",
                "task",
                "topology",
                "config"),
    };

    static Room abstraction(String name) {
        return new Room(
                name,
                "station",
                "channel",
                "dial",
                "control",
                "peer",
                "registry",
                "serial",
                "selector",
                "arbitration",
                "stack",
                "ring",
                "link",
                "wait",
                "task",
                "topology",
                "config",
                "buffer",
                "monitor");
    }

    /// One class of each module that has rooms.
    static final List<Class<?>> MODULES =
            List.of(
                    IbidemException.class,
                    ObjectWriter.class,
                    Driver.class,
                    Node.class,
                    SendPort.class);

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
        return slices().assignedFrom(new ByRoom()).should().beFreeOfCycles().allowEmptyShould(true);
    }

    /// The packages below `link` and `connect` are rooms above them; all others are of one room
    /// with what is below them.
    private static final class ByRoom implements SliceAssignment {
        private static final Pattern ROOM =
                Pattern.compile("org\\.ibidem\\.(link\\.|connect\\.|\\w+).*");

        @Override
        public SliceIdentifier getIdentifierOf(JavaClass type) {
            var room = ROOM.matcher(type.getPackageName());
            return room.matches() ? SliceIdentifier.of(room.group(1)) : SliceIdentifier.ignore();
        }

        @Override
        public String getDescription() {
            return "rooms";
        }
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
