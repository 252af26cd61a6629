package org.ibidem.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;
import org.ibidem.Seeded;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class NotationTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "tcp | tcp",
                "  tcp  | tcp",
                "a>b>c | a > b > c",
                "fragment( size=8k ,x = 1)>tcp | fragment(size=8k, x=1) > tcp",
                "tcp() | tcp",
                "parallel(4) > tcp | parallel(4) > tcp",
                "multi(shm,tcp) | multi(shm, tcp)",
                "multi(shm(), tcp ( )) | multi(shm, tcp)",
                "multi(shm,tls>tcp,fragment(1k)>udp) | multi(shm, tls > tcp, fragment(1k) > udp)",
                "compress>multi(multi(a,b>c),d) | compress > multi(multi(a, b > c), d)",
                "x(path=\"/tmp/a b\", y=\"say \\\"hi\\\" \\\\\") | x(path=\"/tmp/a b\", y=\"say \\\"hi\\\" \\\\\")",
                "x(a=1.5s, b=10%, c=-1, d=h:1/[) | refused",
            })
    void prints_what_it_read_in_one_form(String text, String printed) {
        if (printed.equals("refused")) {
            assertThatThrownBy(() -> Notation.parse(text)).isInstanceOf(NotationException.class);
        } else {
            assertThat(Notation.parse(text)).hasToString(printed);
            assertThat(Notation.parse(printed))
                    .isEqualTo(Notation.parse(text))
                    .hasToString(printed);
        }
    }

    @Test
    void knows_where_every_part_stood() {
        var stack = Notation.parse("fragment(size=8k) > multi(shm, tls > tcp)");
        assertThat(stack.column()).isEqualTo(1);
        assertThat(stack.arguments().getFirst().column()).isEqualTo(10);
        assertThat(stack.arguments().getFirst().term().column()).isEqualTo(15);
        var multi = stack.lower();
        assertThat(multi.column()).isEqualTo(21);
        assertThat(multi.lowers()).extracting(Layer::column).containsExactly(27, 32);
        assertThat(multi.lowers().get(1).lower().column()).isEqualTo(38);
    }

    @Test
    void reads_a_stack_over_several_lowers_as_a_tree() {
        var multi = Notation.parse("multi(shm, fragment(size=8k) > tcp)");
        assertThat(multi.lowers())
                .containsExactly(Notation.parse("shm"), Notation.parse("fragment(size=8k) > tcp"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "`` | 1 | expected the name of a driver, read the end",
                "a > | 4 | expected the name of a driver, read the end",
                "a > > b | 5 | expected the name of a driver, read '>'",
                "a b | 3 | expected '>' or the end, read 'b'",
                "a(x=) | 5 | expected a value, read ')'",
                "a(x=1 | 6 | expected ',' or ')', read the end",
                "a(x=1,) | 7 | expected a value, read ')'",
                "a(x y) | 5 | expected ',' or ')', read 'y'",
                "a(x=\"b) | 5 | this quote is never closed",
                "8k > tcp | 1 | expected the name of a driver, read '8'",
                "multi(a > 3) | 11 | expected the name of a driver, read '3'",
            })
    void says_where_it_stops_making_sense(String text, int column, String reason) {
        var e = catchThrowableOfType(NotationException.class, () -> Notation.parse(text));
        assertThat(e).hasMessageContaining("column " + column + " of '" + text + "'");
        assertThat(e).hasMessageContaining(reason);
        assertThat(e.column()).isEqualTo(column);
    }

    @Test
    void bounds_length_and_depth_before_it_reads() {
        assertThatThrownBy(() -> Notation.parse("a".repeat(1025)))
                .hasMessageContaining("at most 1024 characters, this has 1025");
        assertThatThrownBy(() -> Notation.parse("a(" + "b,".repeat(500) + "b)"))
                .hasMessageContaining("at most 1024 characters, this has 1504 when it is printed");
        var deepest = "a" + " > a".repeat(15);
        assertThat(Notation.parse(deepest)).hasToString(deepest);
        assertThatThrownBy(() -> Notation.parse(deepest + " > a"))
                .isInstanceOf(NotationException.class)
                .hasMessageContaining("at most 16 layers deep");
        assertThatThrownBy(() -> Notation.parse("a(".repeat(17) + ")".repeat(17)))
                .isInstanceOf(NotationException.class)
                .hasMessageContaining("at most 16 layers deep");
    }

    @Test
    void shows_only_the_neighbourhood_of_a_fault_in_a_long_text() {
        var text = "a(" + "x".repeat(200) + "=1, ?" + "y".repeat(200) + ")";
        var e = catchThrowableOfType(NotationException.class, () -> Notation.parse(text));
        assertThat(e.getMessage()).hasSizeLessThan(160).contains("=1, ?");
    }

    @Test
    void every_tree_reads_back_as_it_was_printed() {
        Seeded.times(
                2_000,
                random -> {
                    var tree = layer(random, 4);
                    if (tree.toString().length() <= Notation.LONGEST) {
                        assertThat(Notation.parse(tree.toString())).isEqualTo(tree);
                    }
                });
    }

    @Test
    void nothing_but_a_notation_exception_comes_of_any_text() {
        var alphabet = "ab1 ()>,=\"\\k.%-";
        Seeded.times(
                5_000,
                random -> {
                    var text = new StringBuilder();
                    for (int i = random.nextInt(40); i > 0; i--) {
                        text.append(alphabet.charAt(random.nextInt(alphabet.length())));
                    }
                    try {
                        var read = Notation.parse(text.toString());
                        assertThat(Notation.parse(read.toString())).isEqualTo(read);
                    } catch (NotationException e) {
                        assertThat(e.column()).isBetween(1, text.length() + 1);
                    }
                });
    }

    @ParameterizedTest
    @ValueSource(strings = {"two words", "a\"b", "a\\b", "", "ü", "a,b", "a>b", "(", "a\nb", "8k"})
    void quotes_a_value_only_where_it_must(String text) {
        var layer = new Layer("x", List.of(Argument.of("v", text)), null, 0);
        var read = (Value) Notation.parse(layer.toString()).arguments().getFirst().term();
        assertThat(read.text()).isEqualTo(text);
        assertThat(read.quoted()).isEqualTo(!text.equals("8k"));
    }

    private static Layer layer(RandomGenerator random, int depth) {
        var arguments = new ArrayList<Argument>();
        for (int i = random.nextInt(4); i > 0; i--) {
            boolean stack = depth > 1 && random.nextInt(3) == 0;
            var key = stack || random.nextBoolean() ? "" : word(random, "abcxyz_-");
            var term =
                    stack ? tall(random, depth - 1) : Value.of(word(random, "abz09.%+- \"\\>,()"));
            arguments.add(new Argument(key, term, 0));
        }
        var lower = depth > 1 && random.nextBoolean() ? layer(random, depth - 1) : null;
        return new Layer(word(random, "abcxyz_-"), arguments, lower, 0);
    }

    /// A layer that cannot be taken for a bare word.
    private static Layer tall(RandomGenerator random, int depth) {
        var layer = layer(random, depth);
        boolean bare = layer.arguments().isEmpty() && layer.lower() == null;
        return bare ? new Layer(layer.name(), List.of(Argument.of("k", "v")), null, 0) : layer;
    }

    private static String word(RandomGenerator random, String alphabet) {
        var word = new StringBuilder("a");
        for (int i = random.nextInt(6); i > 0; i--) {
            word.append(alphabet.charAt(random.nextInt(alphabet.length())));
        }
        return word.toString();
    }
}
