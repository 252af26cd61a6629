package org.ibidem.apps.view;

import java.awt.image.DataBufferByte;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import javax.imageio.ImageIO;
import org.jspecify.annotations.Nullable;

/// The picture that the samples of all processes make together. Each process has a place, in which
/// its latest sample stands.
final class Mosaic {
    private final @Nullable Sample[] samples;
    private final boolean[] ended;
    private long number;
    private @Nullable Frame drawn;
    private String failure = "";

    /// The picture at one moment.
    ///
    /// @param number greater than that of any earlier one
    /// @param step which all processes have done
    /// @param steps how many there will be
    /// @param over whether it stays so
    /// @param png the picture
    record Frame(long number, int step, int steps, boolean over, byte[] png) {}

    /// Of so many processes.
    Mosaic(int places) {
        this.samples = new Sample[places];
        this.ended = new boolean[places];
    }

    /// A process has shown this.
    ///
    /// @throws BadWatch when it is part of another picture than what others show
    synchronized void put(int place, Sample sample) {
        for (var other : samples) {
            if (other != null && other.side() != sample.side()) {
                throw new BadWatch(
                        "a process shows a picture of "
                                + sample.side()
                                + " rows, another one of "
                                + other.side()
                                + ": they do not belong together");
            }
        }
        samples[place] = sample;
        ended[place] |= sample.last();
        number++;
        notifyAll();
    }

    /// A process shows nothing more.
    synchronized void end(int place) {
        ended[place] = true;
        number++;
        notifyAll();
    }

    /// Nothing more is shown, because of this.
    synchronized void fail(String why) {
        failure = failure.isEmpty() ? why : failure;
        number++;
        notifyAll();
    }

    /// Whether no process shows anything more.
    private boolean isOver() {
        if (!failure.isEmpty()) {
            return true;
        }
        for (var each : ended) {
            if (!each) {
                return false;
            }
        }
        return true;
    }

    private boolean isWhole() {
        return Arrays.stream(samples).allMatch(Objects::nonNull);
    }

    /// Waits until no process shows anything more.
    ///
    /// @throws BadWatch when something has failed
    synchronized void awaitOver() throws InterruptedException {
        while (!isOver()) {
            wait();
        }
        if (!failure.isEmpty()) {
            throw new BadWatch(failure);
        }
    }

    /// The picture, when there is a later one than number `after`; waits for it.
    ///
    /// @return null: there is none within the limit, or the job has ended before there was one
    synchronized @Nullable Frame next(long after, long limitNanos) throws InterruptedException {
        long end = System.nanoTime() + limitNanos;
        while (number <= after || !isWhole()) {
            long left = end - System.nanoTime();
            if (left <= 0 || isOver()) {
                return null;
            }
            TimeUnit.NANOSECONDS.timedWait(this, left);
        }
        var frame = drawn;
        if (frame == null || frame.number() != number) {
            frame = draw();
            drawn = frame;
        }
        return frame;
    }

    private Frame draw() {
        int step = Integer.MAX_VALUE;
        int steps = 0;
        int side = Objects.requireNonNull(samples[0]).side();
        var image = Palette.image(side, side);
        var pixels = ((DataBufferByte) image.getRaster().getDataBuffer()).getData();
        for (var each : samples) {
            var sample = Objects.requireNonNull(each);
            var part = sample.pixels();
            System.arraycopy(part, 0, pixels, sample.top() * side, part.length);
            step = Math.min(step, sample.step());
            steps = Math.max(steps, sample.steps());
        }
        var png = new ByteArrayOutputStream();
        try {
            ImageIO.write(image, "png", png);
        } catch (IOException e) {
            throw new UncheckedIOException(e); // of an array
        }
        return new Frame(number, step, steps, isOver(), png.toByteArray());
    }
}
