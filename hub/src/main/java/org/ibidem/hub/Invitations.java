package org.ibidem.hub;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.Arrays;
import org.ibidem.accept.OriginQuota;
import org.ibidem.buffer.Malformed;
import org.ibidem.connect.Heartbeat;
import org.ibidem.control.ControlLink;
import org.ibidem.handshake.Admission;
import org.ibidem.handshake.Hello;
import org.ibidem.handshake.Proved;
import org.ibidem.handshake.Refusal;
import org.ibidem.identity.NodeKey;
import org.ibidem.task.Complaints;
import org.ibidem.task.Tasks;
import org.ibidem.trust.InvitationMessage;
import org.ibidem.trust.InvitationMessage.Call;
import org.ibidem.trust.InvitationMessage.Called;
import org.ibidem.trust.InvitationMessage.Offer;
import org.ibidem.trust.InvitationMessage.Over;
import org.ibidem.trust.InvitationMessage.Said;
import org.ibidem.trust.InvitationMessage.Slot;
import org.ibidem.trust.Trust;
import org.jspecify.annotations.Nullable;

/// Where who invites somebody into a pool and who has been given the code find each other, by the
/// number that the code begins with. The hub passes on what they say, one call at a time for each
/// slot; it learns nothing of the code by it (`docs/wire/invitation.md`). Who invites counts the
/// wrong codes; the hub bounds how often one address may try.
final class Invitations implements Admission {
    /// Calls that came to nothing, of one address within a minute.
    static final int MOST_A_MINUTE = 30;

    /// Of those who have been given a code, at a time.
    static final int MOST_CALLERS = 256;

    private static final Duration LIMIT = Duration.ofSeconds(30);
    private static final Logger LOG = System.getLogger(Invitations.class.getName());

    private static final ControlLink.Limits LIMITS =
            new ControlLink.Limits(
                    InvitationMessage.LONGEST,
                    16,
                    8 * InvitationMessage.LONGEST,
                    Heartbeat.USUAL.interval(),
                    Heartbeat.USUAL.silence());

    private final Trust trust;
    private final Tasks tasks;
    private final Complaints complaints;
    private final Complaints unheard; // of its own: what came before leaves room to say so
    private final Ration ration;
    private final OriginQuota<ControlLink> callers = new OriginQuota<>(MOST_CALLERS);
    private final Slots<Inviter> slots;

    /// @param trust says which pools have an authority
    Invitations(Trust trust, Tasks tasks) {
        this.trust = trust;
        this.slots = new Slots<>(trust.pools().size());
        this.tasks = tasks;
        this.complaints = new Complaints(LOG, tasks);
        this.unheard = new Complaints(LOG, tasks);
        this.ration = new Ration(MOST_A_MINUTE, tasks);
    }

    /// Who names a pool invites into it, and has shown an administrator's certificate then.
    @Override
    public Verdict judge(NodeKey claimed, Hello hello) {
        return hello.pool().isEmpty() || trust.governs(hello.pool())
                ? new Welcome()
                : new Refused(
                        Refusal.POOL,
                        "pool '"
                                + hello.pool()
                                + "' has no authority at this hub: nobody needs an invitation");
    }

    /// Serves one connection until it ends.
    void serve(Proved proved) {
        var link = ControlLink.over(proved, tasks, LIMITS);
        try {
            if (proved.hello().pool().isEmpty()) {
                call(link);
            } else {
                invite(link);
            }
        } catch (Malformed e) {
            link.violated(String.valueOf(e.getMessage()));
        } finally {
            link.close("the hub has nothing more to say");
        }
    }

    private void invite(ControlLink link) {
        var first = next(link);
        if (!(first instanceof Offer(var seconds))) {
            link.close("an inviting command sends its offer first");
            return;
        }
        var inviter = slots.take(link.proved().hello().pool(), slot -> new Inviter(slot, link));
        if (inviter == null) {
            link.close(
                    "this hub has "
                            + slots.most()
                            + " invitations into this pool: end some, or ask another hub");
            return;
        }
        var over =
                tasks.after(
                        Duration.ofSeconds(seconds),
                        "end of an invitation",
                        () -> link.close("the time of this invitation is over"));
        try {
            inviter.link.send(new Slot(inviter.slot).encode());
            for (var said = next(link); said != null; said = next(link)) {
                inviter.heard(said);
            }
        } finally {
            over.stop();
            slots.free(inviter.slot);
            inviter.end("the invitation has ended: ask for another code");
        }
    }

    /// To be called every now and then: who is trusted no more lets nobody in.
    void sweep() {
        for (var inviter : slots.all()) {
            var proved = inviter.link.proved();
            var key = proved.key().encoded();
            if (trust.revoked(proved.hello().pool()).stream()
                    .anyMatch(revoked -> Arrays.equals(revoked, key))) {
                closeLater(inviter.link, "the certificate of the inviting command was revoked");
            }
        }
    }

    private static @Nullable InvitationMessage next(ControlLink link) {
        var message = link.receive();
        return message == null ? null : InvitationMessage.decode(message);
    }

    private void call(ControlLink link) {
        var origin = OriginQuota.origin(link.proved().path());
        var pushed = callers.enter(link, origin);
        if (pushed != null) {
            closeLater(pushed, "too many at a time are trying codes here: try again");
        }
        var limit = tasks.after(LIMIT, "limit of a call", () -> link.close("it took too long"));
        try {
            if (!ration.take(origin)) {
                complain(unheard, link, "it was not heard: too many calls from its address");
                link.close(
                        "%d calls from this address came to nothing within a minute: try again later"
                                .formatted(MOST_A_MINUTE));
            } else if (next(link) instanceof Call(var slot, var said)) {
                call(link, slot, said);
            } else {
                link.close("a joining node names its code's slot first");
            }
        } finally {
            limit.stop();
            callers.leave(link);
        }
    }

    private void call(ControlLink link, int slot, byte[] said) {
        var inviter = slots.at(slot);
        if (inviter == null) {
            complain(link, "nobody invites at slot " + slot);
            link.close(
                    "nobody invites with a code that begins with "
                            + slot
                            + ": it was used, its time is over, or it is mistyped");
            return;
        }
        int call = inviter.begin(link, said);
        if (call == 0) {
            link.close("somebody else is trying this very code: try again in a moment");
            return;
        }
        try {
            for (var next = next(link); next != null; next = next(link)) {
                if (next instanceof Said(_, var more)) {
                    inviter.link.send(new Said(call, more).encode());
                }
            }
        } finally {
            inviter.gone(link, call);
        }
    }

    private void complain(ControlLink link, String what) {
        complain(complaints, link, what);
    }

    private static void complain(Complaints kind, ControlLink link, String what) {
        var from = OriginQuota.origin(link.proved().path());
        kind.say(Level.WARNING, "a call for an invitation from " + from + ": " + what);
    }

    private void closeLater(ControlLink link, String why) {
        tasks.start("end of a call", () -> link.close(why));
    }

    /// Who invites, and with whom it speaks now.
    private final class Inviter {
        private final int slot;
        private final ControlLink link;
        private int calls;
        private @Nullable ControlLink caller;

        Inviter(int slot, ControlLink link) {
            this.slot = slot;
            this.link = link;
        }

        /// @return the number of the call, or 0: there is another one
        synchronized int begin(ControlLink from, byte[] said) {
            if (caller != null) {
                return 0;
            }
            caller = from;
            calls = calls == Integer.MAX_VALUE ? 1 : calls + 1;
            link.send(new Called(calls, said).encode());
            return calls;
        }

        /// The caller has ended its connection.
        synchronized void gone(ControlLink from, int call) {
            if (from.equals(caller)) {
                caller = null;
                link.send(new Over(call, "it has gone").encode());
            }
        }

        synchronized void heard(InvitationMessage message) {
            var now = caller;
            switch (message) {
                case Said(var call, var said) when call == calls && now != null ->
                        now.send(new Said(0, said).encode());
                case Over(var call, var why) when call == calls && now != null -> over(now, why);
                case Said _, Over _ -> {
                    // of a call that has ended meanwhile
                }
                default -> link.violated("an inviting command does not send " + message);
            }
        }

        private void over(ControlLink from, String why) {
            if (why.isEmpty()) {
                ration.giveBack(OriginQuota.origin(from.proved().path()));
            } else {
                complain(from, "slot " + slot + ": " + why);
            }
            end(why.isEmpty() ? "done" : why);
        }

        synchronized void end(String why) {
            var now = caller;
            caller = null;
            if (now != null) {
                closeLater(now, why);
            }
        }
    }
}
