package org.ibidem.satin.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.Serializable;
import java.lang.classfile.ClassFile;
import java.lang.classfile.CodeBuilder;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/// Copies by the JDK, and who does jobs, in a program that runs by itself.
class CopyTest {
    record Held(Object what) implements Serializable {}

    static final class Mutable implements Serializable {
        private static final long serialVersionUID = 1L;
        int value = 1;
        Mutable self = this;
    }

    @Test
    void an_object_is_copied_with_all_it_refers_to() {
        var one = new Mutable();
        var copy = (Mutable) Copy.of(one);
        one.value = 2;
        assertThat(copy).isNotSameAs(one);
        assertThat(copy.value).isEqualTo(1);
        assertThat(copy.self).isSameAs(copy);
        var types = new ArrayList<Class<?>>(List.of(int.class, void.class, String.class));
        assertThat(Copy.of(types)).isEqualTo(types);
        assertThat(Copy.of(new Held(new int[] {7}))).isInstanceOf(Held.class);
    }

    @Test
    void its_class_is_found_where_it_is_from() throws Exception {
        var type = new Child().held();
        var constructor = type.getDeclaredConstructor(Object.class);
        constructor.setAccessible(true);
        var one = (Serializable) constructor.newInstance("x");
        assertThat(Copy.of(one)).isNotSameAs(one).isExactlyInstanceOf(type).isEqualTo(one);
    }

    private static final class Child extends ClassLoader {
        private static final ClassDesc SERIALIZABLE = ClassDesc.of("java.io.Serializable");

        Child() {
            super(CopyTest.class.getClassLoader());
        }

        Class<?> held() throws IOException {
            var name = Held.class.getName();
            try (var file = getResourceAsStream(name.replace('.', '/') + ".class")) {
                var code = file.readAllBytes();
                return defineClass(name, code, 0, code.length);
            }
        }

        /// An object of a class that nobody else finds.
        Object unknown() throws ReflectiveOperationException {
            var code =
                    ClassFile.of()
                            .build(
                                    ClassDesc.of("own.Unknown"),
                                    type ->
                                            type.withFlags(ClassFile.ACC_PUBLIC)
                                                    .withInterfaceSymbols(SERIALIZABLE)
                                                    .withMethodBody(
                                                            ConstantDescs.INIT_NAME,
                                                            ConstantDescs.MTD_void,
                                                            ClassFile.ACC_PUBLIC,
                                                            Child::construct));
            return defineClass("own.Unknown", code, 0, code.length).getConstructor().newInstance();
        }

        private static void construct(CodeBuilder code) {
            code.aload(0)
                    .invokespecial(
                            ConstantDescs.CD_Object,
                            ConstantDescs.INIT_NAME,
                            ConstantDescs.MTD_void)
                    .return_();
        }
    }

    @Test
    void what_cannot_be_copied_is_named() throws Exception {
        assertThatThrownBy(() -> Copy.of(new Held(new Object())))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(
                        "cannot copy class org.ibidem.satin.host.CopyTest$Held:"
                                + " java.io.NotSerializableException: java.lang.Object")
                .hasCauseInstanceOf(IOException.class);
        var unknown = new Held(new Child().unknown());
        assertThatThrownBy(() -> Copy.of(unknown))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("own.Unknown")
                .hasCauseInstanceOf(ClassNotFoundException.class);
    }

    private static final class Worker extends Thread implements Host {
        private Host found;

        @Override
        public void run() {
            found = Host.current();
        }

        @Override
        public void paused(boolean asksNobody) {
            throw new AssertionError("nobody pauses");
        }

        @Override
        public boolean needsMoreJobs() {
            return false;
        }

        @Override
        public boolean isOnStolen() {
            return false;
        }

        @Override
        public Serializable deepCopy(Serializable object) {
            return object;
        }

        @Override
        public void export(Serializable shared) {
            throw new AssertionError("nobody shares");
        }
    }

    @Test
    void only_a_thread_that_does_jobs_is_a_host() throws Exception {
        assertThat(Host.current()).isNull();
        var worker = new Worker();
        worker.start();
        worker.join();
        assertThat(worker.found).isSameAs(worker);
    }
}
