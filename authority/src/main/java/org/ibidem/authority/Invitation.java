package org.ibidem.authority;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.security.SecureRandom;
import java.time.Duration;
import org.ibidem.buffer.Malformed;
import org.ibidem.task.Tasks;
import org.ibidem.trust.InvitationMessage;
import org.ibidem.trust.InvitationMessage.Called;
import org.ibidem.trust.InvitationMessage.Offer;
import org.ibidem.trust.InvitationMessage.Over;
import org.ibidem.trust.InvitationMessage.Said;
import org.ibidem.trust.InvitationMessage.Slot;
import org.ibidem.trust.Role;
import org.ibidem.trust.Standing;
import org.jspecify.annotations.Nullable;

/// Lets one node into a pool, once, by a short code: waits at a hub until somebody comes who has
/// it, and gives him a certificate for his key. Three wrong codes end it.
///
/// ```java
/// try (var invitation = Invitation.offer(authority, "hub:8888", guest, tasks)) {
///     System.out.println(invitation.code());
///     invitation.await();
/// }
/// ```
///
/// In the authority's place a [Delegate] may invite.
///
/// The hub passes on what the two say; it learns nothing of the code by it, and what it alters
/// makes the code a wrong one (`docs/wire/invitation.md`).
public final class Invitation implements AutoCloseable {
    /// So many wrong codes, then the right one counts no more either.
    public static final int TRIES = 3;

    private static final Logger LOG = System.getLogger(Invitation.class.getName());
    private static final Duration LIMIT = Duration.ofSeconds(30);

    /// By how much longer than the code the certificate counts with which this end speaks.
    private static final Duration SLACK = Duration.ofMinutes(10);

    private final Issuer issuer;
    private final Guest guest;
    private final Line line;
    private final OneTimeCode code;
    private int wrong;
    private int call;
    private @Nullable Letters letters;

    /// Who is to be let in.
    ///
    /// @param name for people
    /// @param standing what he will be
    /// @param lasts how long his certificate counts
    /// @param open how long the code does, at most a day
    public record Guest(String name, Standing standing, Duration lasts, Duration open) {
        /// Checks it.
        public Guest {
            if (open.toSeconds() < 1 || open.toSeconds() > InvitationMessage.LONGEST_OFFER) {
                throw new IllegalArgumentException(
                        "a code is valid for 1 second to 1 day, not for " + open);
            }
        }
    }

    private Invitation(Issuer issuer, Guest guest, Line line, OneTimeCode code) {
        this.issuer = issuer;
        this.guest = guest;
        this.line = line;
        this.code = code;
    }

    /// Invites, from now on.
    ///
    /// @param hub `host:port` of a hub of the pool; this end refuses any other
    /// @throws IllegalArgumentException when that is no address
    /// @throws AuthorityFailed when the hub does not let it, or a delegate is to last too long
    public static Invitation offer(PoolAuthority authority, String hub, Guest guest, Tasks tasks) {
        if (guest.standing().role() == Role.DELEGATE) {
            Delegate.requireShort(guest.lasts());
        }
        return offer(authority.issuer(), hub, guest, tasks);
    }

    /// Invites in the authority's place, from now on.
    ///
    /// @param hub `host:port` of a hub of the pool; this end refuses any other
    /// @throws IllegalArgumentException when that is no address
    /// @throws AuthorityFailed when the delegate may not let in this one, or the hub does not let
    ///   it
    public static Invitation offer(Delegate delegate, String hub, Guest guest, Tasks tasks) {
        delegate.requireMay(guest.standing());
        return offer(delegate.issuer(), hub, guest, tasks);
    }

    private static Invitation offer(Issuer issuer, String hub, Guest guest, Tasks tasks) {
        var who = issuer.speaker("invitation of " + guest.name(), guest.open().plus(SLACK));
        var line = Line.to(hub, issuer.pool(), who, tasks, LIMIT);
        line.say(new Offer((int) guest.open().toSeconds()));
        if (line.next() instanceof Slot(var slot)) {
            return new Invitation(issuer, guest, line, OneTimeCode.at(slot));
        }
        line.close();
        throw new AuthorityFailed("hub " + hub + " does not take the invitation: " + line.why());
    }

    /// To be told to who is invited, and to nobody else.
    public OneTimeCode code() {
        return code;
    }

    /// Who is let in by it.
    public Guest guest() {
        return guest;
    }

    /// Waits until somebody has come who has the code, and was let in.
    ///
    /// @throws AuthorityFailed when nobody has: the code has been tried three times in vain, its
    ///   time is over, or the hub has gone
    public void await() {
        for (var next = line.next(); next != null; next = line.next()) {
            if (hear(next)) {
                return;
            }
        }
        throw new AuthorityFailed("the code is no longer valid: " + line.why());
    }

    /// @return whether the node is in
    private boolean hear(InvitationMessage message) {
        try {
            switch (message) {
                case Called(var number, var said) -> {
                    call = number;
                    var fresh = new Letters(true, code, new SecureRandom());
                    line.say(new Said(call, fresh.answer(said)));
                    letters = fresh;
                }
                case Said(var number, var said) -> {
                    var now = letters;
                    if (now != null && number == call) {
                        letters = null; // one guess for each call
                        admit(now.wanted(said));
                        line.end("the code was used");
                        return true;
                    }
                }
                default -> letters = null;
            }
        } catch (WrongCode | Malformed e) {
            letters = null;
            refuse(String.valueOf(e.getMessage()));
        }
        return false;
    }

    private void admit(Letters.Wanted wanted) {
        var own = issuer.issue(guest, wanted.key());
        var admittance = new Admittance(guest.name(), issuer.root(), own);
        line.say(new Said(call, Letters.admit(wanted.keys(), admittance)));
        line.say(new Over(call, ""));
    }

    private void refuse(String why) {
        wrong++;
        LOG.log(
                Level.WARNING,
                "a joining node tried a wrong code for {0}-…: {1}",
                "" + code.slot(),
                why);
        var left = TRIES - wrong;
        line.say(
                new Over(
                        call,
                        "the code is wrong, or a message was altered on the way; "
                                + (left > 0
                                        ? "attempts left: " + left
                                        : "it is no longer valid: ask for another code")));
        if (left == 0) {
            line.end("three wrong codes were tried");
            throw new AuthorityFailed(
                    "three wrong codes were tried, so this code is no longer valid: somebody"
                            + " mistypes or guesses. No node was admitted; make another code");
        }
    }

    /// Ends it: the code counts no more.
    @Override
    public void close() {
        line.end("the invitation was ended");
    }
}
