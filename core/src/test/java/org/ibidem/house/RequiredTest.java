package org.ibidem.house;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaCodeUnit;
import com.tngtech.archunit.core.domain.JavaConstructor;
import com.tngtech.archunit.core.domain.JavaField;
import com.tngtech.archunit.core.domain.JavaMember;
import com.tngtech.archunit.core.domain.JavaModifier;
import java.io.File;
import java.io.Serializable;
import java.io.StringWriter;
import java.lang.module.ModuleDescriptor;
import java.lang.module.ModuleFinder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.tools.ToolProvider;
import org.ibidem.IbidemException;
import org.ibidem.link.Driver;
import org.ibidem.port.SendPort;
import org.ibidem.registry.Node;
import org.ibidem.serial.ObjectWriter;
import org.ibidem.topology.NodeId;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A module of somebody else's that requires this one, and has nothing else on its module path but
/// what this one requires.
@Tag("slow")
class RequiredTest {
    @TempDir Path folder;

    @Test
    void a_module_that_requires_core_compiles_with_nothing_else_and_without_a_warning()
            throws Exception {
        var module = file("module-info.java", "module demo { requires org.ibidem.core; }");
        var program =
                file(
                        "Main.java",
"""
                        package demo;

                        import org.ibidem.IbidemException;
                        import org.ibidem.port.PortType;
                        import org.ibidem.link.Driver;
import org.ibidem.port.SendPort;
import org.ibidem.registry.Node;
                        import org.ibidem.port.Target;
                        import org.ibidem.registry.Join;
                        import org.ibidem.registry.Node;
                        import org.ibidem.serial.ObjectPolicy;

                        class Main {
                            static Object connect(Target target) {
                                try (var node = Node.join(Join.fromEnvironment());
                                        var out = SendPort.open(node, PortType.oneToOne(), "out")) {
                                    out.connect(target.node(), target.port());
                                    return out.way(target);
                                } catch (IbidemException e) {
                                    return ObjectPolicy.NOTHING_BUT_VALUES;
                                }
                            }
                        }
""");
        var said = new StringWriter();
        var path =
                RoomsTest.MODULES.stream()
                        .map(each -> RoomsTest.place(each).toString())
                        .collect(Collectors.joining(File.pathSeparator));
        var options = List.of("-Xlint:all", "-Werror", "-p", path, "-d", folder.toString());
        var compiler = ToolProvider.getSystemJavaCompiler();
        try (var files = compiler.getStandardFileManager(null, null, null)) {
            var sources = files.getJavaFileObjects(module, program);
            var task = compiler.getTask(said, files, null, options, null, sources);
            assertThat(task.call()).as(said.toString()).isTrue();
        }
        assertThat(said.toString()).isEmpty();
    }

    /// As javac's lint `exports` has it, which also wants annotations to be exported.
    @Test
    void what_is_exported_names_only_what_is_exported() throws Exception {
        var exported =
                RoomsTest.MODULES.stream()
                        .flatMap(module -> declared(module).exports().stream())
                        .filter(each -> !each.isQualified())
                        .map(ModuleDescriptor.Exports::source)
                        .collect(Collectors.toSet());
        var hidden = new ArrayList<String>();
        for (var type : RoomsTest.CORE) {
            if (seen(type, exported)) {
                for (var member : type.getMembers()) {
                    if (isPublic(member.getModifiers())
                            && !isMadeByNode(member)
                            && !isForHubs(member)) {
                        types(member)
                                .map(JavaClass::getBaseComponentType)
                                .filter(each -> each.getPackageName().startsWith("org.ibidem"))
                                .filter(each -> !seen(each, exported))
                                .forEach(each -> hidden.add(member.getFullName() + ": " + each));
                    }
                }
            }
        }
        assertThat(exported).hasSizeGreaterThan(10);
        assertThat(hidden).isEmpty();
    }

    /// What is parted off can be used alone, and brings nothing.
    @Test
    void each_module_requires_those_below_it_and_the_jdk_alone() {
        assertThat(required(IbidemException.class)).isEmpty();
        assertThat(required(ObjectWriter.class)).containsExactly("org.ibidem.base");
        assertThat(required(Driver.class)).containsExactly("org.ibidem.base");
        assertThat(required(Node.class)).containsExactly("org.ibidem.transport");
        assertThat(required(SendPort.class))
                .containsExactlyInAnyOrder(
                        "org.ibidem.node", "org.ibidem.serial", "org.ibidem.transport");
    }

    /// At run time, without the JDK's own.
    private static List<String> required(Class<?> module) {
        return declared(module).requires().stream()
                .filter(each ->
                        !each.modifiers().contains(ModuleDescriptor.Requires.Modifier.STATIC))
                .map(ModuleDescriptor.Requires::name)
                .filter(name -> !name.startsWith("java.") && !name.startsWith("jdk."))
                .toList();
    }

    private static ModuleDescriptor declared(Class<?> module) {
        var found = ModuleFinder.of(RoomsTest.place(module)).findAll();
        assertThat(found).hasSize(1);
        return found.iterator().next().descriptor();
    }

    /// Whoever sends one names the module that must see inside.
    @Test
    void what_of_core_travels_in_objects_is_open_to_serialization() {
        assertThat(declared(Driver.class).opens())
                .filteredOn(each -> each.source().equals(NodeId.class.getPackageName()))
                .allSatisfy(each -> assertThat(each.targets()).contains("org.ibidem.serial"))
                .hasSize(1);
        for (var type : RoomsTest.CORE) {
            if (type.isRecord() && type.isAssignableTo(Serializable.class)) {
                assertThat(type.getPackageName()).isEqualTo(NodeId.class.getPackageName());
            }
        }
    }

    private static boolean seen(JavaClass type, Set<String> exported) {
        return exported.contains(type.getPackageName())
                && isPublic(type.getModifiers())
                && type.getEnclosingClass().map(outer -> seen(outer, exported)).orElse(true);
    }

    /// `Node` lives in another package than what it makes.
    private static boolean isMadeByNode(JavaMember member) {
        var room = member.getOwner().getPackageName();
        return member instanceof JavaConstructor && room.equals("org.ibidem.registry.coordination");
    }

    /// What only hubs can name.
    private static boolean isForHubs(JavaMember member) {
        return member.getFullName().endsWith(".SealedPath.records()");
    }

    private static boolean isPublic(Set<JavaModifier> modifiers) {
        return modifiers.contains(JavaModifier.PUBLIC)
                || modifiers.contains(JavaModifier.PROTECTED);
    }

    private static Stream<JavaClass> types(JavaMember member) {
        return switch (member) {
            case JavaField field -> Stream.of(field.getRawType());
            case JavaCodeUnit code ->
                    Stream.concat(
                            code.getRawParameterTypes().stream(),
                            Stream.of(code.getRawReturnType()));
            default -> Stream.of();
        };
    }

    private Path file(String name, String text) throws Exception {
        return Files.writeString(folder.resolve(name), text);
    }
}
