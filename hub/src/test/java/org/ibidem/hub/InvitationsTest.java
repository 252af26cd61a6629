package org.ibidem.hub;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.ibidem.accept.HubPlace;
import org.ibidem.arbitration.Threads;
import org.ibidem.control.ControlLink;
import org.ibidem.control.Ending;
import org.ibidem.handshake.Handshake;
import org.ibidem.handshake.Hello;
import org.ibidem.identity.Identity;
import org.ibidem.task.ManualTasks;
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
                .contains("names its code's slot first");
        assertThat(answer(new byte[] {9})).doesNotContain("nobody invites");
        assertThat(call(1)).contains("nobody invites");
    }

    @Test
    void a_ration_is_given_back_and_each_origin_has_its_own() {
        var tasks = new ManualTasks();
        var ration = new Ration(2, tasks);
        assertThat(ration.take("a")).isTrue();
        assertThat(ration.take("a")).isTrue();
        ration.giveBack("a");
        assertThat(ration.take("a")).isTrue();
        assertThat(ration.take("a")).isFalse();
        assertThat(ration.take("b")).isTrue();
        tasks.advance(Duration.ofMinutes(1));
        assertThat(ration.take("a")).isTrue();
    }

    @Test
    void of_more_origins_than_4096_the_one_that_came_first_is_forgotten() {
        var ration = new Ration(1, new ManualTasks());
        assertThat(ration.take("first")).isTrue();
        for (int i = 1; i < 4096; i++) {
            assertThat(ration.take(i)).isTrue();
        }
        assertThat(ration.take(1)).as("all are known").isFalse();
        assertThat(ration.take("another")).isTrue();
        assertThat(ration.take(2)).as("as are all but the first").isFalse();
        assertThat(ration.take("first")).isTrue();
    }
}
