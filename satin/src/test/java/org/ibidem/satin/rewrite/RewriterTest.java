package org.ibidem.satin.rewrite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.entry;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/// A rewritten program gives what it gives as compiled, whatever the shape of its calls; what the
/// rewriter leaves alone it says, and what would be wrong it refuses.
@Tag("slow")
class RewriterTest {
    @TempDir Path folder;

    private Map<String, byte[]> rewritten(Compiled program, String type, List<String> left)
            throws IOException {
        var rewriter = new Rewriter(program::file, Returns.METHOD, left::add);
        return rewriter.rewrite(Files.readAllBytes(program.folder().resolve(type + ".class")));
    }

    static Stream<Arguments> shapes() throws IOException {
        try (var in = RewriterTest.class.getResourceAsStream("/satin/shapes.txt")) {
            var text = new String(in.readAllBytes(), StandardCharsets.UTF_8);
            return Stream.of(text.split("(?m)^## ", -1)).skip(1).map(RewriterTest::shape);
        }
    }

    private static Arguments shape(String text) {
        var lines = text.split("\n", 2);
        var head = lines[0].split(" ", 2);
        return Arguments.of(head[1], lines[1], Integer.parseInt(head[0]));
    }

    @ParameterizedTest(name = "{0}")
    @Tag("slow")
    @MethodSource("shapes")
    void gives_what_the_compiled_program_gives(String name, String body, int spawned)
            throws Exception {
        var program = Compiled.of(folder, Shapes.of(body));
        assertThat(program.parallel()).isEqualTo(program.sequential());
        int classes = rewritten(program, "Shape", new ArrayList<>()).size();
        assertThat(classes).isEqualTo(spawned == 0 ? 0 : spawned + 1);
    }

    @Test
    void puts_results_into_fields_private_and_static_ones_too() throws Exception {
        var program =
                Compiled.of(
                        folder,
                        Shapes.of(
                                "private long one; static int two; private static String three;"
                                        + " Shape other;",
                                "other = new Shape(); one = fib(9); two = twice(4); three ="
                                        + " text(\"s\", 1); other.one = fib(10); sync(); return one +"
                                        + " two + three + other.one;"));
        assertThat(program.parallel()).isEqualTo(program.sequential());
    }

    @Test
    void a_lambda_and_a_default_method_spawn() throws Exception {
        var program =
                Compiled.of(
                        folder,
                        Shapes.of(
                                "interface Twice extends Marked { default long both(int n) { long x"
                                        + " = fib(n); long y = fib(n + 1); ((SatinObject) this).sync();"
                                        + " return x + y; } } static class Doer extends Base implements"
                                        + " Twice { }",
                                "java.util.function.IntToLongFunction f = n -> { long x = fib(n);"
                                        + " long y = fib(n + 1); sync(); return x + y; }; return"
                                        + " f.applyAsLong(9) + new Doer().both(8);"));
        assertThat(program.parallel()).isEqualTo(program.sequential());
        assertThat(rewritten(program, "Shape$Twice", new ArrayList<>())).hasSize(3);
        assertThat(rewritten(program, "Shape", new ArrayList<>())).hasSize(3);
    }

    @Test
    void a_generic_method_is_spawned() throws Exception {
        var program =
                Compiled.of(
                        folder,
                        Shapes.of(
                                "interface Generic<T> extends Spawnable { T same(T t); } static"
                                        + " class Own extends SatinObject implements Generic<String> {"
                                        + " public String same(String s) { return s + s; } String"
                                        + " both() { String x = same(\"a\"); String y = same(\"b\");"
                                        + " sync(); return x + y; } }",
                                "Generic<String> g = new Own(); String x = g.same(\"c\"); sync();"
                                        + " return x + new Own().both();"));
        assertThat(program.parallel()).isEqualTo("ccaabb").isEqualTo(program.sequential());
        assertThat(rewritten(program, "Shape$Own", new ArrayList<>())).hasSize(3);
    }

    @Test
    void what_a_spawned_call_throws_leaves_its_spawner() throws Exception {
        var program =
                Compiled.of(
                        folder,
                        Shapes.of(
                                "public int twice(int n) { if (n > 2) throw new"
                                        + " IllegalArgumentException(\"\" + n); return n; } int sum() {"
                                        + " int[] a = new int[6]; for (int i = 0; i < 6; i++) a[i] ="
                                        + " twice(i); sync(); return a[0]; }",
                                "try { return sum(); } catch (IllegalArgumentException e) { return"
                                        + " e.getMessage(); }"));
        assertThat(program.parallel()).isEqualTo("3").isEqualTo(program.sequential());
    }

    @Test
    void says_which_calls_are_not_spawned_with_line_and_reason() throws Exception {
        var program =
                Compiled.of(
                        folder,
                        Shapes.of(
                                """

                                long x = 0;
                                try { x = fib(9); } finally { x++; }
                                return x + fib(3);\
                                """));
        var left = new ArrayList<String>();
        rewritten(program, "Shape", left);
        assertThat(left)
                .hasSize(2)
                .allMatch(text -> text.startsWith("Shape.go, line 4"))
                .anyMatch(text -> text.contains("call of fib is not spawned: it is inside a try"))
                .anyMatch(text -> text.contains("its result is used at once"));
    }

    @Test
    void refuses_a_sync_that_would_catch_what_was_spawned_outside() throws Exception {
        var program =
                Compiled.of(
                        folder,
                        Shapes.of(
                                """
                                long x = fib(9);
                                try { sync(); } catch (RuntimeException e) { x = 1; }
                                return x;\
                                """));
        assertThatThrownBy(program::parallel)
                .isInstanceOf(Refused.class)
                .hasMessageStartingWith("Shape.go, line ")
                .hasMessageContaining("sync before it");
    }

    @Test
    void refuses_a_variable_that_is_assigned_while_it_waits_on_some_ways() throws Exception {
        var program =
                Compiled.of(
                        folder,
                        Shapes.of(
                                """
                                long x = fib(9);
                                if (hashCode() == 7) { x = 3; }
                                sync();
                                return x;\
                                """));
        assertThatThrownBy(program::parallel)
                .isInstanceOf(Refused.class)
                .hasMessageContaining("use another variable");
    }

    @Test
    void abort_gives_up_what_has_not_ended() throws Exception {
        var program =
                Compiled.of(
                        folder,
                        Shapes.of(
                                "static volatile boolean found; public int twice(int n) { if (n =="
                                        + " 6) { found = true; throw new Found(n); } int[] a = new"
                                        + " int[1]; while (!found || n == 0) { a[0] = odd(1); sync(); }"
                                        + " return n; }",
                                "int best = -1; int[] a = new int[7]; for (int i = 0; i < 7; i++) {"
                                        + " try { a[i] = twice(i); } catch (Found f) { best = f.value;"
                                        + " abort(); } } sync(); return best;"));
        assertThat(program.parallel()).isEqualTo(6);
    }

    @Test
    void a_return_ends_the_inlet_only_where_that_is_set() throws Exception {
        var program =
                Compiled.of(
                        folder,
                        Shapes.of(
                                "double last(int[] sum) { for (int i = 0; i < 6; i++) { try {"
                                        + " odd(i); } catch (Found f) { sum[0] += f.value; return 0.5;"
                                        + " } } sync(); return 1.5; }",
                                "int[] sum = new int[1]; double d = last(sum); return sum[0] + \""
                                        + " \" + d;"));
        assertThat(program.sequential()).isEqualTo("0 0.5");
        assertThat(program.parallel()).asString().endsWith(" 0.5");
        assertThat(program.parallel(Returns.INLET)).isEqualTo("6 1.5");
    }

    @Test
    void an_inlet_that_ends_alone_goes_back_to_a_sync_in_its_own_try() throws Exception {
        var program =
                Compiled.of(
                        folder,
                        Shapes.of(
                                "String said = \"\"; void find() { int at = -1;"
                                        + " try { twice(1); odd(4); odd(5); sync(); }"
                                        + " catch (Found f) { abort(); at = f.value; return; }"
                                        + " said = \"at \" + at; }",
                                "find(); return said;"));
        assertThat(program.sequential()).isEqualTo("").isEqualTo(program.parallel());
        assertThat(program.parallel(Returns.INLET)).isEqualTo("at 4");
    }

    @Test
    void a_variable_keeps_what_it_held_when_its_call_fails() throws Exception {
        var program =
                Compiled.of(
                        folder,
                        Shapes.of(
                                "public String text(String s, int n) { if (n == 4) throw new"
                                        + " Found(n); return s + n; } public long fib(int n) { return"
                                        + " odd(n); } String strings(String s, int n) { try { s ="
                                        + " text(\"t\", n); } catch (Found f) { } sync(); return s; }",
                                "long l = 1L << 40; String s = new String(\"had\"); int x = -1; for"
                                        + " (int i = 3; i < 5; i++) { try { l = fib(i); } catch (Found"
                                        + " f) { } try { s = text(\"t\", i); } catch (Found f) { }"
                                        + " sync(); try { x = odd(i); sync(); } catch (Found f) { } }"
                                        + " return l + s + x + strings(\"a\", 3) + strings(\"b\","
                                        + " 4);"));
        assertThat(program.sequential()).isEqualTo("3t33t3b");
        assertThat(program.parallel()).isEqualTo("3t33t3b");
        assertThat(rewritten(program, "Shape", new ArrayList<>())).hasSize(5);
    }

    @Test
    void leaves_a_call_whose_variable_held_something_of_a_class_it_does_not_know()
            throws Exception {
        var program =
                Compiled.of(
                        folder,
                        Shapes.of(
                                "public String text(String s, int n) { throw new Found(n); }",
                                "Object o = List.of(); try { o = text(\"t\", 4); } catch (Found f)"
                                        + " { } sync(); return o;"));
        var left = new ArrayList<String>();
        assertThat(rewritten(program, "Shape", left)).isEmpty();
        assertThat(left).singleElement().asString().contains("held before might have to stay");
        assertThat(program.parallel()).isEqualTo(List.of());
    }

    @Test
    void a_program_finds_out_whether_satin_is_there() throws Exception {
        var program =
                Compiled.of(
                        folder,
                        Shapes.of(
                                "ibis.satin.impl.Satin.pause(); ibis.satin.impl.Satin.resume();"
                                        + " return ibis.satin.impl.Satin.getSatin() != null;"));
        assertThat(program.sequential()).isEqualTo(false);
        assertThat(program.parallel()).isEqualTo(true);
    }

    private static final String SHARED =
            """
            interface Adds extends WriteMethodsInterface {
                int add(int by, long more);
                void set(Object to);
                default boolean isMuch() { return false; }
            }
            static class Base extends SharedObject implements Adds {
                long sum;
                Object last;
                public int add(int by, long more) { sum += by + more; return (int) sum; }
                public synchronized void set(Object to) {
                    if (to == null) { throw new IllegalArgumentException("nothing"); }
                    last = to;
                }
                public int get() { return (int) sum; }
            }
            static class Twice extends Base {
                public int add(int by, long more) { super.add(by, more); return super.add(by, more); }
                public boolean isMuch() { return sum > 10; }
            }
            """;

    @Test
    void write_methods_give_and_throw_what_they_did() throws Exception {
        var program =
                Compiled.of(
                        folder,
                        Shapes.of(
                                SHARED,
                                "Base one = new Base(); Adds other = new Twice(); String all ="
                                        + " \"\"; all += one.add(1, 2L) + \" \" + other.add(3, 4L) + \""
                                        + " \" + other.isMuch(); one.set(\"x\"); all += one.last; try {"
                                        + " other.set(null); } catch (IllegalArgumentException e) { all"
                                        + " += e.getMessage(); } return all + one.get();"));
        var made = rewritten(program, "Shape$Base", new ArrayList<>());
        assertThat(made.keySet())
                .containsExactlyInAnyOrder(
                        "Shape$Base", "Shape$Base$$Write1", "Shape$Base$$Write2");
        assertThat(rewritten(program, "Shape$Twice", new ArrayList<>())).hasSize(3);
        assertThat(program.sequential()).isEqualTo("3 14 truexnothing3");
        assertThat(program.parallel()).isEqualTo("3 14 truexnothing3");
    }

    @Test
    void rewritten_ahead_a_program_runs_without_workers_and_with_them() throws Exception {
        var program =
                Compiled.of(
                        folder,
                        Shapes.of(
                                "long x = fib(15); int y = 0; try { y = odd(4); } catch (Found f) {"
                                        + " y = 7; } sync(); return x + y;"));
        try (var ahead = new Ahead(List.of(program.folder()), List.of(), Returns.METHOD)) {
            assertThat(ahead.rewrite(what -> {})).containsOnly(entry("Base", 2), entry("Shape", 2));
            assertThat(ahead.rewrite(what -> {})).isEmpty();
        }
        assertThat(program.folder().resolve("Shape$$Spawn1.class")).exists();
        assertThat(program.sequential()).isEqualTo(617L).isEqualTo(program.parallel());
    }

    @Test
    void a_result_in_the_slot_of_another_one_spares_what_a_catch_block_assigns() throws Exception {
        var program =
                Compiled.of(
                        folder,
                        Shapes.of(
                                "{ int one = odd(3); } int two; try { two = odd(4); } catch (Found"
                                        + " f) { two = 77; } sync(); return two;"));
        assertThat(program.parallel()).isEqualTo(77).isEqualTo(program.sequential());
    }

    @Test
    void what_a_catch_block_throws_names_its_line() throws Exception {
        var program =
                Compiled.of(
                        folder,
                        Shapes.of(
                                """
                                int line(int n) {
                                    int x = 0;
                                    try { x = odd(n); } catch (Found f) {
                                        for (int i = 0;
                                            i < 3;
                                            i++) { if (i == 2) {
                                                throw new IllegalStateException(); } }
                                    }
                                    sync();
                                    return x;
                                }
                                """,
                                "try { return line(4); } catch (IllegalStateException e) {"
                                        + " return e.getStackTrace()[0].getLineNumber(); }"));
        assertThat(program.parallel()).isInstanceOf(Integer.class).isEqualTo(program.sequential());
    }

    @Test
    void leaves_a_call_in_a_try_whose_sync_is_inside_an_expression() throws Exception {
        var program =
                Compiled.of(
                        folder,
                        Shapes.of(
                                "long x = 0; try { x = odd(4); } catch (Found f) { x = f.value; }"
                                        + " String s = \"n\" + hashCode() * 0 + switch (hashCode() * 0)"
                                        + " { default -> { sync(); yield 5; } }; return s + x;"));
        var left = new ArrayList<String>();
        assertThat(rewritten(program, "Shape", left)).isEmpty();
        assertThat(left).singleElement().asString().contains("its sync is inside an expression");
        assertThat(program.parallel()).isEqualTo("n054").isEqualTo(program.sequential());
    }

    @Test
    void leaves_a_call_in_a_try_with_resources_unless_it_is_synced_there() throws Exception {
        var program =
                Compiled.of(
                        folder,
                        Shapes.of(
                                "static volatile boolean open; static class Opened implements"
                                        + " AutoCloseable { Opened() { open = true; } public void"
                                        + " close() { open = false; } } public boolean isEven(int n) {"
                                        + " return open; }",
                                "boolean one = false; boolean two = false; try (Opened o = new"
                                        + " Opened()) { one = isEven(1); } sync(); try (Opened o = new"
                                        + " Opened()) { two = isEven(2); sync(); } return one + \" \" +"
                                        + " two;"));
        var left = new ArrayList<String>();
        assertThat(rewritten(program, "Shape", left)).hasSize(2);
        assertThat(left).singleElement().asString().contains("try with resources");
        assertThat(program.parallel()).isEqualTo("true true").isEqualTo(program.sequential());
    }

    @Test
    void leaves_classes_alone_in_which_nothing_is_spawned() throws Exception {
        var program = Compiled.of(folder, Shapes.of("return 1;"));
        assertThat(rewritten(program, "Shape", new ArrayList<>())).isEmpty();
    }
}
