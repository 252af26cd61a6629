package org.ibidem.apps.view;

import java.rmi.NotBoundException;
import java.rmi.Remote;
import java.rmi.RemoteException;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import org.ibidem.IbidemException;
import org.ibidem.registry.Departed;
import org.ibidem.registry.HubUnreachable;
import org.ibidem.registry.Member;
import org.ibidem.registry.Visitor;
import org.ibidem.rmi.Rmi;

/// Looks into the window of one process again and again, and asks for the next sample when the last
/// one has come: as fast as its line and its steps are.
final class Follower implements Runnable {
    /// A process that has begun shows something in this time, and comes back in it.
    private static final Duration PATIENCE = Duration.ofSeconds(20);

    private static final Duration LONGEST_STEP = Duration.ofMinutes(1);
    private static final long AGAIN_NANOS = 200_000_000;

    private final Visitor visitor;
    private final Rmi rmi;
    private final Member member;
    private final Mosaic mosaic;
    private final int place;
    private long after = -1;
    private long heard = System.nanoTime();

    /// @param member whose window
    /// @param place where what it shows stands
    Follower(Visitor visitor, Rmi rmi, Member member, Mosaic mosaic, int place) {
        this.visitor = visitor;
        this.rmi = rmi;
        this.member = member;
        this.mosaic = mosaic;
        this.place = place;
    }

    @Override
    public void run() {
        try {
            while (!isOver() && !Thread.currentThread().isInterrupted()) {
                LockSupport.parkNanos(AGAIN_NANOS);
            }
            mosaic.end(place);
        } catch (RuntimeException e) {
            mosaic.fail("process " + member.rank() + " cannot be watched: " + e);
        }
    }

    /// Looks as long as it goes well.
    ///
    /// @return false: something is to be tried again
    private boolean isOver() {
        try {
            follow();
            return true;
        } catch (NotBoundException e) {
            return isLate(
                    "process "
                            + member.rank()
                            + " shows nothing: start the job with --serve to watch it");
        } catch (RemoteException e) {
            return Thread.currentThread().isInterrupted()
                    || !isThere()
                    || isLate("process " + member.rank() + " does not answer: " + e.getMessage());
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            return true;
        } catch (IbidemException e) {
            mosaic.fail(String.valueOf(e.getMessage()));
            return true;
        }
    }

    private void follow() throws RemoteException, NotBoundException, InterruptedException {
        Remote found = rmi.names().of(member.id()).lookup(Window.NAME);
        if (!(found instanceof Window window)) {
            throw new BadWatch("what process " + member.rank() + " shows is no picture");
        }
        var limited = rmi.within(window, LONGEST_STEP);
        for (Sample sample = limited.look(after); ; sample = limited.look(after)) {
            heard = System.nanoTime();
            after = sample.step();
            mosaic.put(place, sample);
            if (sample.last()) {
                return;
            }
        }
    }

    private boolean isLate(String why) {
        boolean late = System.nanoTime() - heard > PATIENCE.toNanos();
        if (late) {
            mosaic.fail(why);
        }
        return late;
    }

    private boolean isThere() {
        try {
            return visitor.members().stream().anyMatch(each -> each.id().equals(member.id()))
                    && visitor.contact(member.id(), PATIENCE).isPresent();
        } catch (Departed _) {
            return false;
        } catch (HubUnreachable _) {
            return true; // calls do not need the hub
        }
    }
}
