package org.ibidem.rmi.program;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.net.NetworkInterface;
import java.rmi.AlreadyBoundException;
import java.rmi.ConnectException;
import java.rmi.MarshalException;
import java.rmi.NotBoundException;
import java.rmi.Remote;
import java.rmi.RemoteException;
import java.rmi.registry.Registry;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.Hashtable;
import java.util.List;
import java.util.Map;
import javax.naming.Binding;
import javax.naming.CommunicationException;
import javax.naming.Context;
import javax.naming.NameAlreadyBoundException;
import javax.naming.NameClassPair;
import javax.naming.NameNotFoundException;
import javax.naming.NamingEnumeration;
import javax.naming.NamingException;
import javax.naming.ServiceUnavailableException;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.ibidem.rmi.program.rmi.rmiURLContextFactory;
import org.ibidem.serial.ObjectPolicy;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.parallel.Isolated;

/// Which of two registries JNDI asks: that of the pool, and the JDK's, which a script plays here.
@SuppressWarnings({"BanJNDI", "JdkObsolete"}) // it is what is tested, and JNDI's
@Tag("slow")
@Isolated("the node of the process is one for the whole JVM")
@Timeout(60)
class RmiContextTest {
    private static final int PORT = 4711;
    private static final String AT = "rmi://localhost:" + PORT;

    private static OwnPool pool;

    private final Jdks jdks = new Jdks();
    private final Context names = RmiContext.of(jdks.context(), "");
    private final Said object = () -> "said";
    private Registry registry;

    /// A remote object.
    public interface Said extends Remote {
        String say() throws RemoteException;
    }

    /// The JDK's registry, which is not there unless it has something.
    private static final class Jdks implements InvocationHandler {
        final List<String> asked = new ArrayList<>();
        final Map<String, Object> has = new HashMap<>();

        Context context() {
            return (Context)
                    Proxy.newProxyInstance(
                            Jdks.class.getClassLoader(), new Class<?>[] {Context.class}, this);
        }

        @Override
        public Object invoke(Object proxy, Method method, Object[] arguments) throws Throwable {
            var call = method.getName() + (arguments == null ? "" : " " + arguments[0]);
            asked.add(call);
            return switch (has.getOrDefault(call, new ServiceUnavailableException("none"))) {
                case Throwable why -> throw why;
                case String[] all -> enumeration(all);
                case Object answer -> answer;
            };
        }

        private static Object enumeration(String... all) {
            var rest = List.of(all).iterator();
            InvocationHandler handler =
                    (_, method, _) ->
                            method.getName().equals("hasMore")
                                    ? rest.hasNext()
                                    : new Binding(rest.next(), "theirs");
            return Proxy.newProxyInstance(
                    Jdks.class.getClassLoader(), new Class<?>[] {NamingEnumeration.class}, handler);
        }
    }

    @BeforeAll
    static void open() {
        pool = new OwnPool(ObjectPolicy.NOTHING_BUT_VALUES);
    }

    @AfterAll
    static void close() {
        pool.close();
    }

    @BeforeEach
    void create() throws RemoteException {
        registry = LocateRegistry.createRegistry(PORT);
        UnicastRemoteObject.exportObject(object, 0);
    }

    @AfterEach
    void end() throws RemoteException {
        UnicastRemoteObject.unexportObject(object, true);
        UnicastRemoteObject.unexportObject(registry, true);
    }

    private static void fails(
            Class<? extends NamingException> with,
            Class<? extends Exception> because,
            ThrowingCallable call) {
        assertThatThrownBy(call)
                .isExactlyInstanceOf(with)
                .satisfies(e ->
                        assertThat(((NamingException) e).getRootCause()).isInstanceOf(because));
    }

    private static String said(Object found) throws RemoteException {
        return ((Said) found).say();
    }

    @Test
    void what_is_bound_in_the_pool_is_found_there_and_the_jdk_is_not_asked() throws Exception {
        names.bind(AT + "/one", object);
        assertThat(said(names.lookup(AT + "/one"))).isEqualTo("said");
        assertThat(said(names.lookupLink(AT + "/one"))).isEqualTo("said");
        assertThat(said(registry.lookup("one"))).isEqualTo("said");
        fails(
                NameAlreadyBoundException.class,
                AlreadyBoundException.class,
                () -> names.bind(AT + "/one", object));
        Said other = () -> "something else";
        UnicastRemoteObject.exportObject(other, 0);
        names.rebind(AT + "/one", other);
        assertThat(said(names.lookup(AT + "/one"))).isEqualTo("something else");
        UnicastRemoteObject.unexportObject(other, true);
        names.rename(AT + "/one", AT + "/two");
        assertThat(registry.list()).containsExactly("two");
        names.unbind(AT + "/two");
        assertThat(registry.list()).isEmpty();
        assertThat(jdks.asked).isEmpty();
        names.bind("rmi:short", object);
        assertThat(said(LocateRegistry.getRegistry().lookup("short"))).isEqualTo("said");
        names.unbind("rmi:///short");
    }

    @Test
    void what_is_not_in_the_pool_may_be_with_the_jdk() throws Exception {
        jdks.has.put("lookup " + AT + "/theirs", "theirs");
        assertThat(names.lookup(AT + "/theirs")).isEqualTo("theirs");
        fails(
                NameNotFoundException.class,
                NotBoundException.class,
                () -> names.lookup(AT + "/nowhere"));
        fails(
                ServiceUnavailableException.class,
                ConnectException.class,
                () -> names.lookup("rmi://localhost:1/nobody"));
        jdks.has.put("lookup rmi://localhost:1/theirs", "theirs");
        assertThat(names.lookup("rmi://localhost:1/theirs")).isEqualTo("theirs");
        var why = new NamingException("it says no");
        jdks.has.put("lookup " + AT + "/no", why);
        assertThatThrownBy(() -> names.lookup(AT + "/no")).isSameAs(why);
    }

    @Test
    void what_cannot_be_bound_in_the_pool_is_bound_with_the_jdk_if_that_is_here() throws Exception {
        jdks.has.put("bind " + AT + "/text", "bound");
        names.bind(AT + "/text", "no remote object");
        jdks.has.put("rebind " + AT, "bound");
        names.rebind(AT, object);
        assertThat(jdks.asked).containsExactly("bind " + AT + "/text", "rebind " + AT);
        assertThat(registry.list()).isEmpty();
        jdks.asked.clear();
        var elsewhere = "rmi://192.0.2.1/text";
        assertThatThrownBy(() -> names.bind(elsewhere, "no remote object"))
                .isInstanceOf(ServiceUnavailableException.class)
                .hasMessage("none");
        assertThat(jdks.asked).containsExactly("bind " + elsewhere);
        fails(
                CommunicationException.class,
                MarshalException.class,
                () -> names.bind(AT + "/unexported", (Said) () -> "nobody hears"));
    }

    @Test
    void an_object_of_the_jdks_is_bound_in_a_registry_of_the_jdks_that_is_made_for_it()
            throws Exception {
        System.setProperty("java.rmi.server.hostname", "127.0.0.1"); // else it asks for names
        int port = freePort();
        var at = "rmi://localhost:" + port + "/theirs";
        Said theirs = () -> "theirs";
        java.rmi.server.UnicastRemoteObject.exportObject(theirs, 0);
        try {
            assertThatThrownBy(() -> names.bind(at, theirs)).hasMessage("none");
            assertThat(jdks.asked).as("once more when there is one").hasSize(2);
            assertThat(java.rmi.registry.LocateRegistry.getRegistry(port).list()).isEmpty();
            assertThatThrownBy(() -> names.bind(at, theirs)).hasMessage("none");
        } finally {
            JdkRegistries.end(port);
            java.rmi.server.UnicastRemoteObject.unexportObject(theirs, true);
        }
        assertThatThrownBy(() -> java.rmi.registry.LocateRegistry.getRegistry(port).list())
                .isInstanceOf(RemoteException.class);
        JdkRegistries.end(port);
        assertThat(JdkRegistries.made("[none", port)).as("no host is called so").isFalse();
    }

    @Test
    void whoever_names_an_address_of_this_machine_means_this_machine() throws Exception {
        int port = freePort();
        try (var all = NetworkInterface.networkInterfaces()) {
            for (var address : all.flatMap(NetworkInterface::inetAddresses).toList()) {
                assertThat(JdkRegistries.made(address.getHostAddress(), port))
                        .as("%s", address)
                        .isTrue();
            }
            assertThat(JdkRegistries.made("", port)).isTrue();
        } finally {
            JdkRegistries.end(port);
        }
    }

    private static int freePort() throws IOException {
        try (var socket = new java.net.ServerSocket(0)) {
            return socket.getLocalPort();
        }
    }

    @Test
    void what_is_bound_nowhere_is_unbound_as_was_asked() throws Exception {
        names.unbind(AT + "/nowhere");
        jdks.has.put("unbind " + AT + "/no", new NamingException("it says no"));
        assertThatThrownBy(() -> names.unbind(AT + "/no")).hasMessage("it says no");
        assertThatThrownBy(() -> names.unbind("rmi://localhost:1/nobody")).hasMessage("none");
        jdks.has.put("unbind rmi://localhost:1/theirs", "done");
        names.unbind("rmi://localhost:1/theirs");
        assertThat(jdks.asked).hasSize(4);
    }

    private static List<String> all(NamingEnumeration<? extends NameClassPair> all)
            throws NamingException {
        var found = new ArrayList<String>();
        while (all.hasMore()) {
            found.add(
                    switch (all.next()) {
                        case Binding one when one.getObject() instanceof Said ->
                                one.getName() + " is ours";
                        case Binding one -> one.getName() + " is " + one.getObject();
                        case NameClassPair one -> one.getName() + " of " + one.getClassName();
                    });
        }
        all.close();
        return found;
    }

    @Test
    void names_of_both_are_listed() throws Exception {
        assertThat(all(names.list(AT))).as("none yet").isEmpty();
        names.bind(AT + "/one", object);
        assertThat(all(names.list(AT))).containsExactly("one of java.lang.Object");
        jdks.has.put("list " + AT, new String[] {"two", "three"});
        jdks.has.put("listBindings " + AT, new String[] {"two"});
        assertThat(all(names.list(AT)))
                .containsExactly("one of java.lang.Object", "two is theirs", "three is theirs");
        assertThat(all(names.listBindings(AT))).containsExactly("one is ours", "two is theirs");
        var elements = Collections.list(names.list(AT));
        assertThat(elements)
                .extracting(NameClassPair::getName)
                .containsExactly("one", "two", "three");
        names.unbind(AT + "/one");
    }

    @Test
    void names_are_listed_where_one_of_both_is_there() throws Exception {
        var nobody = "rmi://localhost:1";
        fails(ServiceUnavailableException.class, ConnectException.class, () -> names.list(nobody));
        jdks.has.put("list " + nobody, new String[] {"two"});
        assertThat(all(names.list(nobody))).containsExactly("two is theirs");
    }

    @Test
    void the_jdk_says_what_is_wrong_with_a_url_and_answers_all_else() throws Exception {
        jdks.has.put("lookup rmi://a b/c", new NamingException("no URL"));
        assertThatThrownBy(() -> names.lookup("rmi://a b/c")).hasMessage("no URL");
        jdks.has.put("getNameInNamespace", "whole");
        assertThat(names.getNameInNamespace()).isEqualTo("whole");
        jdks.has.put("composeName a", "b/a");
        assertThat(names.composeName("a", "b")).isEqualTo("b/a");
    }

    @Test
    void a_registry_is_a_context_of_its_names() throws Exception {
        var theirs = new Jdks();
        theirs.has.put("lookup two", "theirs");
        names.bind(AT + "/one", object);
        for (var base : List.of("", AT)) {
            var self = base.isEmpty() ? AT : "";
            jdks.has.clear();
            jdks.has.put("lookup " + self, theirs.context());
            var in = (Context) RmiContext.of(jdks.context(), base).lookup(self);
            assertThat(said(in.lookup("one"))).isEqualTo("said");
            assertThat(in.lookup("two")).isEqualTo("theirs");
        }
        assertThat(said(RmiContext.of(jdks.context(), AT).lookup("one"))).isEqualTo("said");
        names.unbind(AT + "/one");
    }

    @Test
    void the_factories_of_jndi_give_such_contexts() throws Exception {
        var settings = new Hashtable<String, Object>();
        settings.put(Context.URL_PKG_PREFIXES, "org.ibidem.rmi.program");
        settings.put("own", "kept");
        var urls = new rmiURLContextFactory();
        var context = (Context) urls.getObjectInstance(null, null, null, settings);
        assertThat(context.getEnvironment().get("own")).isEqualTo("kept");
        context.bind(AT + "/one", object);
        for (var url : new Object[] {AT + "/one", new String[] {AT + "/one", "rmi://a b/c"}}) {
            assertThat(said(urls.getObjectInstance(url, null, null, null))).isEqualTo("said");
        }
        assertThat(urls.getObjectInstance(new String[0], null, null, settings)).isNull();
        assertThat(urls.getObjectInstance(1, null, null, settings)).isNull();

        var registries = new RegistryContextFactory();
        settings.put(Context.PROVIDER_URL, AT + "/");
        assertThat(said(registries.getInitialContext(settings).lookup("one"))).isEqualTo("said");
        assertThat(settings).as("the program's own").hasSize(3);
        settings.remove(Context.PROVIDER_URL);
        registries.getInitialContext(settings).bind("usual", object);
        assertThat(said(LocateRegistry.getRegistry().lookup("usual"))).isEqualTo("said");
        LocateRegistry.getRegistry().unbind("usual");
    }
}
