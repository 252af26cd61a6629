package org.ibidem.satin.rewrite;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.classfile.ClassFile;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// All shapes at once, as compilers of several years make them: the verifier finds nothing, and
/// they give what they give as compiled. By the newest compiler one by one: [RewriterTest].
@Tag("slow")
class CorpusTest {
    @TempDir Path folder;

    /// One of the shapes.
    ///
    /// @param spawned how many of its calls are
    private record Shape(String body, int spawned) {}

    private static List<Shape> shapes() throws IOException {
        return RewriterTest.shapes()
                .map(shape -> new Shape((String) shape.get()[1], (int) shape.get()[2]))
                .toList();
    }

    @ParameterizedTest
    @ValueSource(strings = {"8", "11", "17", "21"})
    void is_verified_and_gives_what_it_gives_as_compiled(String release) throws Exception {
        var shapes = shapes();
        var text = Shapes.all(shapes.stream().map(Shape::body).toList());
        var program = Compiled.of(folder, text, "--release", release);
        var rewriter = new Rewriter(program::file, Returns.METHOD, _ -> {});
        var made = new LinkedHashMap<String, byte[]>();
        var wrong = new ArrayList<String>();
        for (int i = 0; i <= shapes.size(); i++) {
            var name = i == 0 ? "Base" : "Shape" + i;
            var all = rewriter.rewrite(program.file(name));
            int spawned = i == 0 ? 2 : shapes.get(i - 1).spawned();
            if (all.size() != (spawned == 0 ? 0 : spawned + 1)) {
                wrong.add(name + " has " + all.keySet() + ", and spawns " + spawned);
            }
            made.putAll(all);
        }
        var classes = new Classes(name -> made.getOrDefault(name, program.file(name)));
        var files = ClassFile.of(ClassFile.ClassHierarchyResolverOption.of(classes.resolver()));
        made.forEach((name, bytes) ->
                files.verify(bytes).forEach(error -> wrong.add(name + ": " + error)));
        assertThat(wrong).isEmpty();
        var sequential = program.sequential();
        assertThat(sequential).asInstanceOf(InstanceOfAssertFactories.LIST).hasSameSizeAs(shapes);
        assertThat(program.parallel()).isEqualTo(sequential);
    }
}
