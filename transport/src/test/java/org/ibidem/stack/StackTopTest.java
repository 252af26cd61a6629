package org.ibidem.stack;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.ibidem.config.NotationException;
import org.ibidem.link.Catalog;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// What stands over several links, in the text of a stack.
class StackTopTest {
    private static final Catalog CATALOG = Catalog.found();

    private static Stack stack(String text) {
        return Stack.parse(text, CATALOG);
    }

    @Test
    void the_top_is_no_part_of_one_link() {
        var stack = stack("multicast > multireceive > fragment(4k) > tcp");
        assertThat(stack).hasToString("multicast > multireceive > fragment(size=4k) > tcp");
        assertThat(stack.link()).hasToString("fragment(size=4k) > tcp");
        assertThat(stack("tcp").link()).isEqualTo(stack("tcp"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "fragment > multicast > tcp | 12 | multicast stands over several links, so at the top only: write it before fragment",
                "multicast > multicast > tcp | 13 | one filter over several receivers is enough: remove multicast",
                "multireceive > multireceive > tcp | 16 | one filter over several senders is enough",
                "multicast | 1 | is a filter and needs something below it",
                "multireceive(2) > tcp | 14 | multireceive has no options",
                "multicast(2) > tcp | 11 | copy of multicast: expected true or false",
                "multiplex > checksum > tcp | 1 | multiplex works on the connection of the network driver: write it right before tcp, once",
                "multiplex > multiplex > tcp | 1 | write it right before tcp, once",
                "multiplex(2) > tcp | 11 | multiplex has no options",
                "parallel > tls > tcp | 1 | parallel works on the connection of the network driver: write it right before tcp, once",
                "parallel(2) > multiplex > tcp | 1 | streams of one connection are no faster together: write multiplex or parallel",
                "multiplex > parallel(2) > tcp | 1 | write multiplex or parallel",
                "parallel(65) > tcp | 10 | 1 to 64 streams",
                "tls > compress > tcp | 7 | what leaves tls looks like chance, which nothing makes smaller: write compress > tls",
                "tls > fragment > compress > tcp | 18 | write compress > tls",
                "compress > tls > compress > tcp | 18 | write compress > tls",
                "compress > fragment > compress > tcp | 23 | write it once",
            })
    void says_where_a_top_cannot_stand(String text, int column, String reason) {
        assertThatThrownBy(() -> stack(text))
                .isInstanceOf(NotationException.class)
                .hasMessageContaining("column " + column + " of '" + text + "': ")
                .hasMessageContaining(reason);
    }

    @Test
    void versions_name_every_part_of_a_link() {
        assertThat(stack("multicast > checksum > tcp").link().versions())
                .isEqualTo("checksum 1, tcp 1");
    }
}
