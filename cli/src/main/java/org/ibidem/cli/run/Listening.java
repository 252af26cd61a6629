package org.ibidem.cli.run;

import java.net.InetSocketAddress;
import java.util.stream.Collectors;
import org.ibidem.hub.Hub;

/// How it is told where a hub is.
public final class Listening {
    private Listening() {}

    /// All addresses at which it may be reached, as `--hub` takes one: `10.0.0.1:8888
    /// [2001:db8::1]:8888`.
    public static String at(Hub hub) {
        return hub.addresses().stream().map(Listening::text).collect(Collectors.joining(" "));
    }

    private static String text(InetSocketAddress address) {
        var host = address.getAddress().getHostAddress();
        int zone = host.indexOf('%');
        host = zone < 0 ? host : host.substring(0, zone);
        return (host.indexOf(':') < 0 ? host : "[" + host + "]") + ":" + address.getPort();
    }
}
