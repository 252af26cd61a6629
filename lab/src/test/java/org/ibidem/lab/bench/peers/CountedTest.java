package org.ibidem.lab.bench.peers;

import static org.assertj.core.api.Assertions.assertThat;

import org.ibidem.buffer.Tally;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// The counters are left out where the benchmark says so, and only there.
class CountedTest {
    @ParameterizedTest
    @CsvSource({"true, 1, 5, 3", "false, 0, 0, 0"})
    void counts_or_does_not(boolean counts, long messages, long bytes, long doorbells)
            throws Exception {
        var classes = Counted.classes(counts);
        var type = classes.loadClass(Tally.class.getName());
        assertThat(type).isNotEqualTo(Tally.class);
        var what = classes.loadClass(Tally.What.class.getName());
        var tally = type.getMethod("unseen").invoke(null);
        type.getMethod("count", long.class).invoke(tally, 5);
        var add = type.getMethod("add", what, long.class);
        add.invoke(tally, what.getField("DOORBELLS").get(null), 3);
        var get = type.getMethod("get", what);
        assertThat(get.invoke(tally, what.getField("MESSAGES").get(null))).isEqualTo(messages);
        assertThat(get.invoke(tally, what.getField("BYTES").get(null))).isEqualTo(bytes);
        assertThat(get.invoke(tally, what.getField("DOORBELLS").get(null))).isEqualTo(doorbells);
    }
}
