package org.ibidem.hub;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.ibidem.arbitration.Threads;
import org.ibidem.service.ControlLink;
import org.ibidem.service.Ending;
import org.ibidem.service.Handshake;
import org.ibidem.service.Hello;
import org.ibidem.service.HubPlace;
import org.ibidem.service.Identity;
import org.ibidem.trust.InvitationMessage;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// What a hub lets those do who come with a code. How they get in: `InvitationTest` of the
/// authority.
@Timeout(120)
class InvitationsTest {
    private static final Duration LONG = Duration.ofSeconds(60);

    private final AtomicLong now = new AtomicLong();
    private final Threads threads = new Threads("test");
    private final Identity who = Identity.create();
    private final Hub hub = Hub.start(Hub.Options.DEFAULT.port(0), now::get);

    @AfterEach
    void end() {
        hub.close();
        threads.close();
    }

    private String answer(byte[] first) {
        var handshake = new Handshake(who, threads, LONG);
        var place = new HubPlace("127.0.0.1", hub.port());
        var proved = place.dial(handshake, Hello.invitation(""), threads, LONG);
        try (var link = ControlLink.over(proved, threads, ControlLink.Limits.DEFAULT)) {
            link.send(first);
            assertThat(link.receive()).isNull();
            return link.ending() instanceof Ending.Left(var why) ? why : "" + link.ending();
        }
    }

    private String call(int slot) {
        return answer(new InvitationMessage.Call(slot, new byte[9]).encode());
    }

    @Test
    void who_is_wrong_too_often_is_not_heard_for_a_minute() {
        for (int i = 1; i <= 100; i++) {
            assertThat(call(i))
                    .as("call %d", i)
                    .contains(
                            i <= Invitations.MOST_A_MINUTE
                                    ? "nobody invites with a code that begins with " + i
                                    : "30 calls from this address came to nothing within a minute");
        }
        now.addAndGet(Duration.ofSeconds(61).toNanos());
        assertThat(call(7)).contains("nobody invites with a code that begins with 7");
    }

    @Test
    void who_says_something_else_is_sent_away() {
        assertThat(answer(new InvitationMessage.Offer(60).encode()))
                .contains("says whom it wants first");
        assertThat(answer(new byte[] {9})).doesNotContain("nobody invites");
        assertThat(call(1)).contains("nobody invites");
    }

    @Test
    void a_ration_is_given_back_and_each_origin_has_its_own() {
        var tasks = new Hand();
        var ration = new Ration(2, tasks);
        assertThat(ration.take("a")).isTrue();
        assertThat(ration.take("a")).isTrue();
        ration.giveBack("a");
        assertThat(ration.take("a")).isTrue();
        assertThat(ration.take("a")).isFalse();
        assertThat(ration.take("b")).isTrue();
        tasks.pass(Duration.ofMinutes(1).toNanos());
        assertThat(ration.take("a")).isTrue();
    }
}
