package org.ibidem.port;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.Serializable;
import org.ibidem.arbitration.WaitPolicy;
import org.ibidem.serial.ObjectPolicy;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.ValueSource;

/// Where a port finds the classes of the objects that come.
@ParameterizedClass
@ValueSource(strings = {"object", "extended", "jdk"})
@Timeout(60)
class ObjectLoadersTest {
    private final PortType type;
    @AutoClose private final Pair pair = new Pair();

    ObjectLoadersTest(String serializer) {
        this.type = PortType.oneToOne().stack("shm").objects(serializer);
    }

    /// Its class is there once more in another loader.
    static final class Twin implements Serializable {
        private static final long serialVersionUID = 1L;
        final int number;

        Twin(int number) {
            this.number = number;
        }

        @Override
        public String toString() {
            return "twin " + number;
        }
    }

    /// Has classes of its own by the names of those here.
    private static final class Another extends ClassLoader {
        Another() {
            super(Twin.class.getClassLoader());
        }

        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            if (!name.equals(Twin.class.getName())) {
                return super.loadClass(name, resolve);
            }
            synchronized (getClassLoadingLock(name)) {
                var loaded = findLoadedClass(name);
                return loaded != null ? loaded : define(name);
            }
        }

        private Class<?> define(String name) throws ClassNotFoundException {
            try (var in = getParent().getResourceAsStream(name.replace('.', '/') + ".class")) {
                var bytes = in.readAllBytes();
                return defineClass(name, bytes, 0, bytes.length);
            } catch (IOException e) {
                throw new ClassNotFoundException(name, e);
            }
        }
    }

    private ReceivePort open(String name, ObjectPolicy policy) {
        var allowed = policy.allow("org.ibidem.port.**");
        var setup = ReceiveSetup.USUAL.allow(allowed).waiting(WaitPolicy.ADAPTIVE);
        return ReceivePort.open(pair.there, type, name, setup);
    }

    /// The loader of what comes, and that it is whole.
    private ClassLoader loader(ReceivePort in) {
        try (var out = pair.send(pair.here, type, "out")) {
            out.connect(pair.there.id(), in.name());
            ClassLoader found = null;
            for (int i = 0; i < 3; i++) {
                try (var message = out.newMessage()) {
                    message.writeObject(new Twin(i)).writeObject(new Twin[] {new Twin(i)});
                    message.finish();
                }
                try (var message = in.receive()) {
                    var one = message.readObject();
                    assertThat(one).hasToString("twin " + i);
                    found = one.getClass().getClassLoader();
                    var array = (Object[]) message.readObject();
                    assertThat(array.getClass().componentType()).isEqualTo(one.getClass());
                    assertThat(array[0]).hasSameClassAs(one);
                }
            }
            return found;
        }
    }

    @Test
    void its_policy_may_say_through_which_loader() {
        var one = new Another();
        var other = new Another();
        try (var in = open("one", ObjectPolicy.NOTHING_BUT_VALUES.loader(one));
                var second = open("other", ObjectPolicy.NOTHING_BUT_VALUES.loader(other))) {
            assertThat(loader(in)).isSameAs(one);
            assertThat(loader(second)).isSameAs(other);
        }
    }

    @Test
    void otherwise_it_is_that_of_the_thread_that_reads() {
        var thread = Thread.currentThread();
        var before = thread.getContextClassLoader();
        var another = new Another();
        try (var in = open("in", ObjectPolicy.NOTHING_BUT_VALUES);
                var second = open("second", ObjectPolicy.NOTHING_BUT_VALUES);
                var third = open("third", ObjectPolicy.NOTHING_BUT_VALUES)) {
            assertThat(loader(in)).isSameAs(Twin.class.getClassLoader());
            thread.setContextClassLoader(another);
            assertThat(loader(second)).isSameAs(another);
            thread.setContextClassLoader(null);
            assertThat(loader(third)).isSameAs(ClassLoader.getSystemClassLoader());
        } finally {
            thread.setContextClassLoader(before);
        }
    }
}
