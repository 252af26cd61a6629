package org.ibidem;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaCodeUnit;
import com.tngtech.archunit.core.domain.JavaConstructor;
import com.tngtech.archunit.core.domain.JavaField;
import com.tngtech.archunit.core.domain.JavaMember;
import com.tngtech.archunit.core.domain.JavaModifier;
import java.io.StringWriter;
import java.lang.module.ModuleDescriptor;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.tools.ToolProvider;
import org.ibidem.port.SendPort;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A module of somebody else's that requires this one, and has nothing else on its module path.
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

                        import org.ibidem.port.PortType;
                        import org.ibidem.port.SendPort;
                        import org.ibidem.port.Target;
                        import org.ibidem.registry.Join;
                        import org.ibidem.registry.Node;

                        class Main {
                            static Object connect(Target target) {
                                try (var node = Node.join(Join.fromEnvironment());
                                        var out = SendPort.open(node, PortType.oneToOne(), "out")) {
                                    out.connect(target.node(), target.port());
                                    return out.way(target);
                                }
                            }
                        }
                        """);
        var said = new StringWriter();
        var core = Path.of(location(SendPort.class)).toString();
        var options = List.of("-Xlint:all", "-Werror", "-p", core, "-d", folder.toString());
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
        Set<String> exported;
        var module = Path.of(location(SendPort.class)).resolve("module-info.class");
        try (var in = Files.newInputStream(module)) {
            exported =
                    ModuleDescriptor.read(in).exports().stream()
                            .filter(each -> !each.isQualified())
                            .map(ModuleDescriptor.Exports::source)
                            .collect(Collectors.toSet());
        }
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

    private static URI location(Class<?> of) throws Exception {
        return of.getProtectionDomain().getCodeSource().getLocation().toURI();
    }
}
