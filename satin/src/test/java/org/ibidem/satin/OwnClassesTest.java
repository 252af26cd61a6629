package org.ibidem.satin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ibis.satin.SatinObject;
import java.io.InvalidClassException;
import java.io.InvalidObjectException;
import java.io.Serializable;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.ibidem.config.Settings;
import org.ibidem.satin.rewrite.Rewriter;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.opentest4j.TestAbortedException;

/// In a pool that has an authority only objects of the program's own classes are let in.
class OwnClassesTest {
    private static final ClassLoader LOADER = OwnClassesTest.class.getClassLoader();

    private record Order(int number) implements Serializable {}

    /// A job as the rewriter makes them, of a call in a class of the program.
    private static final class Order$$Spawn1 extends Job {
        private static final long serialVersionUID = 1;

        @Override
        protected void run() {}

        @Override
        protected Object result() {
            return 1;
        }

        @Override
        protected void result(@Nullable Object came) {}
    }

    private static Copies copies(Map<String, String> more) throws Exception {
        var place = OwnClassesTest.class.getProtectionDomain().getCodeSource().getLocation();
        var all = new HashMap<>(more);
        all.put("ibidem.satin.own", Path.of(place.toURI()).toString());
        return new Copies(Copies.ofProgram(Settings.of(all), LOADER), null);
    }

    private static @Nullable Object through(Copies copies, Object graph) throws Exception {
        return copies.read(copies.write(graph), null);
    }

    @Test
    void the_programs_own_come_in() throws Exception {
        assertThat(through(copies(Map.of()), List.of(new Order(3), "x")))
                .isEqualTo(List.of(new Order(3), "x"));
    }

    @Test
    void what_is_made_of_them_comes_in() throws Exception {
        assertThat(Rewriter.madeWith(Order$$Spawn1.class.getName())).endsWith("$Order");
        assertThat(through(copies(Map.of()), new Order$$Spawn1()))
                .isInstanceOf(Order$$Spawn1.class);
    }

    @Test
    void exceptions_of_the_jdk_come_in() throws Exception {
        var copies = copies(Map.of());
        var thrown = new Outcome(null, new IllegalStateException("no"));
        assertThat(copies.outcome(copies.write(thrown), true, null).thrown())
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("no");
    }

    @Test
    void what_stands_for_a_shared_object_comes_in() throws Exception {
        var copies = copies(Map.of());
        var bytes = copies.bytes(new StandIn("it", null, List.of(), new long[0]));
        assertThatThrownBy(() -> copies.read(bytes, null))
                .isInstanceOf(InvalidObjectException.class)
                .hasMessage("a shared object is read where no program runs");
    }

    @Test
    void others_of_the_class_path_are_refused_with_the_setting() throws Exception {
        var name = TestAbortedException.class.getName();
        var copies = copies(Map.of());
        assertThatThrownBy(() -> through(copies, new TestAbortedException("x")))
                .isInstanceOf(InvalidClassException.class)
                .hasMessageContaining(name)
                .hasMessageContaining("--java=-Dibidem.satin.allow=" + name);
    }

    @Test
    void the_setting_lets_them_in() throws Exception {
        var copies = copies(Map.of("ibidem.satin.allow", "org.opentest4j.**"));
        assertThat(through(copies, new TestAbortedException("x")))
                .hasToString(TestAbortedException.class.getName() + ": x");
    }

    /// Nothing comes from others there.
    @Test
    void a_process_copies_for_itself_whatever_it_has() throws Exception {
        assertThat(copies(Map.of()).copy(new TestAbortedException("x"))).isNotNull();
        assertThat(SatinObject.deepCopy(new TestAbortedException("x"))).isNotNull();
    }

    @Test
    void in_other_pools_all_come_in() throws Exception {
        var copies = new Copies(Copies.policy(false, LOADER), null);
        assertThat(through(copies, new TestAbortedException("x"))).isNotNull();
    }
}
