package org.ibidem.serial;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.InvalidClassException;
import java.lang.invoke.MethodHandles;
import java.lang.module.ModuleFinder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import javax.tools.ToolProvider;
import org.ibidem.serial.graph.Trip;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Classes of modules that do not open their packages.
class ClosedModuleTest {
    @TempDir Path folder;

    private ClassLoader module(String name, String declaration) throws Exception {
        var sources = Files.createDirectories(folder.resolve(name).resolve("src"));
        Files.writeString(
                sources.resolve("module-info.java"), "module " + name + " { " + declaration + " }");
        Files.createDirectories(sources.resolve("shut"));
        Files.writeString(
                sources.resolve("shut/Pair.java"),
                """
                package shut;
                public record Pair(int one, String other) implements java.io.Serializable {
                    public static java.lang.invoke.MethodHandles.Lookup lookup() {
                        return java.lang.invoke.MethodHandles.lookup();
                    }
                }
                """);
        Files.writeString(
                sources.resolve("shut/Plain.java"),
                """
                package shut;
                public class Plain implements java.io.Serializable {
                    private int one = 1;
                    private final String name;
                    private Plain next;
                    public Plain(String name) { this.name = name; this.next = this; }
                    public String toString() { return name + one + (next == this); }
                }
                """);
        var out = folder.resolve(name).resolve("out");
        int status =
                ToolProvider.getSystemJavaCompiler()
                        .run(
                                null,
                                null,
                                null,
                                "-d",
                                out.toString(),
                                sources.resolve("module-info.java").toString(),
                                sources.resolve("shut/Pair.java").toString(),
                                sources.resolve("shut/Plain.java").toString());
        assertThat(status).isZero();
        var boot = ModuleLayer.boot();
        var configuration =
                boot.configuration().resolve(ModuleFinder.of(out), ModuleFinder.of(), Set.of(name));
        return boot.defineModulesWithOneLoader(configuration, getClass().getClassLoader())
                .findLoader(name);
    }

    private static Object make(ClassLoader loader, String name, Object... arguments)
            throws ReflectiveOperationException {
        return loader.loadClass(name).getConstructors()[0].newInstance(arguments);
    }

    private static Object through(Object graph, ClassLoader loader) throws Exception {
        return Trip.graph(Trip.bytes(graph), Trip.POLICY.loader(loader).allow("shut.*"));
    }

    @Test
    void objects_travel_all_the_same() throws Exception {
        var loader = module("closed", "exports shut;");
        var got = through(make(loader, "shut.Plain", "name"), loader);
        assertThat(got.toString()).isEqualTo("name1true");
    }

    @Test
    void records_are_refused_with_the_line_that_is_missing_or_come_in_by_a_lookup()
            throws Exception {
        var loader = module("records", "exports shut;");
        var pair = make(loader, "shut.Pair", 1, "x");
        assertThatThrownBy(() -> Trip.bytes(pair))
                .isInstanceOf(InvalidClassException.class)
                .hasMessageContaining("module records must say: opens shut to org.ibidem.serial");
        var other = module("granted", "exports shut;");
        var type = other.loadClass("shut.Pair");
        PrivateAccess.grant((MethodHandles.Lookup) type.getMethod("lookup").invoke(null));
        var granted = make(other, "shut.Pair", 1, "x");
        assertThat(through(granted, other)).isEqualTo(granted);
        assertThatThrownBy(() -> PrivateAccess.grant(MethodHandles.publicLookup()))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void what_is_open_is_reached() throws Exception {
        var loader = module("opened", "opens shut;exports shut;");
        var pair = make(loader, "shut.Pair", 1, "x");
        assertThat(through(List.of(pair, pair), loader)).isEqualTo(List.of(pair, pair));
    }
}
