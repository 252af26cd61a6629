package org.ibidem.lab.build;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.reflect.Executable;
import java.lang.reflect.Modifier;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.TreeSet;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// What is exported takes functions as method references. One to a method that is overloaded, such
/// as `list::add`, says nothing of its shape (JLS 15.12.2.2, 15.13.1), so no two methods of a name
/// may differ in the kind of function alone.
class MethodReferencesTest {
    private static final Pattern EXPORTS = Pattern.compile("(?m)^ *exports ([\\w.]+);");
    private static final Path TREE = Path.of("..");

    /// What shows that the search finds something.
    static final class Ambiguous {
        public void take(String name, Consumer<String> each) {}

        public void take(String name, BiConsumer<String, String> each) {}

        public void take(int number, Runnable each) {}
    }

    private static Stream<Class<?>> exported() throws IOException {
        var classes = new ArrayList<Class<?>>();
        try (var modules = Files.newDirectoryStream(TREE, "*")) {
            for (var module : modules) {
                var sources = module.resolve(Path.of("src", "main", "java"));
                var info = sources.resolve("module-info.java");
                if (Files.exists(info)) {
                    var exports = EXPORTS.matcher(Files.readString(info));
                    while (exports.find()) {
                        classes.addAll(classes(sources, exports.group(1)));
                    }
                }
            }
        }
        return classes.stream().flatMap(MethodReferencesTest::withNested);
    }

    private static List<Class<?>> classes(Path sources, String exported) throws IOException {
        var classes = new ArrayList<Class<?>>();
        var folder = sources.resolve(exported.replace('.', '/'));
        try (var files = Files.newDirectoryStream(folder, "[A-Z]*.java")) {
            for (var file : files) {
                var name = file.getFileName().toString().replace(".java", "");
                try {
                    var loader = MethodReferencesTest.class.getClassLoader();
                    classes.add(Class.forName(exported + "." + name, false, loader));
                } catch (ClassNotFoundException e) {
                    throw new AssertionError("the laboratory does not depend on " + exported, e);
                }
            }
        }
        return classes;
    }

    private static Stream<Class<?>> withNested(Class<?> type) {
        return Modifier.isPublic(type.getModifiers())
                ? Stream.concat(
                        Stream.of(type),
                        Arrays.stream(type.getDeclaredClasses())
                                .flatMap(MethodReferencesTest::withNested))
                : Stream.empty();
    }

    private static List<String> ambiguous(Class<?> type) {
        var all = new ArrayList<Executable>(List.of(type.getConstructors()));
        Arrays.stream(type.getMethods())
                .filter(each -> each.getDeclaringClass().getName().startsWith("org.ibidem"))
                .filter(each -> !each.isBridge())
                .forEach(all::add);
        var found = new TreeSet<String>();
        for (int i = 0; i < all.size(); i++) {
            for (int j = i + 1; j < all.size(); j++) {
                if (areAmbiguous(all.get(i), all.get(j))) {
                    found.add(type.getName() + ": " + all.get(i).getName());
                }
            }
        }
        return List.copyOf(found);
    }

    private static boolean areAmbiguous(Executable one, Executable other) {
        var first = one.getParameterTypes();
        var second = other.getParameterTypes();
        boolean differ = false;
        if (!one.getName().equals(other.getName()) || first.length != second.length) {
            return false;
        }
        for (int i = 0; i < first.length; i++) {
            if (isFunction(first[i]) && isFunction(second[i])) {
                differ |= !first[i].equals(second[i]);
            } else if (!first[i].isAssignableFrom(second[i])
                    && !second[i].isAssignableFrom(first[i])) {
                return false;
            }
        }
        return differ;
    }

    private static boolean isFunction(Class<?> type) {
        return type.isInterface()
                && Arrays.stream(type.getMethods())
                                .filter(each -> Modifier.isAbstract(each.getModifiers()))
                                .filter(each -> !isOfObject(each.getName()))
                                .count()
                        == 1;
    }

    private static boolean isOfObject(String name) {
        return Arrays.stream(Object.class.getMethods()).anyMatch(of -> of.getName().equals(name));
    }

    @Test
    void no_overloads_differ_in_the_kind_of_function_alone() throws IOException {
        var types = exported().toList();
        assertThat(types).hasSizeGreaterThan(200);
        assertThat(types.stream().flatMap(type -> ambiguous(type).stream())).isEmpty();
    }

    @Test
    void two_that_do_are_found() {
        assertThat(ambiguous(Ambiguous.class))
                .containsExactly(Ambiguous.class.getName() + ": take");
    }
}
