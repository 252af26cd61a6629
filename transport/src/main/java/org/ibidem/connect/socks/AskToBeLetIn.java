package org.ibidem.connect.socks;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import org.ibidem.connect.Broker;
import org.ibidem.connect.Route;
import org.ibidem.connect.socks.Plea.What;
import org.ibidem.link.Path;
import org.ibidem.task.Tasks;

/// The peer is asked to have its proxy open a port, and we connect to that: through a proxy of
/// ours, if there is one, and else directly.
final class AskToBeLetIn implements Route {
    private final Proxies proxies;
    private final Broker broker;
    private final String method;
    private final Tasks tasks;
    private volatile InetSocketAddress address =
            new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);

    AskToBeLetIn(Proxies proxies, Broker broker, String method, Tasks tasks) {
        this.tasks = tasks;
        this.proxies = proxies;
        this.broker = broker;
        this.method = method;
    }

    @Override
    public InetSocketAddress address() {
        return address;
    }

    @Override
    public String via() {
        return "a port that its proxy opens:";
    }

    @Override
    public Path connect(Sockets sockets) throws IOException, InterruptedException {
        var answer = broker.propose(method, new Plea(What.BIND, null).encode(), LetIn.PLEA);
        var open = Plea.decodeAnswer(answer);
        if (open == null) {
            throw new ProxyFailed("the other end does not say where its proxy listens");
        }
        address = open;
        var ways = new ArrayList<Route>();
        proxies.on(open).forEach(proxy -> ways.add(new ProxyRoute(proxy, open, tasks)));
        ways.add(Route.to(open, tasks));
        while (true) {
            try {
                return ways.removeFirst().connect(sockets);
            } catch (IOException | ProxyFailed e) {
                if (ways.isEmpty()) {
                    throw e;
                }
            }
        }
    }
}
