package org.ibidem.hub.journal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class JournalTest {
    private static final byte[] STATE = bytes("the state");

    @TempDir Path temporary;

    @Test
    void what_was_appended_is_read_again_after_the_image_in_order() throws Exception {
        try (var journal = begun()) {
            journal.append(List.of(bytes("one"), bytes("two")));
            journal.append(List.of(bytes(""), bytes("four")));
        }
        var opened = Journal.open(folder());
        assertThat(opened.image()).isEqualTo(STATE);
        assertThat(texts(opened)).containsExactly("one", "two", "", "four");
        assertThat(opened.torn()).isZero();
        opened.journal().close();
    }

    @Test
    void nothing_is_there_at_first_and_the_folder_is_made_for_its_owner_alone() throws Exception {
        var opened = Journal.open(folder());
        assertThat(opened.image()).isEmpty();
        assertThat(opened.commands()).isEmpty();
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(folder())))
                .isEqualTo("rwx------");
        assertThatThrownBy(() -> opened.journal().append(List.of(bytes("x"))))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("is not begun");
        opened.journal().close();
    }

    /// Whoever may write to it could put links in the place of its files.
    @Test
    void a_folder_that_others_may_write_to_is_refused_and_no_link_in_it_followed()
            throws Exception {
        Files.createDirectory(folder());
        Files.setPosixFilePermissions(folder(), PosixFilePermissions.fromString("rwxrwxrwx"));
        assertThatThrownBy(() -> Journal.open(folder()))
                .isInstanceOf(BadState.class)
                .hasMessageContaining("others may write to it; run: chmod go-w " + folder());
        Files.setPosixFilePermissions(folder(), PosixFilePermissions.fromString("rwxr-xr-x"));
        var victim = Files.writeString(temporary.resolve("victim"), "text");
        var lock = Files.createSymbolicLink(folder().resolve("lock"), victim);
        assertThatThrownBy(() -> Journal.open(folder())).isInstanceOf(BadState.class);
        assertThat(victim).hasContent("text");
        Files.delete(lock);
        begun().close();
        try (var made = Files.list(folder())) {
            assertThat(made).allSatisfy(file -> assertThat(mode(file)).isEqualTo("rw-------"));
        }
    }

    private static String mode(Path file) throws IOException {
        return PosixFilePermissions.toString(Files.getPosixFilePermissions(file));
    }

    @Test
    void a_file_begun_anew_replaces_the_one_before() throws Exception {
        try (var journal = begun()) {
            journal.append(List.of(bytes("old")));
            journal.begin(bytes("newer"));
            journal.append(List.of(bytes("new")));
            assertThat(journal.grown()).isPositive().isLessThan(journal.image() + 10);
        }
        assertThat(files()).containsExactly("journal-2", "lock");
        var opened = Journal.open(folder());
        assertThat(opened.image()).isEqualTo(bytes("newer"));
        assertThat(texts(opened)).containsExactly("new");
        opened.journal().close();
    }

    @Test
    void cut_anywhere_in_its_last_unit_it_goes_on_from_the_one_before() throws Exception {
        try (var journal = begun()) {
            journal.append(List.of(bytes("first")));
            journal.append(List.of(bytes("second"), bytes("third")));
        }
        var whole = Files.readAllBytes(file());
        int last = "second".length() + "third".length() + 8 + Unit.HEADER_BYTES;
        for (int cut = 1; cut <= last; cut++) {
            Files.write(file(), Arrays.copyOf(whole, whole.length - cut));
            var opened = Journal.open(folder());
            assertThat(texts(opened)).as("cut by %d bytes", cut).containsExactly("first");
            assertThat(opened.torn()).isEqualTo(last - cut);
            opened.journal().close();
        }
    }

    @Test
    void a_last_unit_of_which_only_some_blocks_were_written_is_left_out() throws Exception {
        try (var journal = begun()) {
            journal.append(List.of(bytes("first")));
            journal.append(List.of(new byte[9_000]));
        }
        var torn = Files.readAllBytes(file());
        Arrays.fill(torn, torn.length - 8_000, torn.length - 4_000, (byte) 1);
        Files.write(file(), torn);
        var opened = Journal.open(folder());
        assertThat(texts(opened)).containsExactly("first");
        opened.journal().close();
    }

    @Test
    void a_flipped_bit_anywhere_before_the_last_unit_is_named_with_its_place() throws Exception {
        try (var journal = begun()) {
            for (int i = 0; i < 4; i++) {
                journal.append(List.of(bytes("command " + i)));
            }
        }
        var whole = Files.readAllBytes(file());
        int last = whole.length - "command 3".length() - 4 - Unit.HEADER_BYTES;
        for (int at = 0; at < last; at++) {
            var damaged = whole.clone();
            damaged[at] ^= (byte) (1 << (at % 8));
            Files.write(file(), damaged);
            assertThatThrownBy(() -> Journal.open(folder()).journal().close())
                    .as("flipped in byte %d", at)
                    .isInstanceOf(BadState.class)
                    .hasMessageContaining(file().toString())
                    .hasMessageMatching("(?s).*(is damaged at byte \\d+|is written in version).*");
        }
    }

    @Test
    void a_journal_of_another_version_is_left_to_the_hub_that_wrote_it() throws Exception {
        begun().close();
        var other = Files.readAllBytes(file());
        other[8] = 3;
        Files.write(file(), other);
        assertThatThrownBy(() -> Journal.open(folder()))
                .isInstanceOf(BadState.class)
                .hasMessageContaining("version 3, this hub reads version 2");
    }

    @Test
    void units_of_another_file_are_none_of_this_one() throws Exception {
        try (var journal = begun()) {
            journal.append(List.of(bytes("of the first file")));
        }
        var first = Files.readAllBytes(file());
        try (var journal = Journal.open(folder()).journal()) {
            journal.begin(STATE);
        }
        var second = Files.readAllBytes(folder().resolve("journal-2"));
        var mixed = Arrays.copyOf(second, first.length);
        System.arraycopy(first, second.length, mixed, second.length, first.length - second.length);
        Files.write(folder().resolve("journal-2"), mixed);
        var opened = Journal.open(folder());
        assertThat(opened.commands()).isEmpty();
        opened.journal().close();
    }

    @Test
    void two_hubs_cannot_use_one_folder() throws Exception {
        var first = begun();
        assertThatThrownBy(() -> Journal.open(folder()))
                .isInstanceOf(BadState.class)
                .hasMessageContaining(folder().toString())
                .hasMessageContaining("used by another hub, of this very process");
        first.append(List.of(bytes("still ours")));
        first.close();
        var second = Journal.open(folder());
        assertThat(texts(second)).containsExactly("still ours");
        second.journal().close();
    }

    @Test
    void a_folder_without_a_parent_or_that_is_a_file_is_named() throws Exception {
        assertThatThrownBy(() -> Journal.open(temporary.resolve("no/such/state")))
                .isInstanceOf(BadState.class)
                .hasMessageContaining("there is no folder " + temporary.resolve("no/such"));
        var file = Files.writeString(temporary.resolve("file"), "");
        assertThatThrownBy(() -> Journal.open(file))
                .isInstanceOf(BadState.class)
                .hasMessageContaining("it is no folder");
    }

    @Test
    void what_an_interrupted_beginning_left_is_removed_and_the_journal_before_counts()
            throws Exception {
        try (var journal = begun()) {
            journal.append(List.of(bytes("kept")));
        }
        Files.write(folder().resolve("journal-2.new"), bytes("half a fi"));
        var opened = Journal.open(folder());
        assertThat(texts(opened)).containsExactly("kept");
        opened.journal().begin(STATE);
        opened.journal().close();
        assertThat(files()).containsExactly("journal-2", "lock");
    }

    @Test
    void when_the_old_file_was_not_deleted_the_newer_counts() throws Exception {
        begun().close();
        var old = Files.readAllBytes(file());
        try (var journal = Journal.open(folder()).journal()) {
            journal.begin(bytes("newer"));
        }
        Files.write(file(), old);
        var opened = Journal.open(folder());
        assertThat(opened.image()).isEqualTo(bytes("newer"));
        opened.journal().close();
    }

    @Test
    @Tag("slow")
    void any_bytes_are_read_or_refused_and_nothing_else() throws Exception {
        try (var journal = begun()) {
            for (int i = 0; i < 5; i++) {
                journal.append(List.of(bytes("command " + i), bytes("more")));
            }
        }
        var whole = Files.readAllBytes(file());
        for (long seed = 1; seed <= 3_000; seed++) {
            var random = new Random(seed);
            Files.write(file(), damaged(whole, random));
            try {
                var opened = Journal.open(folder());
                assertThat(texts(opened))
                        .as("seed %d: as it was, or cut", seed)
                        .isEqualTo(expected().subList(0, opened.commands().size()));
                opened.journal().close();
            } catch (BadState e) {
                assertThat(e).hasMessageContaining(file().toString());
            }
        }
    }

    private static byte[] damaged(byte[] whole, Random random) {
        var bytes = Arrays.copyOf(whole, whole.length - random.nextInt(3) * random.nextInt(30));
        for (int i = random.nextInt(3); i > 0; i--) {
            bytes[random.nextInt(bytes.length)] = (byte) random.nextInt();
        }
        return bytes;
    }

    private static List<String> expected() {
        var all = new ArrayList<String>();
        for (int i = 0; i < 5; i++) {
            all.addAll(List.of("command " + i, "more"));
        }
        return all;
    }

    private Journal begun() throws IOException {
        var journal = Journal.open(folder()).journal();
        journal.begin(STATE);
        return journal;
    }

    private Path folder() {
        return temporary.resolve("state");
    }

    private Path file() {
        return folder().resolve("journal-1");
    }

    private List<String> files() throws IOException {
        try (var files = Files.list(folder())) {
            return files.map(file -> file.getFileName().toString()).sorted().toList();
        }
    }

    private static List<String> texts(Journal.Opened opened) {
        return opened.commands().stream()
                .map(bytes -> new String(bytes, StandardCharsets.UTF_8))
                .toList();
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
