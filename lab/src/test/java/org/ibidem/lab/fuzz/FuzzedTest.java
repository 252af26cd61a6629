package org.ibidem.lab.fuzz;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Whose turn it is to be fuzzed.
class FuzzedTest {
    private static final int WEEK = 7;

    @TempDir Path folder;

    private Fuzzed allOf(List<Target> targets) throws IOException {
        var fuzzed = new Fuzzed(folder.resolve("fuzzed.txt"));
        for (var target : targets) {
            fuzzed.put(target);
        }
        return fuzzed;
    }

    @Test
    void each_decoder_has_its_turn_within_a_week_whenever_that_begins() throws IOException {
        var fuzzed = allOf(Target.all());
        var turns = new ArrayList<List<Target>>();
        for (long day = 20_000; day < 20_000 + 2 * WEEK; day++) {
            turns.add(fuzzed.turn(Target.all(), day));
        }
        assertThat(turns).allMatch(turn -> turn.size() == 4);
        for (int first = 0; first < WEEK; first++) {
            var had = new HashSet<Target>();
            turns.subList(first, first + WEEK).forEach(had::addAll);
            assertThat(had).containsAll(Target.all());
        }
    }

    @Test
    void a_decoder_that_has_changed_has_its_turn_every_day_until_it_is_fuzzed() throws IOException {
        var changed = Target.all().getFirst();
        var fuzzed = allOf(Target.all());
        var others = Files.readString(fuzzed.record()).replaceFirst(changed + " .", "$0x");
        Files.writeString(fuzzed.record(), others);
        for (long day = 0; day < WEEK; day++) {
            assertThat(fuzzed.turn(Target.all(), day)).contains(changed).hasSizeBetween(4, 5);
        }
        fuzzed.put(changed);
        assertThat(fuzzed.changed(Target.all())).isEmpty();
    }

    @Test
    void whatever_was_never_fuzzed_has_its_turn() throws IOException {
        assertThat(allOf(List.of()).turn(Target.all(), 0)).containsAll(Target.all());
    }

    @Test
    void every_target_names_sources_of_its_decoder() throws IOException {
        for (var target : Target.all()) {
            assertThat(target.sources()).as("%s", target).hasSizeGreaterThan(1);
        }
    }
}
