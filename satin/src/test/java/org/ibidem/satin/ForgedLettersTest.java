package org.ibidem.satin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.ibidem.Eventually.withinAMinute;

import ibis.satin.SharedObject;
import java.io.IOException;
import java.io.InvalidObjectException;
import java.io.ObjectInputStream;
import java.io.Serializable;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Callable;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Predicate;
import org.ibidem.IbidemException;
import org.ibidem.Logged;
import org.ibidem.identity.Identity;
import org.ibidem.port.Capability;
import org.ibidem.port.PortType;
import org.ibidem.port.ReceivePort;
import org.ibidem.port.ReceiveSetup;
import org.ibidem.port.SendPort;
import org.ibidem.registry.Join;
import org.ibidem.registry.Node;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// A letter counts from the process that was asked, or that has the job, and from no other.
@Timeout(60)
class ForgedLettersTest extends InOneJvm {
    private static final Duration LIMIT = Duration.ofSeconds(20);
    private static final PortType TYPE =
            PortType.manyToOne().with(Capability.UPCALLS).stack("auto").named(Post.NAME);
    private static final int HERE = 1;
    private static final int FORGED = 2;
    private static final int RIGHT = 3;

    /// What it says is nobody's to hear.
    private static final Parcel NO_JOB =
            new Parcel(
                    new Crew(
                            Copies.policy(false, ForgedLettersTest.class.getClassLoader()),
                            false,
                            Identity.create().id()),
                    77,
                    1,
                    "no job".getBytes(StandardCharsets.UTF_8));

    private @Nullable Mouth thief;
    private @Nullable Mouth liar;

    /// A member that writes letters by hand, and never has a job for anybody.
    private final class Mouth implements AutoCloseable {
        private final Node node = Node.join(Join.pool("satin").hub("localhost:" + hub.port()));
        private final SendPort out = SendPort.open(node, TYPE, "by hand");
        private final BlockingQueue<Letter> heard = new LinkedBlockingQueue<>();
        private final ReceivePort in;
        private final boolean answers;

        /// @param answers whether it says that it has no job
        Mouth(Satin to, boolean answers) {
            this.answers = answers;
            var setup =
                    ReceiveSetup.USUAL.upcall(message -> hear(Letter.head(message).read(message)));
            in = ReceivePort.open(node, TYPE, Post.NAME, setup);
            out.connect(nodes.get(parts.indexOf(to)).id(), Post.NAME, LIMIT);
        }

        private void hear(Letter letter) {
            heard.add(letter);
            if (answers && letter.kind() == Letter.Kind.ASK) {
                say(Letter.none(letter.number()));
            }
        }

        synchronized void say(Letter letter) {
            ForgedLettersTest.say(out, letter);
        }

        /// Says the half of a letter.
        synchronized void givesUp(Letter letter) {
            try (var message = out.newMessage()) {
                message.writeArray(letter.head()).flush();
            }
        }

        /// The next letter of this kind.
        Letter hears(Predicate<Letter.Kind> wanted) throws InterruptedException {
            while (true) {
                var next = heard.poll(LIMIT.toSeconds(), TimeUnit.SECONDS);
                assertThat(next).as("a letter of the root").isNotNull();
                if (wanted.test(next.kind())) {
                    return next;
                }
            }
        }

        Letter hears(Letter.Kind wanted) throws InterruptedException {
            return hears(kind -> kind == wanted);
        }

        /// Until all was read that it has said.
        void isHeard() throws InterruptedException {
            say(Letter.count(7));
            hears(Letter.Kind.COUNTED);
        }

        /// Until what it says is heard no more.
        void isDropped() {
            withinAMinute(
                    "its connection was ended",
                    () -> {
                        try {
                            say(Letter.none(Long.MAX_VALUE)); // finds out
                            return out.connections().isEmpty();
                        } catch (IbidemException _) {
                            return true;
                        }
                    });
        }

        @Override
        public void close() {
            out.close();
            in.close();
            node.close();
        }
    }

    @AfterEach
    void fallSilent() {
        for (var each : new Mouth[] {thief, liar}) {
            if (each != null) {
                each.close();
            }
        }
    }

    private Mouth thief(Satin of, boolean answers) {
        var made = new Mouth(of, answers);
        thief = made;
        return made;
    }

    private Mouth liar(Satin to) {
        var made = new Mouth(to, true);
        liar = made;
        return made;
    }

    private static Crew crew() {
        return Objects.requireNonNull(Worker.current()).crew();
    }

    /// Says where it was done.
    private static final class Where extends Job {
        private static final long serialVersionUID = 1;
        private transient int value;

        @Override
        protected void run() {
            value = HERE;
        }

        @Override
        protected Object result() {
            return value;
        }

        @Override
        protected void result(@Nullable Object came) {
            value = came instanceof Integer number ? number : 0;
        }
    }

    private static byte[] outcome(Letter.Kind kind, int value) {
        return switch (kind) {
            case DONE -> crew().copies().write(new Outcome(value, null));
            case THREW ->
                    crew().copies()
                            .write(new Outcome(null, new IllegalStateException("it is forged")));
            default -> new byte[0];
        };
    }

    @ParameterizedTest
    @EnumSource(names = {"DONE", "THREW", "BACK"})
    void what_became_of_a_job_is_its_thiefs_to_say(Letter.Kind kind) throws Exception {
        var root = part();
        var thief = thief(root, true);
        var liar = liar(root);
        Callable<Integer> program =
                () -> {
                    var job = new Where();
                    var last = Job.spawn(job, null);
                    thief.say(Letter.ask(1));
                    long stamp = thief.hears(Letter.Kind.GIVE).stamp();
                    liar.say(new Letter(kind, 0, stamp, outcome(kind, FORGED)));
                    liar.isDropped();
                    thief.say(
                            new Letter(
                                    Letter.Kind.DONE, 0, stamp, outcome(Letter.Kind.DONE, RIGHT)));
                    thief.isHeard();
                    Job.sync(last);
                    return job.value;
                };
        assertThat(root.run(program)).isEqualTo(RIGHT);
        assertThat(root.statistics().redone()).isZero();
    }

    @Test
    void a_job_that_was_not_asked_of_its_giver_drops_it() throws Exception {
        var root = worker();
        var thief = thief(root, false);
        var liar = liar(root);
        long number = thief.hears(Letter.Kind.ASK).number();
        liar.say(Letter.give(number, NO_JOB));
        liar.isDropped();
        assertThat(liar.heard)
                .extracting(Letter::kind)
                .doesNotContain(Letter.Kind.BACK, Letter.Kind.DONE);
    }

    /// Letters that nothing of the process to which they go can have caused.
    @SuppressWarnings("ImmutableEnumChecker") // nobody changes a letter's body
    enum Forgery {
        JOB_OF_NO_QUESTION(Letter.give(Long.MAX_VALUE, NO_JOB)),
        NO_ANSWERED_TO_NO_QUESTION(Letter.none(Long.MAX_VALUE)),
        RESULT_OF_NO_JOB(new Letter(Letter.Kind.DONE, 0, Long.MAX_VALUE, new byte[0])),
        JOB_THAT_CAME_BACK_AND_WAS_NOT_GIVEN(Letter.back(Long.MAX_VALUE, "")),
        TALLY_OF_NO_QUESTION(Letter.counted(Long.MAX_VALUE, Tally.NONE));

        private final Letter letter;

        Forgery(Letter letter) {
            this.letter = letter;
        }
    }

    @ParameterizedTest
    @EnumSource
    void who_forges_a_letter_is_dropped_and_the_log_says_so(Forgery forgery) throws Exception {
        var root = part();
        var liar = liar(root);
        try (var log = new Logged(Post.class)) {
            liar.isHeard();
            liar.say(forgery.letter);
            liar.isDropped();
            var ended = "the connections of " + liar.node.id() + " are ended";
            assertThat(log.lines()).filteredOn(line -> line.contains(ended)).hasSize(1);
            liar.out.connect(nodes.getFirst().id(), Post.NAME, LIMIT); // it may try again
            liar.say(Letter.count(8));
            liar.isDropped();
            assertThat(liar.heard).extracting(Letter::number).doesNotContain(8L);
        }
        // and who remains is served
        thief(root, true).isHeard();
    }

    /// Its head says that it is longer than any may be.
    private static void sayTooLong(SendPort out, Letter letter) {
        var head = letter.head();
        ByteBuffer.wrap(head).order(ByteOrder.LITTLE_ENDIAN).putInt(4, Integer.MAX_VALUE);
        try (var message = out.newMessage()) {
            message.writeArray(head);
            message.finish();
        }
    }

    @Test
    void a_result_too_long_to_be_read_has_its_job_done_at_home() throws Exception {
        var root = part();
        var thief = thief(root, true);
        Callable<Integer> program =
                () -> {
                    var job = new Where();
                    var last = Job.spawn(job, null);
                    thief.say(Letter.ask(1));
                    long stamp = thief.hears(Letter.Kind.GIVE).stamp();
                    sayTooLong(thief.out, new Letter(Letter.Kind.DONE, 0, stamp, new byte[0]));
                    thief.isHeard();
                    Job.sync(last);
                    return job.value;
                };
        assertThat(root.run(program)).isEqualTo(HERE);
        assertThat(root.statistics().redone()).isEqualTo(1);
    }

    @Test
    void a_job_too_long_to_be_read_that_was_not_asked_for_is_forged() throws Exception {
        var liar = liar(part());
        sayTooLong(liar.out, Letter.give(Long.MAX_VALUE, NO_JOB));
        liar.isDropped();
        assertThat(liar.heard).extracting(Letter::kind).doesNotContain(Letter.Kind.BACK);
    }

    @Test
    void letters_that_may_be_late_are_passed_over_and_their_sender_stays() throws Exception {
        var root = part();
        var thief = thief(root, true);
        Callable<Integer> program =
                () -> {
                    var job = new Where();
                    var last = Job.spawn(job, null);
                    thief.say(Letter.ask(1));
                    long stamp = thief.hears(Letter.Kind.GIVE).stamp();
                    for (int i = 0; i < 2; i++) {
                        thief.say(new Letter(Letter.Kind.BACK, 0, stamp, new byte[0]));
                        thief.say(Letter.abandon(stamp));
                        thief.say(Letter.claim(77, 77));
                        thief.say(Letter.orphan(77, 77));
                    }
                    thief.isHeard();
                    Job.sync(last);
                    return job.value;
                };
        assertThat(root.run(program)).isEqualTo(HERE);
        thief.isHeard();
    }

    private static final AtomicBoolean LAST = new AtomicBoolean();

    /// Says when it is read, after all that came before it.
    private static final class Last implements Serializable {
        private static final long serialVersionUID = 1;

        private void readObject(ObjectInputStream in) throws IOException {
            LAST.set(true);
        }
    }

    /// It found no room for the rest, and is written again.
    @Test
    void a_letter_that_its_sender_gives_up_is_no_fault() throws Exception {
        var root = part();
        try (var log = new Logged(Post.class);
                var mouth = new Mouth(root, true)) {
            mouth.givesUp(new Letter(Letter.Kind.DONE, 0, 1, new byte[100]));
            mouth.isHeard();
            var name = mouth.node.id().toString();
            assertThat(log.lines()).noneMatch(line -> line.contains(name));
        }
    }

    /// Whoever reads nothing has as many answers wait as there can be questions, and no more.
    @Test
    void answers_that_nobody_reads_are_bounded() throws Exception {
        int most = 1024 + Orphans.MOST;
        var options = Satin.Options.USUAL.loader(ForgedLettersTest.class.getClassLoader());
        var join = Join.pool("satin").hub("localhost:" + hub.port());
        try (var node = Node.join(join);
                var deaf = Node.join(join)) { // it has no port for letters
            var policy = Copies.policy(false, options.loader());
            var crew = new Crew(policy, false, node.id());
            var post = new Post(crew, node, options);
            try (var out = SendPort.open(deaf, TYPE, "by hand")) {
                out.connect(node.id(), Post.NAME, LIMIT);
                for (int i = 0; i < 2 * most; i++) {
                    say(out, Letter.claim(i, i));
                }
                say(out, Letter.share(crew.copies().bytes(new Last())));
                withinAMinute("all was read", LAST::get);
                assertThat(post.waiting(deaf.id())).isLessThanOrEqualTo(most).isGreaterThan(1024);
            } finally {
                post.close();
            }
        }
    }

    /// A member that shares objects without end has as many kept as there is room for.
    @Test
    void shared_objects_that_are_kept_of_one_process_are_bounded() throws Exception {
        var policy = Copies.policy(false, ForgedLettersTest.class.getClassLoader());
        var crew = new Crew(policy, false, Identity.create().id());
        var liar = Identity.create().id();
        int state = 10_000;
        crew.sharing().mostBrought(8L * (state + 2_000));
        int taken = 0;
        InvalidObjectException refused = null;
        for (int i = 0; i < 20; i++) {
            try {
                crew.sharing().shared(liar, exported(new Large(state)));
                taken++;
            } catch (InvalidObjectException e) {
                refused = e;
            }
        }
        assertThat(taken).isBetween(8, 9);
        assertThat(crew.sharing().copies()).isEqualTo(taken);
        assertThat(refused).hasMessageContaining(liar.toString()).hasMessageContaining("(-Xmx)");
        crew.sharing().shared(Identity.create().id(), exported(new Large(state)));
        assertThat(crew.sharing().copies())
                .as("others have room of their own")
                .isEqualTo(taken + 1);
    }

    /// As whoever exports it writes it.
    private static byte[] exported(SharedObject object) throws IOException {
        var policy = Copies.policy(false, ForgedLettersTest.class.getClassLoader());
        return new Crew(policy, false, Identity.create().id()).copies().write(object);
    }

    /// Has a state of so many bytes.
    private static final class Large extends SharedObject {
        private static final long serialVersionUID = 1;

        @SuppressWarnings("UnusedVariable") // it is there to be shared
        private final byte[] state;

        Large(int state) {
            this.state = new byte[state];
        }
    }

    /// Writes to objects that never come are kept by their bytes, the newest of them.
    @Test
    void writes_that_wait_for_an_object_are_bounded_by_their_bytes() {
        var policy = Copies.policy(false, ForgedLettersTest.class.getClassLoader());
        var crew = new Crew(policy, false, Identity.create().id());
        var liar = Identity.create().id();
        for (int i = 1; i <= 100; i++) {
            crew.sharing().written(liar, "no object", i, new byte[1 << 20]);
            crew.sharing().look();
        }
        assertThat(crew.sharing().early()).isBetween(32L << 20, 64L << 20);
    }

    private static void say(SendPort out, Letter letter) {
        try (var message = out.newMessage()) {
            letter.write(message);
            message.finish();
        }
    }

    /// While all processes are there, nobody has a job whose giver is dead.
    @Test
    void an_orphan_is_believed_of_nobody_while_all_are_there() throws Exception {
        var root = part();
        var liar = liar(root);
        Callable<Integer> program =
                () -> {
                    var job = new Where();
                    var last = Job.spawn(job, null);
                    long sum = Orphans.sum(crew().copies().write(job));
                    liar.say(Letter.orphan(job.place, sum));
                    liar.isHeard();
                    Job.sync(last);
                    return job.value;
                };
        assertThat(root.run(program)).isEqualTo(HERE);
        assertThat(root.statistics().reused()).isZero();
    }
}
