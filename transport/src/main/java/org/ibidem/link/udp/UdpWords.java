package org.ibidem.link.udp;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ByteChannel;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.ClosedChannelException;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.ibidem.buffer.ByteQueue;
import org.ibidem.task.Tasks;

/// What is said on a path before it is used, whole and in order: one word at a time, repeated until
/// it was heard (RFC 9293's retransmission, with a window of one). The handshake needs no more.
///
/// The end that has begun the path proves its address with the first packet that names the other
/// end's number of it. What is lost before that is perhaps not repeated ([Allowance]), so this end
/// shows now and then that it still waits, as RFC 9002 has it in section 6.2.2.1.
final class UdpWords implements ByteChannel {
    /// Bytes of one word: fits into a packet everywhere.
    static final int LONGEST = 1024;

    private static final int MOST_WAITING = 64 << 10;
    private static final byte[] NOTHING = {};
    private static final long FIRST_NANOS = 100_000_000;
    private static final long LONGEST_NANOS = 1_000_000_000;

    private final UdpPath path;
    private final Tasks tasks;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final ByteQueue in = new ByteQueue(MOST_WAITING);

    /// Words that were said, heard, and have come.
    private int said;

    private int heard;
    private int come;
    private boolean over;

    /// The word that is being said waits until the other end has proved its address.
    private boolean withheld;

    UdpWords(UdpPath path, Tasks tasks) {
        this.path = path;
        this.tasks = tasks;
    }

    @Override
    public int read(ByteBuffer into) throws IOException {
        lockInterruptibly();
        try {
            long pause = FIRST_NANOS;
            while (in.size() == 0 && into.hasRemaining()) {
                if (!path.isOpen()) {
                    throw new ClosedChannelException();
                }
                if (over) {
                    return -1;
                }
                if (changed.awaitNanos(pause) <= 0) {
                    showThatItWaits();
                    pause = Math.min(2 * pause, LONGEST_NANOS);
                }
            }
            return in.get(into, Integer.MAX_VALUE);
        } catch (InterruptedException _) {
            throw interrupted();
        } finally {
            lock.unlock();
        }
    }

    /// Repeats the number of a word that was heard: the other end says again that it was, and sends
    /// what it may not have sent before.
    private void showThatItWaits() {
        try {
            if (path.visitor() == 0 && heard > 0 && heard == said) {
                boolean _ = path.say(Packet.WORD, heard - 1, NOTHING);
            }
        } catch (IOException _) {
            // lost, as the network may lose it
        }
    }

    /// Returns when all was heard at the other end.
    @Override
    public int write(ByteBuffer from) throws IOException {
        int all = from.remaining();
        while (from.hasRemaining()) {
            var word = new byte[Math.min(LONGEST, from.remaining())];
            from.get(word);
            say(word);
        }
        return all;
    }

    private void say(byte[] word) throws IOException {
        lockInterruptibly();
        try {
            int number = said++;
            long pause = FIRST_NANOS;
            while (heard - number <= 0) {
                if (over || !path.isOpen()) {
                    throw new ClosedChannelException();
                }
                withheld = !path.say(Packet.WORD, number, word);
                awaitHeard(number, pause);
                pause = Math.min(2 * pause, LONGEST_NANOS);
            }
        } catch (InterruptedException _) {
            throw interrupted();
        } finally {
            withheld = false;
            lock.unlock();
        }
    }

    private void awaitHeard(int number, long pause) throws InterruptedException {
        boolean before = withheld;
        long until = tasks.nanoTime() + pause;
        for (long left = pause;
                left > 0 && heard - number <= 0 && !over && path.isOpen() && withheld == before; ) {
            changed.awaitNanos(left);
            left = until - tasks.nanoTime();
        }
    }

    /// The other end has proved its address: what was withheld is said now.
    void proved() {
        lock.lock();
        try {
            withheld = false;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    private void lockInterruptibly() throws IOException {
        try {
            lock.lockInterruptibly();
        } catch (InterruptedException _) {
            throw interrupted();
        }
    }

    /// As channels do when the thread in them is interrupted.
    private IOException interrupted() {
        Thread.currentThread().interrupt();
        path.close();
        return new ClosedByInterruptException();
    }

    /// A word has come, perhaps again: then the answer was lost.
    void arrived(Packet packet, ByteBuffer payload) {
        lock.lock();
        try {
            int ahead = packet.number() - come;
            if (ahead > 0 || payload.remaining() > LONGEST) {
                return; // nobody says one before the last was heard
            }
            if (ahead == 0) {
                if (in.room() < payload.remaining()) {
                    return; // it is repeated
                }
                in.put(payload);
                come++;
                changed.signalAll();
            }
            boolean _ = path.say(Packet.HEARD, packet.number(), NOTHING);
        } catch (IOException _) {
            // lost, as the network may lose it: the word is repeated
        } finally {
            lock.unlock();
        }
    }

    /// The other end has heard this one.
    void heard(int number) {
        lock.lock();
        try {
            if (number == heard && heard - said < 0) {
                heard++;
                changed.signalAll();
            }
        } finally {
            lock.unlock();
        }
    }

    /// The path is over at one end.
    void over() {
        lock.lock();
        try {
            over = true;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    @Override
    public boolean isOpen() {
        return path.isOpen();
    }

    @Override
    public void close() {
        path.close();
    }
}
