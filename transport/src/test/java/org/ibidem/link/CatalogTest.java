package org.ibidem.link;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.ibidem.filter.fragment.FragmentFilter;
import org.ibidem.link.loopback.LoopbackDriver;
import org.junit.jupiter.api.Test;

class CatalogTest {
    @Test
    void finds_what_the_modules_here_provide_each_once() {
        var found = Catalog.found();
        assertThat(found.names()).contains("loopback", "shm", "tcp", "fragment");
        assertThat(found.driver("tcp")).isPresent();
        assertThat(found.driver("fragment")).isEmpty();
        assertThat(found.filter("fragment")).isPresent();
        assertThat(found.drivers()).extracting(Driver::name).doesNotHaveDuplicates().isSorted();
    }

    @Test
    void two_drivers_of_one_name_are_refused_by_their_classes() {
        assertThatThrownBy(() ->
                        Catalog.of(List.of(new LoopbackDriver(), new LoopbackDriver()), List.of()))
                .hasMessageContaining("two drivers are called 'loopback'")
                .hasMessageContaining(LoopbackDriver.class.getName());
        assertThatThrownBy(() ->
                        Catalog.of(List.of(), List.of(new FragmentFilter(), new FragmentFilter())))
                .hasMessageContaining("two drivers are called 'fragment'");
    }
}
