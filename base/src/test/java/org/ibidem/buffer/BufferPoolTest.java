package org.ibidem.buffer;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/// How many buffers of which size there are.
class BufferPoolTest {
    private final BufferPool pool = new BufferPool();

    @Test
    void what_was_given_back_is_lent_again_by_its_size() {
        var usual = pool.borrow();
        var large = pool.borrowLarge();
        assertThat(usual.size()).isEqualTo(256 << 10);
        assertThat(large.size()).isEqualTo((256 << 10) + (1 << 20));
        large.bytes().position(7).limit(9);
        pool.giveBack(usual);
        pool.giveBack(large);
        assertThat(pool.borrowLarge()).isSameAs(large);
        assertThat(pool.borrow()).isSameAs(usual);
        assertThat(large.bytes().position()).isZero();
        assertThat(large.bytes().limit()).isEqualTo(large.size());
    }

    @Test
    @Tag("slow")
    void of_the_large_ones_there_are_few() {
        var lent = Stream.generate(pool::borrowLarge).limit(40).toList();
        var large = lent.stream().filter(chunk -> chunk.size() > pool.size()).toList();
        assertThat(large).hasSizeBetween(1, 16).doesNotHaveDuplicates();
        assertThat(lent.subList(0, large.size())).isEqualTo(large);
        pool.giveBack(large.getFirst());
        assertThat(pool.borrowLarge()).isSameAs(large.getFirst());
        assertThat(pool.borrowLarge().size()).isEqualTo(pool.size());
    }

    /// Who loses a link lets go of its buffer.
    @Test
    void one_that_nobody_has_any_more_is_replaced() {
        var lent = new ArrayList<Chunk>();
        do {
            lent.add(pool.borrowLarge());
        } while (lent.getLast().size() > pool.size());
        lent.clear();
        while (pool.borrowLarge().size() == pool.size()) {
            System.gc(); // until it has seen that nobody has them
        }
    }

    @Test
    void large_ones_are_so_in_proportion() {
        var small = new BufferPool(8 << 10);
        assertThat(small.borrow().size()).isEqualTo(8 << 10);
        assertThat(small.borrowLarge().size()).isEqualTo(40 << 10);
    }
}
