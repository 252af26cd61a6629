package org.ibidem.apps.life;

import java.io.PrintStream;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.ibidem.IbidemException;
import org.ibidem.registry.HubUnreachable;
import org.ibidem.registry.Join;
import org.ibidem.registry.Node;
import org.ibidem.registry.PoolEvent;
import org.ibidem.registry.TooFewMembers;
import org.ibidem.topology.NodeId;
import org.jspecify.annotations.Nullable;

/// One process of the game.
///
/// Exit codes: 0 done, or left before in order; 1 failed or the field is not the sequential run's;
/// 2 misused. One that was told to end (`SIGTERM`) has 143, as usual.
public final class Life {
    private static final String ELECTION = "life";
    private static final Duration ALL_HERE_WITHIN = Duration.ofSeconds(60);
    private static final Duration LEAVE_WITHIN = Duration.ofSeconds(20);
    private static final long LOOK_AROUND_MILLIS = 200;
    private static final int TERMINATED = 143;

    private final Node node;
    private final Options options;
    private final Report report;
    private final LinkedBlockingQueue<Object> inbox = new LinkedBlockingQueue<>();
    private final CountDownLatch over = new CountDownLatch(1);
    private final Mailbox mailbox;
    private final Worker worker;
    private final Coordinator coordinator;

    private final Set<NodeId> members = new HashSet<>();
    private @Nullable NodeId winner;
    private @Nullable NodeId brokenWith;
    private long brokenAt;
    private boolean leaving;
    private @Nullable Integer exit;

    /// A process wishes to leave.
    private record LeaveWish() {}

    /// A process that plays on `node`; the coordinator reports to `out`.
    Life(Node node, Options options, PrintStream out) {
        this.node = node;
        this.options = options;
        this.report = new Report(options, out);
        this.mailbox = new Mailbox(node, options, inbox::add);
        this.worker = new Worker(node.id(), options.torus(), mailbox);
        var planner = new Planner(options.size(), options.era(), options.generations());
        this.coordinator = new Coordinator(node.id(), planner, mailbox, report);
    }

    /// Joins the pool that `ibidem run` names, plays, and ends the process with its exit code.
    public static void main(String[] args) {
        // The pool is open: whoever wants may join it later, under any rank.
        var join = Join.fromEnvironment();
        var open = join.size(Join.ANY_SIZE).rank(Join.ANY_RANK);
        try {
            var options = Options.parse(Math.max(1, join.size()), args);
            System.exit(play(open, options));
        } catch (BadJob e) {
            if (join.rank() <= 0) {
                System.err.println("life: " + e.getMessage());
            }
            System.exit(2);
        } catch (IbidemException e) {
            System.err.println("life: " + e.getMessage());
            System.exit(1);
        }
    }

    private static int play(Join join, Options options) {
        try (var node = Node.join(join)) {
            var life = new Life(node, options, System.out);
            try {
                Runtime.getRuntime().addShutdownHook(new Thread(life::leaveAndWait, "leave"));
            } catch (IllegalStateException _) {
                return TERMINATED; // told to end before it began
            }
            return life.run();
        }
    }

    /// Has this process hand over what it has and end.
    void leave() {
        inbox.add(new LeaveWish());
    }

    private void leaveAndWait() {
        leave();
        try {
            if (!over.await(LEAVE_WITHIN.toSeconds(), TimeUnit.SECONDS)) {
                System.err.println("life: could not hand its rows over; others compute them again");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /// Plays until the game is over, or this process has left it.
    ///
    /// @return the exit code
    int run() {
        try {
            awaitOthers();
            node.elections().elect(ELECTION);
            node.events(inbox::add);
            while (exit == null) {
                var next = inbox.poll(LOOK_AROUND_MILLIS, TimeUnit.MILLISECONDS);
                if (next == null) {
                    lookAround();
                } else {
                    take(next);
                }
            }
            return exit;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IbidemException("interrupted", e);
        } finally {
            mailbox.close();
            node.close();
            over.countDown();
        }
    }

    /// Waits for those who are started together, unless the game has begun.
    private void awaitOthers() {
        try {
            if (node.elections().result(ELECTION).isEmpty()) {
                node.awaitMembers(options.members(), ALL_HERE_WITHIN);
            }
        } catch (TooFewMembers e) {
            System.err.println("life: begins without the others: " + e.getMessage());
        }
    }

    private void take(Object next) {
        switch (next) {
            case Mailbox.Mail(var from, var letter) -> take(from, letter);
            case Mailbox.Broken(var with) -> {
                brokenWith = with;
                brokenAt = worker.attempt();
            }
            case Mailbox.Unreadable(var why) -> throw why;
            case PoolEvent event -> take(event);
            case LeaveWish _ -> wishToLeave();
            default -> throw new IllegalArgumentException("not for this process: " + next);
        }
    }

    private void take(NodeId from, Letter letter) {
        if (letter.attempt() < worker.attempt()) {
            return;
        }
        if (letter.attempt() > worker.attempt()) {
            worker.turnTo(letter.attempt());
        }
        switch (letter) {
            case Letter.Ask ask ->
                    mailbox.send(from, new Letter.Hold(ask.attempt(), leaving, worker.held()));
            case Letter.Work work -> worker.begin(work.plan(), from);
            case Letter.Rows _, Letter.Copy _, Letter.Edge _ -> worker.take(letter);
            case Letter.Hold _, Letter.Done _, Letter.Trouble _ -> coordinator.take(from, letter);
            case Letter.Release _ -> exit = 0;
        }
        if (report.gathered() && exit == null) {
            finish();
        }
    }

    private void take(PoolEvent event) {
        switch (event) {
            case PoolEvent.Joined(var member) -> {
                members.add(member.id());
                coordinator.joined(member);
            }
            case PoolEvent.Left(var member) -> gone(member.id());
            case PoolEvent.Died(var member, var why) -> {
                if (member.id().equals(node.id())) {
                    throw new IbidemException("this process was held for dead: " + why);
                }
                gone(member.id());
            }
            case PoolEvent.Elected(var election, var by, var term) -> {
                if (election.equals(ELECTION)) {
                    elected(by.id(), term);
                }
            }
            case PoolEvent.Terminated _ -> exit = 0;
            default -> {
                // does not matter here
            }
        }
    }

    private void gone(NodeId member) {
        members.remove(member);
        mailbox.forget(member);
        coordinator.gone(member);
        if (leaving && members.size() == 1) {
            exit = 1; // nobody is left to hand over to
        }
    }

    private void elected(NodeId by, long term) {
        winner = by;
        if (by.equals(node.id())) {
            coordinator.elected(term);
        } else {
            coordinator.replaced();
        }
    }

    private void wishToLeave() {
        leaving = true;
        if (members.size() <= 1) {
            exit = 1;
            return;
        }
        try {
            node.elections().withdraw(ELECTION);
        } catch (HubUnreachable e) {
            System.err.println("life: cannot hand over now: " + e.getMessage());
        }
    }

    /// Nothing comes any more, and letters may be lost between two that are both there: has the era
    /// planned anew.
    private void lookAround() {
        var with = brokenWith;
        if (with == null) {
            return;
        }
        brokenWith = null;
        if (brokenAt != worker.attempt() || !members.contains(with)) {
            return;
        }
        if (coordinator.active()) {
            coordinator.ask();
        } else if (winner != null) {
            mailbox.send(winner, new Letter.Trouble(brokenAt));
        }
    }

    private void finish() {
        var field = new byte[options.size()][];
        for (int row = 0; row < field.length; row++) {
            var cells = worker.held(options.generations(), row);
            if (cells == null) {
                throw new IllegalStateException("gathered, but row " + row + " is not there");
            }
            field[row] = cells;
        }
        exit = report.field(field) ? 0 : 1;
        node.terminate();
    }
}
