package org.ibidem.filter.reliable;

import java.time.Duration;
import org.ibidem.buffer.Frame;
import org.ibidem.link.FrameSink;
import org.ibidem.link.LinkBroken;

/// What one end sends: frames for the first time and again, acknowledgements, questions. Guarded by
/// the link.
///
/// An acknowledgement travels with frames; without any it is sent after some frames, after a
/// moment, or at once where the other end may have to repeat something. A frame is sent again when
/// it was not acknowledged in time (RFC 6298), and when an answer says that frames well behind it
/// have come, at most once in a round trip.
final class Speech {
    private static final int ANSWER_EVERY = 8;
    private static final long OWED_NANOS = 2_000_000;
    private static final long LEAST_PAUSE_NANOS = 500_000;

    private final FrameSink lower;
    private final int headerOffset;
    private final SendWindow sending;
    private final ReceiveWindow receiving;
    private final long silence;
    private final RoundTrip trip = new RoundTrip();
    private final Frame out = new Frame();

    private int owed;
    private long owedSince;
    private boolean now;
    private int toldLimit;

    private boolean wanted;
    private long asked;
    private long heard;
    private boolean unpushed;

    Speech(
            FrameSink lower,
            int headerOffset,
            SendWindow sending,
            ReceiveWindow receiving,
            Duration silence) {
        this.lower = lower;
        this.headerOffset = headerOffset;
        this.sending = sending;
        this.receiving = receiving;
        this.silence = silence.toNanos();
        this.toldLimit = receiving.limit();
    }

    /// Something came from the other end.
    void heard(long at) {
        heard = at;
    }

    /// Another frame has come.
    void owes(long at) {
        if (owed++ == 0) {
            owedSince = at;
        }
    }

    void answerNow() {
        now = true;
    }

    /// The reader has given places back: when they are many, the other end has to know.
    void hasRead() {
        if (receiving.limit() - toldLimit >= sending.size() / 4) {
            now = true;
        }
    }

    /// The writer waits for the other end to take more.
    void wants(boolean more, long at) {
        if (more && !wanted) {
            asked = at;
        }
        wanted = more;
    }

    /// Takes what a header says of what was sent here.
    ///
    /// @return false: no such thing can be
    boolean answered(Header header, long at) {
        if (!sending.acknowledged(header.acknowledged(), header.limit(), at, trip)) {
            return false;
        }
        boolean missing = header.gap() && header.acknowledged() == sending.first();
        if (missing && sending.underWay() && at - sending.firstSentAt() >= pause()) {
            boolean _ = transmit(sending.first(), at);
        }
        return true;
    }

    /// What was just sent again cannot be known to be lost yet.
    private long pause() {
        return Math.max(LEAST_PAUSE_NANOS, trip.smoothed());
    }

    /// Whether there is something that has to be looked after as time goes by.
    boolean isOpen() {
        return owed > 0
                || now
                || unpushed
                || !sending.allAcknowledged()
                || (wanted && !sending.mayGo());
    }

    /// Nanoseconds until something is due.
    long left(long at) {
        if (unpushed || now || !sending.allSent()) {
            return 0;
        }
        long left = owed > 0 ? owedSince + OWED_NANOS - at : Long.MAX_VALUE;
        if (sending.underWay()) {
            left = Math.min(left, sending.firstSentAt() + trip.timeout() - at);
        }
        return left;
    }

    /// Sends what is due.
    ///
    /// @throws LinkBroken when the other end is silent for too long
    void goOn(long at) {
        while (!sending.allSent() && transmit(sending.unsent(), at)) {
            // the next one
        }
        if (sending.underWay() && at - sending.firstSentAt() >= trip.timeout()) {
            trip.inVain();
            boolean _ = transmit(sending.first(), at);
        }
        boolean waits = sending.underWay() || (wanted && !sending.mayGo());
        if (waits && at - heard >= silence) {
            throw new LinkBroken(
                    "nothing came from the peer for "
                            + Duration.ofNanos(silence).toSeconds()
                            + " s, though it was to answer; the link was given up");
        }
        if (wanted && !sending.mayGo() && !sending.underWay() && at - asked >= trip.timeout()) {
            asked = at;
            trip.inVain();
            say(Header.QUESTION);
        }
        if (now || owed >= ANSWER_EVERY || (owed > 0 && at - owedSince >= OWED_NANOS)) {
            say(Header.WORD);
        }
        if (unpushed && lower.push()) {
            unpushed = false;
        }
    }

    /// Sends those that were just committed.
    void send(long at) {
        if (!sending.underWay()) {
            heard = at; // there was nothing to be answered
        }
        while (!sending.allSent() && transmit(sending.unsent(), at)) {
            // the next one
        }
    }

    /// Whether all that was committed is on its way.
    boolean isOut() {
        return sending.allSent() && !unpushed;
    }

    private boolean transmit(int number, long at) {
        int length = sending.length(number);
        if (!claim(length)) {
            return false;
        }
        long begin = out.start + headerOffset;
        header(number, Header.FRAME, sending.flags(number)).write(out.memory, begin);
        sending.copy(number, out.memory, begin + Header.BYTES);
        commit(begin + Header.BYTES + length);
        sending.noteSent(number, at);
        return true;
    }

    private void say(int kind) {
        if (claim(0)) {
            long begin = out.start + headerOffset;
            header(sending.next(), kind, 0).write(out.memory, begin);
            commit(begin + Header.BYTES);
        }
    }

    private boolean claim(int length) {
        return lower.claim(out, Header.BYTES + length);
    }

    private void commit(long end) {
        out.position = end;
        unpushed = !lower.commit(out, 0);
    }

    /// All that is owed is said with it.
    private Header header(int number, int kind, int flags) {
        owed = 0;
        now = false;
        toldLimit = receiving.limit();
        return new Header(number, receiving.expected(), toldLimit, kind, flags, receiving.hasGap());
    }
}
