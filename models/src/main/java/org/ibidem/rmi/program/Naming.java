package org.ibidem.rmi.program;

import java.net.MalformedURLException;
import java.net.URI;
import java.net.URISyntaxException;
import java.rmi.AlreadyBoundException;
import java.rmi.NotBoundException;
import java.rmi.Remote;
import java.rmi.RemoteException;
import java.rmi.registry.Registry;
import java.util.Arrays;

/// Stands for `java.rmi.Naming`: names of the form `rmi://host:port/name`, of which the host is not
/// looked at ([LocateRegistry]).
public final class Naming {
    private Naming() {}

    /// @param name what it is called in its registry
    record Place(String host, int port, String name) {
        static Place of(String text) throws MalformedURLException {
            // without a host, as URI does not take it
            var written = text.replaceFirst("^((rmi:)?//):", "$1localhost:");
            URI uri;
            try {
                uri = new URI(written);
            } catch (URISyntaxException e) {
                throw because("invalid URL String", text, e);
            }
            if (uri.isOpaque()) {
                throw because("not a hierarchical URL", text, null);
            }
            if (uri.getFragment() != null || uri.getQuery() != null || uri.getUserInfo() != null) {
                throw because("invalid character, '#', '?' or '@', in URL", text, null);
            }
            if (uri.getScheme() != null && !uri.getScheme().equals("rmi")) {
                throw because("invalid URL scheme", text, null);
            }
            if (uri.getAuthority() != null && uri.getHost() == null) {
                throw because("invalid authority", text, null);
            }
            var host = uri.getHost() == null ? "" : uri.getHost();
            int port = uri.getPort() == -1 ? Registry.REGISTRY_PORT : uri.getPort();
            return new Place(host, port, uri.getPath().replaceFirst("^/", ""));
        }

        private static MalformedURLException because(
                String why, String text, @org.jspecify.annotations.Nullable Throwable cause) {
            var wrong = new MalformedURLException(why + ": " + text);
            wrong.initCause(cause);
            return wrong;
        }

        /// That of its registry.
        String url() {
            return "rmi://" + host + ":" + port;
        }

        Registry registry() throws RemoteException {
            return PoolRegistry.of(port);
        }
    }

    /// The object of a name.
    public static Remote lookup(String name)
            throws NotBoundException, MalformedURLException, RemoteException {
        var place = Place.of(name);
        // a name that is none is the registry
        return place.name.isEmpty() ? place.registry() : place.registry().lookup(place.name);
    }

    /// Gives an object a name that nobody has.
    public static void bind(String name, Remote object)
            throws AlreadyBoundException, MalformedURLException, RemoteException {
        var place = Place.of(name);
        place.registry().bind(place.name, object);
    }

    /// Takes a name away.
    public static void unbind(String name)
            throws RemoteException, NotBoundException, MalformedURLException {
        var place = Place.of(name);
        place.registry().unbind(place.name);
    }

    /// Gives an object a name, whosever it was.
    public static void rebind(String name, Remote object)
            throws RemoteException, MalformedURLException {
        var place = Place.of(name);
        place.registry().rebind(place.name, object);
    }

    /// The names of a registry, each with its place.
    public static String[] list(String name) throws RemoteException, MalformedURLException {
        var place = Place.of(name);
        var before = "//" + place.host + ":" + place.port + "/";
        return Arrays.stream(place.registry().list())
                .map(each -> before + each)
                .toArray(String[]::new);
    }
}
