package org.ibidem.rmi.program;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.net.MalformedURLException;
import java.rmi.AlreadyBoundException;
import java.rmi.ConnectException;
import java.rmi.NoSuchObjectException;
import java.rmi.NotBoundException;
import java.rmi.Remote;
import java.rmi.RemoteException;
import java.util.ArrayList;
import java.util.Iterator;
import javax.naming.Binding;
import javax.naming.CommunicationException;
import javax.naming.Context;
import javax.naming.NameAlreadyBoundException;
import javax.naming.NameClassPair;
import javax.naming.NameNotFoundException;
import javax.naming.NamingEnumeration;
import javax.naming.NamingException;
import javax.naming.ServiceUnavailableException;
import org.jspecify.annotations.Nullable;

/// What JNDI finds at `rmi://host:port/name`: what the program has bound to the name in the pool;
/// otherwise what the JDK's own RMI has at this host and port, such as a JMX connector. An object
/// of the JDK's RMI is bound in the JDK's registry, which this process makes if nobody has.
public final class RmiContext implements InvocationHandler {
    private final Context jdk;
    private final String base;

    private RmiContext(Context jdk, String base) {
        this.jdk = jdk;
        this.base = base;
    }

    /// A context in front of the JDK's.
    ///
    /// @param base the URL of a registry that names are in; empty: names are URLs
    public static Context of(Context jdk, String base) {
        return (Context)
                Proxy.newProxyInstance(
                        Context.class.getClassLoader(),
                        new Class<?>[] {Context.class},
                        new RmiContext(jdk, base));
    }

    @Override
    @SuppressWarnings("BanJNDI") // the program has named what is looked up
    public @Nullable Object invoke(Object proxy, Method method, Object @Nullable [] arguments)
            throws Throwable {
        if (arguments == null) {
            return jdks(method);
        }
        var self = (Context) proxy;
        switch (method.getName()) {
            case "rename" -> {
                var object = self.lookup(arguments[0].toString());
                self.bind(arguments[1].toString(), object);
                self.unbind(arguments[0].toString());
                return null;
            }
            case "lookup", "lookupLink", "bind", "rebind", "unbind", "list", "listBindings" -> {
                try {
                    return named(place(arguments[0].toString()), method, arguments);
                } catch (MalformedURLException _) {
                    return jdks(method, arguments); // which says what is wrong with it
                } catch (RemoteException e) {
                    throw as(e);
                }
            }
            default -> {
                return jdks(method, arguments);
            }
        }
    }

    private Naming.Place place(String name) throws MalformedURLException {
        var url = base.isEmpty() ? name.replaceFirst("^rmi:(?!/)", "rmi:/") : base + "/" + name;
        return Naming.Place.of(url);
    }

    @SuppressWarnings("BanJNDI") // as above
    private @Nullable Object named(Naming.Place place, Method method, Object[] arguments)
            throws Throwable {
        var name = place.name();
        return switch (method.getName()) {
            case "list", "listBindings" -> all(place, method, arguments);
            case "unbind" -> unbound(place, method, arguments);
            case "bind", "rebind" ->
                    arguments[1] instanceof Remote object && !name.isEmpty() && !isJdks(object)
                            ? bound(place, method, object)
                            : boundAtJdks(place, method, arguments);
            default ->
                    name.isEmpty()
                            ? of(
                                    (Context) jdk.lookup(base.isEmpty() ? place.url() : ""),
                                    place.url())
                            : found(place, method, arguments);
        };
    }

    private @Nullable Object found(Naming.Place place, Method method, Object[] arguments)
            throws Throwable {
        try {
            return place.registry().lookup(place.name());
        } catch (ConnectException | NotBoundException e) {
            try {
                return jdks(method, arguments);
            } catch (ServiceUnavailableException _) { // nobody has made a registry of the JDK's
                throw e instanceof ConnectException gone
                        ? as(gone)
                        : because(new NameNotFoundException(place.name()), e);
            }
        }
    }

    private static @Nullable Object bound(Naming.Place place, Method method, Remote object)
            throws RemoteException, NamingException {
        try {
            if (method.getName().equals("bind")) {
                place.registry().bind(place.name(), object);
            } else {
                place.registry().rebind(place.name(), object);
            }
            return null;
        } catch (AlreadyBoundException e) {
            throw because(new NameAlreadyBoundException(place.name()), e);
        }
    }

    private @Nullable Object boundAtJdks(Naming.Place place, Method method, Object[] arguments)
            throws Throwable {
        try {
            return jdks(method, arguments);
        } catch (ServiceUnavailableException e) {
            if (!JdkRegistries.made(place.host(), place.port())) {
                throw e;
            }
            return jdks(method, arguments);
        }
    }

    private @Nullable Object unbound(Naming.Place place, Method method, Object[] arguments)
            throws Throwable {
        try {
            place.registry().unbind(place.name());
        } catch (NotBoundException _) {
            try {
                return jdks(method, arguments);
            } catch (ServiceUnavailableException _) {
                // then it is bound nowhere, as was asked
            }
        } catch (ConnectException _) {
            return jdks(method, arguments);
        }
        return null;
    }

    private All<NameClassPair> all(Naming.Place place, Method method, Object[] arguments)
            throws Throwable {
        var all = new ArrayList<NameClassPair>();
        @Nullable ConnectException none = null;
        try {
            for (var name : place.registry().list()) {
                all.add(
                        method.getName().equals("list")
                                ? new NameClassPair(name, Object.class.getName())
                                : new Binding(name, place.registry().lookup(name)));
            }
        } catch (ConnectException e) {
            none = e;
        }
        try {
            var theirs = (NamingEnumeration<?>) jdks(method, arguments);
            while (theirs != null && theirs.hasMore()) {
                all.add((NameClassPair) theirs.next());
            }
        } catch (ServiceUnavailableException _) {
            if (none != null) {
                throw as(none);
            }
        }
        return new All<>(all.iterator());
    }

    private @Nullable Object jdks(Method method, Object... arguments) throws Throwable {
        try {
            return method.invoke(jdk, arguments);
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }

    /// Whether it is exported by the JDK's RMI, or is a stub of it.
    private static boolean isJdks(Remote object) {
        try {
            java.rmi.server.RemoteObject.toStub(object);
            return true;
        } catch (NoSuchObjectException _) {
            return false;
        }
    }

    private static NamingException as(RemoteException e) {
        return because(
                e instanceof ConnectException
                        ? new ServiceUnavailableException(e.getMessage())
                        : new CommunicationException(e.getMessage()),
                e);
    }

    private static NamingException because(NamingException what, Exception cause) {
        what.setRootCause(cause);
        return what;
    }

    /// What a registry has.
    private record All<T>(Iterator<T> rest) implements NamingEnumeration<T> {
        @Override
        public T next() {
            return rest.next();
        }

        @Override
        public boolean hasMore() {
            return rest.hasNext();
        }

        @Override
        public void close() {}

        @Override
        public boolean hasMoreElements() {
            return rest.hasNext();
        }

        @Override
        public T nextElement() {
            return rest.next();
        }
    }
}
