package org.ibidem.authority;

import java.time.Duration;
import org.ibidem.accept.HubPlace;
import org.ibidem.buffer.Malformed;
import org.ibidem.connect.Declarations;
import org.ibidem.connect.Heartbeat;
import org.ibidem.control.ControlLink;
import org.ibidem.control.Ending;
import org.ibidem.handshake.Handshake;
import org.ibidem.handshake.Hello;
import org.ibidem.handshake.Vetting;
import org.ibidem.identity.Identity;
import org.ibidem.link.Catalog;
import org.ibidem.task.Tasks;
import org.ibidem.trust.InvitationMessage;
import org.jspecify.annotations.Nullable;

/// A connection to the hub at which who invites and who is invited meet.
final class Line implements AutoCloseable {
    private static final ControlLink.Limits LIMITS =
            new ControlLink.Limits(
                    InvitationMessage.LONGEST,
                    16,
                    8 * InvitationMessage.LONGEST,
                    Heartbeat.USUAL.interval(),
                    Heartbeat.USUAL.silence());

    private final ControlLink link;
    private final HubPlace hub;

    private Line(ControlLink link, HubPlace hub) {
        this.link = link;
        this.hub = hub;
    }

    /// @param pool empty: this end has been given a code
    static Line to(String hub, String pool, Identity who, Tasks tasks, Duration limit) {
        var vetting = new Vetting(who.trust(), Declarations.NONE, Catalog.NONE);
        var handshake = new Handshake(who, tasks, limit, vetting);
        var place = HubPlace.parse(hub);
        var proved = place.dial(handshake, Hello.invitation(pool), tasks, limit);
        return new Line(ControlLink.over(proved, tasks, LIMITS), place);
    }

    void say(InvitationMessage message) {
        link.send(message.encode());
    }

    /// The next that the hub says, or passes on.
    ///
    /// @return null: the connection has ended
    /// @throws AuthorityFailed when it is garbage
    @Nullable InvitationMessage next() {
        var message = link.receive();
        try {
            return message == null ? null : InvitationMessage.decode(message);
        } catch (Malformed e) {
            throw new AuthorityFailed("hub " + hub + " sent what no hub sends: " + e.getMessage());
        }
    }

    /// Why it has ended, for people.
    String why() {
        return link.ending() instanceof Ending.Left(var reason)
                ? reason
                : "the connection to hub " + hub + " has ended: " + link.ending();
    }

    void end(String why) {
        link.close(why);
    }

    @Override
    public void close() {
        end("it has what it came for");
    }
}
