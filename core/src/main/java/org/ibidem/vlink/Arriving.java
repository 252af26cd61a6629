package org.ibidem.vlink;

import org.ibidem.IbidemException;
import org.ibidem.channel.Acceptor;
import org.ibidem.channel.InChannel;
import org.ibidem.topology.NodeId;
import org.jspecify.annotations.Nullable;

/// A VLink that somebody connects to a listener here: one channel is there, the other is opened.
final class Arriving implements Acceptor.Receiver {
    private final Connecting connecting;
    private final VLinkListener listener;
    private final VLinkRequest.Connect wanted;
    private final From from;
    private @Nullable VLink link;
    private boolean over;

    /// Who connects, over what.
    record From(NodeId peer, String stack) {}

    Arriving(
            Connecting connecting, VLinkListener listener, VLinkRequest.Connect wanted, From from) {
        this.connecting = connecting;
        this.listener = listener;
        this.wanted = wanted;
        this.from = from;
    }

    @Override
    public void attach(InChannel incoming) {
        try {
            connecting.owner().tasks().start("accept a VLink", () -> openBack(incoming));
        } catch (IllegalStateException _) {
            giveUp(incoming, "the node was closed");
        }
    }

    private void openBack(InChannel incoming) {
        try {
            var out = connecting.openBack(from.peer, from.stack, wanted.token());
            var made =
                    new VLink(
                            connecting.owner(),
                            incoming,
                            out,
                            new VLink.About(wanted.name(), wanted.note(), from.stack));
            boolean late;
            synchronized (this) {
                late = over;
                link = made;
                over = true;
            }
            if (late) { // it was cancelled
                out.giveUp("the connecting end gave up");
                out.detached();
                return;
            }
            connecting.owner().add(made);
            listener.arrived(made);
        } catch (IbidemException | IllegalStateException e) {
            giveUp(incoming, String.valueOf(e.getMessage()));
        }
    }

    private void giveUp(InChannel incoming, String why) {
        synchronized (this) {
            if (over) {
                return;
            }
            over = true;
        }
        listener.leavePlace();
        incoming.refuseRest(Words.noWayBack(why));
    }

    @Override
    public void failed(String why) {
        listener.leavePlace(); // who asked tries another stack, or says so
    }

    @Override
    public void cancelled(InChannel channel) {
        VLink made;
        boolean mine;
        synchronized (this) {
            mine = !over;
            over = true;
            made = link;
        }
        if (mine) {
            listener.leavePlace();
            channel.ended();
        } else if (made != null) {
            listener.gone(made);
            made.cancelled();
        } else {
            channel.ended();
        }
    }
}
