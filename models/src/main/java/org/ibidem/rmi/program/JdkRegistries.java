package org.ibidem.rmi.program;

import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.net.UnknownHostException;
import java.rmi.NoSuchObjectException;
import java.rmi.RemoteException;
import java.rmi.registry.Registry;
import java.util.HashMap;
import java.util.Map;

/// The JDK's registries that this process has made, by port: for what the JDK exports by its own
/// RMI, such as JMX connectors.
final class JdkRegistries {
    private static final Map<Integer, Registry> MADE = new HashMap<>();

    private JdkRegistries() {}

    /// Makes one, with a listener, unless this process has made it before.
    ///
    /// @return false: it would be that of another host
    static synchronized boolean made(String host, int port) throws RemoteException {
        if (!isHere(host)) {
            return false;
        }
        if (!MADE.containsKey(port)) {
            MADE.put(port, java.rmi.registry.LocateRegistry.createRegistry(port));
        }
        return true;
    }

    private static boolean isHere(String host) {
        try {
            var address = InetAddress.getByName(host); // of an empty name the loopback address
            return address.isLoopbackAddress()
                    || NetworkInterface.getByInetAddress(address) != null;
        } catch (UnknownHostException | SocketException _) {
            return false;
        }
    }

    static synchronized void end(int port) throws NoSuchObjectException {
        var made = MADE.remove(port);
        if (made != null) {
            java.rmi.server.UnicastRemoteObject.unexportObject(made, true);
        }
    }
}
