package org.ibidem.satin.rewrite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.lang.classfile.ClassFile;
import java.lang.classfile.instruction.DiscontinuedInstruction.JsrInstruction;
import java.lang.classfile.instruction.DiscontinuedInstruction.RetInstruction;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// What is left alone, refused, or should have a sync is said with class, method and line.
@Tag("slow")
class BadShapesTest {
    @TempDir Path folder;

    private final List<String> left = new ArrayList<>();
    private final List<String> missing = new ArrayList<>();

    private Map<String, byte[]> rewritten(Compiled program) throws IOException {
        return rewriter(program)
                .rewrite(Files.readAllBytes(program.folder().resolve("Shape.class")));
    }

    private Rewriter rewriter(Compiled program) {
        return new Rewriter(program::file, Returns.METHOD, left::add, missing::add);
    }

    /// The line of a source with this mark.
    private static int line(String text, String mark) {
        return 1 + text.substring(0, text.indexOf(mark)).split("\n", -1).length - 1;
    }

    @Test
    void constructors_and_initializers_call_and_do_not_spawn() throws Exception {
        var text =
                Shapes.of(
                        """
                        static final long ONE;
                        static {
                            Shape shape = new Shape(7);
                            ONE = shape.fib(9); /* static */
                            shape.sync();
                        }
                        long two = fib(8); /* member */
                        final long three;
                        { two += 1; }
                        Shape() {
                            this(5);
                        }
                        Shape(int n) {
                            long x = fib(n); /* constructor */
                            sync();
                            three = x;
                        }
                        """,
                        "long x = fib(10); sync(); return ONE + \" \" + two + \" \" + three + \" \" + x;");
        var program = Compiled.of(folder, text);
        assertThat(program.parallel()).isEqualTo("34 22 5 55").isEqualTo(program.sequential());
        assertThat(rewritten(program)).hasSize(2);
        var why =
                ": the call of fib is not spawned: it is in a constructor or a static initializer";
        assertThat(left)
                .containsExactlyInAnyOrder(
                        "Shape.<init>, line " + line(text, "/* member */") + why,
                        "Shape.<init>, line " + line(text, "/* constructor */") + why,
                        "Shape.<clinit>, line " + line(text, "/* static */") + why);
    }

    @Test
    void a_lambda_and_a_generic_method_are_named_where_they_are_left_alone() throws Exception {
        var text =
                Shapes.of(
                        """
                        interface Gives extends Spawnable { <T> T same(T t); }
                        static class Giver extends SatinObject implements Gives {
                            public <T> T same(T t) { return t; }
                        }
                        """,
                        """
                        Gives g = new Giver();
                        String s = g.same("spawned");
                        java.util.function.IntToLongFunction f = n -> {
                            try {
                                long x = fib(n); /* lambda */
                                sync();
                                return x;
                            } finally { hashCode(); }
                        };
                        int length = g.same("used").length(); /* generic */
                        sync();
                        return s + length + f.applyAsLong(9);
                        """);
        var program = Compiled.of(folder, text);
        assertThat(program.parallel()).isEqualTo("spawned434").isEqualTo(program.sequential());
        assertThat(rewritten(program)).hasSize(2);
        assertThat(left)
                .containsExactlyInAnyOrder(
                        "Shape.go, line "
                                + line(text, "/* generic */")
                                + ": the call of same is not spawned: its result is used at once, and not"
                                + " put anywhere",
                        "Shape.lambda$go$0, line "
                                + line(text, "/* lambda */")
                                + ": the call of fib is not spawned: it is inside a try with finally, or"
                                + " synchronized");
    }

    private static final String UNSYNCED =
            """
            long x = fib(5);
            long y = x + 1; /* variable */
            sum = fib(6);
            other = fib(7);
            long early = sum; /* field */
            sync();
            all = fib(3);
            y += all; /* static */
            sync();
            long[] a = new long[2];
            int[] b = {1};
            a[0] = fib(8);
            y += b[0] + a[0]; /* element */
            sync();
            y += a[0] + sum;
            a[1] = fib(9);
            return y + early; /* return */
            """;

    @Test
    void says_in_debug_mode_where_a_sync_is_missing() throws Exception {
        var text = Shapes.of("long sum; static long all; long other;", UNSYNCED);
        var program = Compiled.of(folder, text);
        assertThat(rewritten(program)).hasSize(7);
        var waits = " is read that waits for the result of fib in line ";
        assertThat(missing)
                .containsExactly(
                        "Shape.go, line "
                                + line(text, "/* variable */")
                                + ": there is no sync before a variable is read that waits for a result;"
                                + " one is put in",
                        "Shape.go, line "
                                + line(text, "/* field */")
                                + ": there is no sync before the field sum"
                                + waits
                                + line(text, "sum = fib(6)")
                                + "; it has not come",
                        "Shape.go, line "
                                + line(text, "/* static */")
                                + ": there is no sync before the field all"
                                + waits
                                + line(text, "all = fib(3)")
                                + "; it has not come",
                        "Shape.go, line "
                                + line(text, "/* element */")
                                + ": there is no sync before an element is read that may wait for the"
                                + " result of fib in line "
                                + line(text, "a[0] = fib(8)")
                                + "; it has not come",
                        "Shape.go, line "
                                + line(text, "/* return */")
                                + ": there is no sync before this return, and there are spawned calls;"
                                + " one is put in");
        // What it says of fields and elements is so: 6 + 1 + 21 + 8, where sequentially it is more.
        assertThat(program.parallel()).isEqualTo(36L);
        assertThat(program.sequential()).isEqualTo(67L);
    }

    @Test
    void says_nothing_of_a_program_with_all_its_syncs() throws Exception {
        var program =
                Compiled.of(
                        folder,
                        Shapes.of(
                                "long sum;",
                                "long[] a = {fib(5)}; sum = fib(6); long x = fib(7); sync();"
                                        + " long y = a[0] + sum + x; a[0] = fib(3); sync(); return y;"));
        assertThat(rewritten(program)).hasSize(5);
        assertThat(missing).isEmpty();
    }

    /// A method with a subroutine, as compilers made them for `finally`, that spawns in there.
    private static byte[] withSubroutine(int version, String called) {
        var above = ClassDesc.of("Shape");
        var noMaps = ClassFile.of(ClassFile.StackMapsOption.DROP_STACK_MAPS);
        return noMaps.build(
                ClassDesc.of("Old"),
                type ->
                        type.withVersion(version, 0)
                                .withSuperclass(above)
                                .withMethodBody(
                                        "go",
                                        MethodTypeDesc.of(ConstantDescs.CD_long),
                                        ClassFile.ACC_PUBLIC,
                                        code -> {
                                            var routine = code.newLabel();
                                            code.lconst_0().lstore(1);
                                            code.with(JsrInstruction.of(routine))
                                                    .lload(1)
                                                    .lreturn();
                                            code.labelBinding(routine).astore(3).aload(0).bipush(9);
                                            code.invokevirtual(
                                                    above,
                                                    called,
                                                    MethodTypeDesc.of(
                                                            ConstantDescs.CD_long,
                                                            ConstantDescs.CD_int));
                                            code.lstore(1).with(RetInstruction.of(3));
                                        }));
    }

    @ParameterizedTest
    @ValueSource(ints = {45, 48, 49, 50})
    void a_class_file_older_than_stack_maps_is_refused_by_name_where_it_spawns(int version)
            throws Exception {
        var program =
                Compiled.of(folder, Shapes.of("long plain(int n) { return n; }", "return 1;"));
        var rewriter = rewriter(program);
        var wrong =
                version < 50 ? withSubroutine(version, "fib") : aged(program.file("Base"), version);
        assertThatThrownBy(() -> rewriter.rewrite(wrong))
                .isInstanceOf(Refused.class)
                .hasMessage(
                        (version < 50 ? "Old" : "Base")
                                + " is a class file of version "
                                + version
                                + ": compile it for Java 7 or newer (51)");
        assertThat(rewriter.rewrite(withSubroutine(version, "plain"))).isEmpty();
    }

    private static byte[] aged(byte[] file, int version) {
        var aged = file.clone();
        aged[7] = (byte) version;
        return aged;
    }
}
