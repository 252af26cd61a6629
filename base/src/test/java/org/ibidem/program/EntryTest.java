package org.ibidem.program;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// The `main` that the `java` command would call (JEP 512).
class EntryTest {
    private static final List<String> CALLED = new ArrayList<>();

    static class Usual {
        public static void main(String[] arguments) {
            CALLED.add(String.join(" ", arguments));
        }

        static void main() {
            CALLED.add("the other one");
        }
    }

    static class OfAnInstance {
        private String made = "made";

        void main() {
            CALLED.add(made);
        }
    }

    static final class Inherits extends OfAnInstance {}

    static final class Fails {
        static void main() throws InterruptedException {
            throw new InterruptedException("as a test has it");
        }
    }

    @SuppressWarnings({"IncorrectMainMethod", "UnusedMethod"}) // that is what it shows
    static final class None {
        int main(String[] arguments) {
            return arguments.length;
        }

        private static void main() {
            CALLED.add("private");
        }
    }

    @BeforeEach
    void begin() {
        CALLED.clear();
    }

    private static void call(Class<?> type) throws Exception {
        new Entry(type).call(new String[] {"one", "two"});
    }

    @Test
    void the_one_with_arguments_is_called_first() throws Exception {
        call(Usual.class);
        assertThat(CALLED).containsExactly("one two");
    }

    @Test
    void one_of_an_instance_is_called_on_a_new_one() throws Exception {
        call(OfAnInstance.class);
        call(Inherits.class);
        assertThat(CALLED).containsExactly("made", "made");
    }

    @Test
    void what_it_throws_comes_as_it_is() {
        assertThatThrownBy(() -> call(Fails.class))
                .isInstanceOf(InterruptedException.class)
                .hasMessage("as a test has it");
    }

    @Test
    void a_class_without_one_is_refused() {
        assertThatThrownBy(() -> call(None.class))
                .isInstanceOf(NoSuchMethodException.class)
                .hasMessageContaining("None has no main method: give it one");
    }
}
