package org.ibidem.hub;

import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.ibidem.buffer.Malformed;
import org.ibidem.link.Tasks;
import org.ibidem.registry.Member;
import org.ibidem.registry.wire.JoinRefusal;
import org.ibidem.registry.wire.Protocol;
import org.ibidem.registry.wire.Reply;
import org.ibidem.registry.wire.ReplyCoding;
import org.ibidem.registry.wire.Request;
import org.ibidem.registry.wire.RequestCoding;
import org.ibidem.service.ControlLink;
import org.ibidem.service.Ending;
import org.ibidem.topology.NodeId;
import org.jspecify.annotations.Nullable;

/// One connection of one node to the hub, from the handshake to its end; then says to the register
/// what its end means.
final class Session {
    private static final Logger LOG = System.getLogger(Session.class.getName());
    private static final Duration ATTACH_LIMIT = Duration.ofSeconds(10);
    private static final Duration LOOK_AGAIN = Duration.ofMillis(500);

    private final Register register;
    private final Prober prober;
    private final ControlLink link;
    private final Tasks tasks;
    private final long number;
    private final List<Member> recalled = new ArrayList<>();
    private volatile boolean attached;
    private long told = -1;

    Session(Register register, Prober prober, ControlLink link, Tasks tasks) {
        this.register = register;
        this.prober = prober;
        this.link = link;
        this.tasks = tasks;
        this.number = register.nextSession();
    }

    String pool() {
        return link.proved().hello().pool();
    }

    NodeId id() {
        return link.peer();
    }

    long number() {
        return number;
    }

    /// Serves the node until the link ends.
    void run() {
        link.onSilence(this::silent);
        var limit =
                tasks.after(
                        ATTACH_LIMIT,
                        "limit to attach",
                        () -> link.close("it did not attach in time"));
        try {
            for (var message = link.receive(); message != null; message = link.receive()) {
                obey(RequestCoding.decode(message));
                if (attached) {
                    limit.stop();
                }
            }
        } catch (Malformed e) {
            link.violated(String.valueOf(e.getMessage()));
        } finally {
            limit.stop();
        }
        ended(link.ending());
    }

    /// Tells the member what is new in its pool, one message at most; called by the register, under
    /// its lock.
    ///
    /// @return whether there is more
    boolean tell(Pool pool, Batches batches) {
        long last = pool.log.last();
        if (told == last) {
            return false;
        }
        var batch = batches.after(told);
        batch.messages().forEach(link::send);
        told = batch.last();
        return told < last && link.ending() == null;
    }

    /// The member was taken in; called by the register, under its lock.
    void welcome(Answer.Accepted accepted, long epoch, long last, long seen) {
        attached = true;
        told = seen;
        int rank = accepted.member().rank();
        send(new Reply.Welcome(Protocol.VERSION, epoch, last, rank, accepted.size(), observed()));
    }

    /// Ends the connection; may take a second.
    void end(String why) {
        link.close(why);
    }

    private void obey(Request request) {
        switch (request) {
            case Request.Unspoken(var version) ->
                    refuse(
                            JoinRefusal.VERSION,
                            "this hub speaks version "
                                    + Protocol.VERSION
                                    + " of the registry protocol, not "
                                    + version);
            case Request.Recall(var members) -> recall(members);
            case Request.Attach attach -> attach(attach);
            case Request.Leave() -> leave();
            case Request.Lookup(var call, var id) ->
                    send(new Reply.Found(call, register.contact(pool(), id)));
            case Request.Report(var id, var why) -> register.reported(pool(), id, why, prober);
        }
    }

    private void recall(List<Member> members) {
        if (attached || recalled.size() + members.size() > Protocol.MOST_MEMBERS) {
            link.violated(
                    "it recalls members " + (attached ? "after it was attached" : "without end"));
            return;
        }
        recalled.addAll(members);
    }

    private void attach(Request.Attach wish) {
        if (attached || !wish.contact().id().equals(id())) {
            link.violated(
                    attached
                            ? "it attaches twice"
                            : "it attaches as another node than it has proved to be");
            return;
        }
        switch (register.attach(this, wish, List.copyOf(recalled))) {
            case Answer.Refused(var code, var text) -> refuse(code, text);
            case Answer.Forgotten() -> send(new Reply.Forgotten());
            case Answer.Accepted _, Answer.Done _ -> recalled.clear();
        }
    }

    private void refuse(JoinRefusal code, String text) {
        send(new Reply.Refused(code, Protocol.clip(text)));
        link.close(text);
    }

    private void leave() {
        register.leave(this);
        attached = false;
        send(new Reply.Bye());
        link.close("it left");
    }

    private void send(Reply reply) {
        link.send(ReplyCoding.encode(reply));
    }

    private void silent(Duration since) {
        if (attached) {
            register.lost(this, "silent for " + since.toSeconds() + " s");
            tasks.after(LOOK_AGAIN, "listen for a silent node", () -> listen(since));
        } else {
            link.giveUp(since);
        }
    }

    private void listen(Duration since) {
        if (link.ending() == null) {
            if (link.quiet().compareTo(since) < 0) {
                register.heard(this);
            } else {
                tasks.after(LOOK_AGAIN, "listen for a silent node", () -> listen(since));
            }
        }
    }

    private void ended(@Nullable Ending ending) {
        LOG.log(
                ending instanceof Ending.Violation ? Level.WARNING : Level.DEBUG,
                "connection of node {0} of pool {1} ended: {2}",
                id().brief(),
                pool(),
                ending);
        if (attached) {
            switch (ending) {
                case Ending.EndOfStream() ->
                        register.proved(
                                this,
                                "its connection to the hub ended without a leave: its process is"
                                        + " gone");
                case Ending.Reset(var what) -> reset(what);
                case null, default ->
                        register.lost(this, "its connection to the hub ended: " + ending);
            }
        }
    }

    private void reset(String what) {
        register.lost(this, "its connection to the hub was reset: " + what);
        register.contact(pool(), id())
                .filter(prober::refused)
                .ifPresent(_ ->
                        register.proved(
                                this,
                                "its connection to the hub was reset, and nobody listens at its"
                                        + " addresses any more"));
    }

    private String observed() {
        try {
            if (link.proved().channel().getRemoteAddress() instanceof InetSocketAddress from) {
                var host = from.getAddress().getHostAddress();
                return (host.indexOf(':') < 0 ? host : "[" + host + "]") + ":" + from.getPort();
            }
        } catch (IOException _) {
            // the connection just ended; the reader will see it
        }
        return "";
    }
}
