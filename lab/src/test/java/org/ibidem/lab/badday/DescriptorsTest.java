package org.ibidem.lab.badday;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// A process that has no descriptors left for a while: what is there goes on, and what is made says
/// why it cannot be made, whichever of its descriptors is missing. Later all of it can.
@Tag("lab")
@Timeout(100)
class DescriptorsTest {
    /// Far more than the process needs with all its jars, and soon used up.
    private static final int DESCRIPTORS = 600;

    @Test
    void a_process_without_descriptors_goes_on_with_what_it_has() throws Exception {
        try (var program =
                Other.programWith(DESCRIPTORS, FewDescriptors.class, StreamServer.OPTIONS)) {
            for (int kinds = 0; kinds < 2; kinds++) {
                assertThat(program.said("selector")).isEqualTo("Too many open files");
            }
            var connects = new ArrayList<String>();
            for (int i = 0; i < 2 * (FewDescriptors.FEW + 1); i++) {
                connects.add(program.said("connect"));
            }
            assertThat(connects).anyMatch(each -> each.contains("Too many open files"));
            assertThat(connects)
                    .endsWith(
                            FewDescriptors.MANY + " shm works", FewDescriptors.MANY + " tcp works");
        }
    }
}
