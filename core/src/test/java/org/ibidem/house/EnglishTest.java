package org.ibidem.house;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.source.tree.BinaryTree;
import com.sun.source.tree.ExpressionTree;
import com.sun.source.tree.LiteralTree;
import com.sun.source.tree.NewArrayTree;
import com.sun.source.tree.ParenthesizedTree;
import com.sun.source.tree.Tree;
import com.sun.source.util.JavacTask;
import com.sun.source.util.TreeScanner;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/// The help, the settings, and the messages of exceptions and logs make sense to a reader who has
/// read nothing else. What that reader stumbles over most is counted, and no count rises. Counted
/// are all string literals of main sources but `lab`'s: reasons are put together far from where
/// they are thrown or logged.
class EnglishTest {
    /// Stands for what is no literal: a value, which may be a noun.
    private static final String VALUE = "…";

    /// A phrase, what to write instead, and how often it is there.
    enum Phrase {
        WHO(
                "(?:^|[^\\p{L}\\p{N}\\s'\"…}]\\s*|\\b(?:and|or|but|of|to|for|by|from|with|as|than)\\s+)"
                        + "who(?:m|ever)?\\s+\\p{L}+",
                "name the noun before the verb: 'a peer that closes', not 'who closes'",
                0),
        BEHIND(
                "(?<!left )\\bbehind\\b(?! (?:a|an|the|its|one) (?:[\\p{L}']+ )?(?:NAT|firewall|proxy))",
                "write 'after' for time; 'behind' is for firewalls and NATs",
                0),
        NO_MORE("\\b(?:no|any) ?more\\b(?! than\\b)", "write 'no longer', or 'no further'", 0),
        SO_MANY(
                "\\bso (?:many|much|long|often)\\b(?! (?:as|that)\\b)",
                "give the number: 'at most 8', not 'so many'",
                0),
        HE("\\b(?:he|him|his)\\b", "write 'it' for processes and objects", 0);

        private final Pattern pattern;
        private final String instead;
        private final int count;

        Phrase(String regex, String instead, int count) {
            pattern = Pattern.compile(regex, Pattern.CASE_INSENSITIVE);
            this.instead = instead;
            this.count = count;
        }

        boolean isIn(String text) {
            return pattern.matcher(text).find();
        }
    }

    /// A text for people: of one literal, or of all that are put together.
    private record Text(String file, String text) {
        @Override
        public String toString() {
            return file + ": " + text;
        }
    }

    private static final List<Text> TEXTS = new ArrayList<>();

    @BeforeAll
    static void readTheTexts() throws IOException {
        var lab = SourcesTest.TREE.resolve("lab");
        var sources =
                SourcesTest.files(path -> path.toString().endsWith(".java")).stream()
                        .filter(path -> SourcesTest.isMain(path) && !path.startsWith(lab))
                        .toList();
        var compiler = ToolProvider.getSystemJavaCompiler();
        try (var manager = compiler.getStandardFileManager(null, null, null)) {
            var objects = new ArrayList<JavaFileObject>();
            manager.getJavaFileObjectsFromPaths(sources).forEach(objects::add);
            TEXTS.addAll(texts(objects));
        }
    }

    @ParameterizedTest
    @EnumSource
    void no_phrase_is_written_more_often_than_it_was(Phrase phrase) {
        var found = TEXTS.stream().filter(each -> phrase.isIn(each.text)).toList();
        assertThat(found.size())
                .as(
                        "texts with the phrase %s. Are there more, then %s; are there fewer, then"
                                + " lower its number in EnglishTest. They are:%n%s",
                        phrase,
                        phrase.instead,
                        found.stream().map(Text::toString).collect(Collectors.joining("\n")))
                .isEqualTo(phrase.count);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "WHO | who invites has another code",
                "WHO | Whoever reaches the port may join",
                "WHO | it is revoked, and who checks knows it",
                "WHO | the clock of who checks says … later",
                "WHO | Admit only: whom it vouches for",
                "BEHIND | it is sent behind the last message",
                "NO_MORE | the code counts no more",
                "NO_MORE | it is not a member any more",
                "SO_MANY | at most so many connections",
                "SO_MANY | a stream that is idle for so long",
                "HE | the one that dials, and only he, needs an address",
            })
    void a_phrase_is_found(Phrase phrase, String text) {
        assertThat(phrase.isIn(text)).isTrue();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "WHO | a user who can read the file",
                "WHO | node … who starts it",
                "WHO | the whole pool",
                "BEHIND | a node behind a NAT",
                "BEHIND | it is behind the site's firewall",
                "BEHIND | the key is left behind",
                "NO_MORE | no more than 8 connections",
                "NO_MORE | it is no longer valid",
                "SO_MANY | so many that memory ends",
                "HE | the other end",
            })
    void what_only_looks_like_it_is_not_found(Phrase phrase, String text) {
        assertThat(phrase.isIn(text)).isFalse();
    }

    @Test
    void literals_that_belong_together_are_one_text() throws IOException {
        var source =
                """
                @Note(text = {"at most so", "many"})
                class It { // who reads no comment?
                    String it(String n) {
                        throw new Error("it " + n + " counts" + (" no" + " more: ") + it("of " + n));
                    }
                }
                """;
        var file =
                new SimpleJavaFileObject(
                        URI.create("memory:///It.java"), JavaFileObject.Kind.SOURCE) {
                    @Override
                    public CharSequence getCharContent(boolean ignoreEncodingErrors) {
                        return source;
                    }
                };
        assertThat(texts(List.of(file)).stream().map(Text::text))
                .containsExactly("at most so many", "of …", "it … counts no more: …");
    }

    private static List<Text> texts(List<? extends JavaFileObject> sources) throws IOException {
        var compiler = ToolProvider.getSystemJavaCompiler();
        var task = (JavacTask) compiler.getTask(null, null, _ -> {}, null, null, sources);
        var texts = new ArrayList<Text>();
        for (var unit : task.parse()) {
            var file = Path.of(unit.getSourceFile().toUri().getPath()).getFileName().toString();
            new Reader(file, texts).scan(unit, null);
        }
        return texts;
    }

    /// Reads one file and notes its texts.
    private static final class Reader extends TreeScanner<Void, Void> {
        private final String file;
        private final List<Text> texts;

        Reader(String file, List<Text> texts) {
            this.file = file;
            this.texts = texts;
        }

        @Override
        public Void visitLiteral(LiteralTree literal, Void unused) {
            if (literal.getValue() instanceof String text) {
                texts.add(new Text(file, text));
            }
            return null;
        }

        @Override
        public Void visitBinary(BinaryTree sum, Void unused) {
            if (sum.getKind() != Tree.Kind.PLUS) {
                return super.visitBinary(sum, null);
            }
            var text = joined(sum);
            if (!text.equals(VALUE)) {
                texts.add(new Text(file, text));
            }
            return null;
        }

        /// The lines of a description.
        @Override
        public Void visitNewArray(NewArrayTree array, Void unused) {
            var lines = array.getInitializers();
            if (lines == null
                    || lines.isEmpty()
                    || lines.stream().anyMatch(each -> !isText(each))) {
                return super.visitNewArray(array, null);
            }
            texts.add(
                    new Text(
                            file,
                            lines.stream().map(this::joined).collect(Collectors.joining(" "))));
            return null;
        }

        private static boolean isText(ExpressionTree tree) {
            return tree instanceof LiteralTree literal && literal.getValue() instanceof String;
        }

        /// With [#VALUE] for whatever is no literal in a sum of strings; what that says itself is
        /// noted by itself.
        private String joined(ExpressionTree tree) {
            return switch (tree) {
                case LiteralTree literal when literal.getValue() instanceof String text -> text;
                case ParenthesizedTree inside -> joined(inside.getExpression());
                case BinaryTree sum when sum.getKind() == Tree.Kind.PLUS -> {
                    var text = joined(sum.getLeftOperand()) + joined(sum.getRightOperand());
                    yield text.equals(VALUE + VALUE) ? VALUE : text;
                }
                default -> {
                    scan(tree, null);
                    yield VALUE;
                }
            };
        }
    }
}
