package org.ibidem.lab.history;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HistoryTest {
    @Test
    void what_one_process_notes_is_read_beside_what_others_noted(@TempDir Path folder)
            throws IOException {
        var one = folder.resolve("one");
        try (var notes = new Notebook(one)) {
            notes.note("a", "invoke", 1, 1000, "next", "s", 1);
            notes.note("a", "fail", 1, "OperationRefused", "there is no\nroom", "");
        }
        var other = folder.resolve("other");
        Files.writeString(other, "1 b invoke 1 500 join\n2 b ok 1 0\n3 b inv");
        var history = History.read(List.of(one, other));
        assertThat(history.entries().getFirst().who()).isEqualTo("b");
        assertThat(history.entries()).as("the last one was not finished").hasSize(4);
        assertThat(history.entries().getLast().words())
                .containsExactly("1", "OperationRefused", "there_is_no_room", "_");
        assertThat(history.calls())
                .extracting(Call::end)
                .containsExactly(Call.End.OK, Call.End.FAIL);
        assertThat(history.calls().getFirst().limit()).isEqualTo(500_000);
    }

    @Test
    void a_fault_lasts_until_nodes_have_had_time_to_return() {
        var history =
                History.of("10 nemesis begin full\n20 nemesis end full\n30 nemesis begin cut\n");
        assertThat(history.troubled(0, 9)).isFalse();
        assertThat(history.troubled(0, 10)).isTrue();
        assertThat(history.troubled(1_000_000, 1_000_001)).isTrue();
        assertThat(history.faults()).hasSize(2);
        assertThat(history.faults().getLast().to()).isEqualTo(Call.NEVER);
    }

    @Test
    void a_call_without_an_end_may_be_done_at_any_time() {
        var history =
                History.of("1 a invoke 1 500 add t 1\n2 a invoke 2 500 add t 1\n3 a unknown 2 x\n");
        assertThat(history.calls()).allMatch(Call::open).noneMatch(Call::ok);
        assertThat(history.calls().getFirst().ended()).isEqualTo(Call.NEVER);
        assertThat(history.calls().getLast().ended()).isEqualTo(3);
    }
}
