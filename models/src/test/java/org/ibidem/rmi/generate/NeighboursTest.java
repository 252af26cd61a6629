package org.ibidem.rmi.generate;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Modifier;
import java.lang.reflect.Proxy;
import java.rmi.Remote;
import java.rmi.RemoteException;
import java.util.Arrays;
import java.util.List;
import org.ibidem.rmi.frame.RemoteMethod;
import org.junit.jupiter.api.Test;

/// Proxies that give what is not public are where that is known.
class NeighboursTest {
    static final class Hidden {}

    public interface GivesHidden extends Remote {
        Hidden hidden() throws RemoteException;
    }

    public interface TakesHidden extends Remote {
        void take(Hidden hidden) throws RemoteException;
    }

    interface Closed extends Remote {
        Hidden hidden() throws RemoteException;
    }

    public interface Inherits extends GivesHidden {}

    public interface Plain extends Remote {
        Object object() throws RemoteException;
    }

    private static List<Class<?>> with(Class<?>... interfaces) {
        var methods =
                Arrays.stream(interfaces)
                        .flatMap(type -> Arrays.stream(type.getMethods()))
                        .map(RemoteMethod::new)
                        .toList();
        return Neighbours.with(List.of(interfaces), methods);
    }

    @Test
    void a_proxy_that_gives_what_is_not_public_is_in_its_package() throws Exception {
        var all = with(Plain.class, GivesHidden.class);
        assertThat(all).hasSize(3).startsWith(Plain.class, GivesHidden.class);
        var neighbour = all.getLast();
        assertThat(neighbour.isInterface()).isTrue();
        assertThat(Modifier.isPublic(neighbour.getModifiers())).isFalse();
        assertThat(neighbour.isSynthetic()).isTrue();
        assertThat(neighbour.getPackage()).isEqualTo(Hidden.class.getPackage());
        assertThat(with(GivesHidden.class)).as("one is enough").contains(neighbour);

        var hidden = new Hidden();
        InvocationHandler gives = (_, _, _) -> hidden;
        var proxy =
                (GivesHidden)
                        Proxy.newProxyInstance(
                                Plain.class.getClassLoader(), all.toArray(Class<?>[]::new), gives);
        assertThat(proxy.hidden()).isSameAs(hidden);
    }

    @Test
    void one_that_need_not_be_there_is_left_where_it_is() {
        assertThat(with(Plain.class)).containsExactly(Plain.class);
        assertThat(with(TakesHidden.class)).containsExactly(TakesHidden.class);
        assertThat(with(Closed.class, GivesHidden.class))
                .as("it is there already")
                .containsExactly(Closed.class, GivesHidden.class);
    }

    @Test
    void one_that_cannot_be_there_is_left_where_it_is() throws Exception {
        var closed = Class.forName("jdk.internal.access.JavaLangAccess");
        assertThat(with(closed)).containsExactly(closed);
        var child = new Child().inherits();
        assertThat(with(child)).as("its loader has no such package").containsExactly(child);
    }

    /// Has one of the interfaces itself, and what that extends from its parent.
    private static final class Child extends ClassLoader {
        Child() {
            super(NeighboursTest.class.getClassLoader());
        }

        Class<?> inherits() throws java.io.IOException {
            var name = Inherits.class.getName();
            try (var file = getResourceAsStream(name.replace('.', '/') + ".class")) {
                var code = file.readAllBytes();
                return defineClass(name, code, 0, code.length);
            }
        }
    }
}
