package org.ibidem.cli.run;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// Puts the lines of several processes together: each whole, behind the rank it comes from. What
/// stands without a line end for a tenth of a second, such as a question, is shown as it is; the
/// rest of its line follows it, or has a line of its own when another has come between.
///
/// A line that ends in a carriage return alone is one that the next may replace (progress): on a
/// terminal it is overwritten in place, elsewhere it is a line like others. Bytes are passed on as
/// they are.
final class Output {
    /// A longer line is broken here, so that no program can fill the launcher's memory.
    private static final int LONGEST_LINE = 1 << 20;

    /// When nothing more has come of a line for so long, twice that at most, it is shown without
    /// its end.
    private static final long UNENDED_MILLIS = 50;

    private static final byte[] CLEAR = {'\r', 27, '[', 'K'};
    private static final boolean RETURN_AND_FEED = System.lineSeparator().length() > 1;
    private static final int[] COLOURS = {36, 33, 32, 35, 34, 31};

    private final PrintStream out;
    private final PrintStream err;
    private final boolean terminal;
    private final boolean errorsToo;
    private final boolean coloured;
    private final int width;
    private final List<Thread> pumps = new ArrayList<>();
    private final Executor later;
    private boolean overwritable;

    /// The line of which the beginning is shown, and nothing behind it.
    private @Nullable Line unended;

    /// Lines to `out` and `err`; ranks are below `ranks`, which decides how wide they are printed.
    Output(PrintStream out, PrintStream err, int ranks) {
        this(
                out,
                err,
                ranks,
                CompletableFuture.delayedExecutor(UNENDED_MILLIS, TimeUnit.MILLISECONDS));
    }

    /// @param later runs what looks whether a line is still without its end
    Output(PrintStream out, PrintStream err, int ranks, Executor later) {
        this.later = later;
        this.out = out;
        this.err = err;
        this.width = Integer.toString(ranks - 1).length();
        this.terminal = isTerminal();
        this.errorsToo = terminal && errorsGoTheSameWay();
        this.coloured = terminal && System.getenv("NO_COLOR") == null;
    }

    @SuppressWarnings("SystemConsoleNull") // JDK 22 to 24 always give a console, 25 does not.
    private static boolean isTerminal() {
        var console = System.console();
        return console != null && console.isTerminal();
    }

    /// Where that can be known: on Linux.
    private static boolean errorsGoTheSameWay() {
        try {
            return Files.readSymbolicLink(Path.of("/proc/self/fd/1"))
                    .equals(Files.readSymbolicLink(Path.of("/proc/self/fd/2")));
        } catch (IOException | UnsupportedOperationException e) {
            return false;
        }
    }

    /// Whether a line of errors may be replaced by the next one.
    boolean replacesErrors() {
        return errorsToo;
    }

    /// Reads what a process writes until it ends; the process's writes block while the terminal's
    /// do.
    void follow(int rank, Process process) {
        pump(
                "out-" + rank,
                () -> copy(process.getInputStream(), new Line(prefix(rank, coloured), out)));
        // Whether errors go to the terminal too is not to be known: they get no colours.
        pump(
                "err-" + rank,
                () -> copy(process.getErrorStream(), new Line(prefix(rank, false), err)));
    }

    private void pump(String name, Runnable body) {
        pumps.add(Thread.ofPlatform().daemon().name(name).start(body));
    }

    /// Waits until all that was written is printed: at most `millis`, since a process that outlives
    /// its parent may hold the pipe.
    void drain(long millis) throws InterruptedException {
        long deadline = System.nanoTime() + millis * 1_000_000;
        for (var pump : pumps) {
            pump.join(Math.max(1, (deadline - System.nanoTime()) / 1_000_000));
        }
        keep();
    }

    /// What might have been replaced, and was not, stays.
    private synchronized void keep() {
        leave();
        if (overwritable) {
            out.println();
            out.flush();
            overwritable = false;
        }
    }

    /// Prints a line of the launcher itself.
    synchronized void say(String line) {
        erase();
        err.println("ibidem run: " + line);
        err.flush();
    }

    private static void copy(InputStream in, Line line) {
        var bytes = new byte[8192];
        try (in) {
            for (int n; (n = in.read(bytes)) >= 0; ) {
                line.add(bytes, n);
            }
        } catch (IOException e) {
            // The process is gone and took its pipe along: what came before is printed.
        }
        line.end();
    }

    private byte[] prefix(int rank, boolean coloured) {
        var text = "[" + " ".repeat(width - Integer.toString(rank).length()) + rank + "]";
        return (coloured
                        ? "\033[" + COLOURS[rank % COLOURS.length] + "m" + text + "\033[0m "
                        : text + " ")
                .getBytes(StandardCharsets.US_ASCII);
    }

    /// @param ends whether the line is whole
    private synchronized void print(Line line, boolean ends, boolean replaceable) {
        boolean goesOn = line.equals(unended);
        if (!goesOn && line.isShown()) {
            return; // another has ended it
        }
        if (!goesOn) {
            erase();
        }
        unended = ends ? null : line;
        try {
            line.write(goesOn);
            if (ends && replaceable && (line.to.equals(out) ? terminal : errorsToo)) {
                overwritable = true;
            } else if (ends) {
                line.to.write('\n');
            }
            line.to.flush();
        } catch (IOException e) {
            throw new AssertionError("a PrintStream keeps its errors to itself", e);
        }
    }

    /// What follows does not stand behind a line without an end.
    private void leave() {
        if (unended != null) {
            try {
                unended.to.write('\n');
                unended.to.flush();
            } catch (IOException e) {
                throw new AssertionError("a PrintStream keeps its errors to itself", e);
            }
            unended = null;
        }
    }

    private void erase() {
        leave();
        if (overwritable) {
            out.write(CLEAR, 0, CLEAR.length);
            out.flush();
            overwritable = false;
        }
    }

    /// One line in the making.
    private final class Line {
        private final OutputStream to;
        private final int start;
        private byte[] bytes = new byte[256];
        private int length;

        /// Up to where it is shown already.
        private int shown;

        private boolean returned;

        /// Bytes that have come so far.
        private long came;

        /// Whether somebody will look whether more has come.
        private boolean watched;

        Line(byte[] prefix, OutputStream to) {
            this.to = to;
            this.start = prefix.length;
            System.arraycopy(prefix, 0, bytes, 0, start);
            this.length = start;
        }

        synchronized void add(byte[] some, int count) {
            for (int i = 0; i < count; i++) {
                add(some[i]);
            }
            if (!RETURN_AND_FEED) {
                pause();
            }
            came += count;
            if (isWaiting() && !watched) {
                watch();
            }
        }

        private boolean isWaiting() {
            return length > Math.max(shown, start);
        }

        private void watch() {
            watched = true;
            long seen = came;
            later.execute(() -> look(seen));
        }

        /// What was there the last time, and nothing more, is shown.
        private synchronized void look(long seen) {
            watched = false;
            if (isWaiting() && came == seen) {
                Output.this.print(this, false, false);
                shown = length;
            } else if (isWaiting()) {
                watch();
            }
        }

        private void add(byte b) {
            if (b == '\n') {
                returned = false;
                print(false);
                return;
            }
            pause();
            if (b == '\r') {
                returned = true;
                return;
            }
            if (length - start == LONGEST_LINE) {
                print(false);
            }
            if (length == bytes.length) {
                bytes = Arrays.copyOf(bytes, 2 * length);
            }
            bytes[length++] = b;
        }

        /// Whatever comes next, it was a carriage return alone.
        private void pause() {
            if (returned) {
                returned = false;
                print(true);
            }
        }

        synchronized void end() {
            pause();
            if (length > start) {
                print(false);
            }
        }

        private void print(boolean replaceable) {
            Output.this.print(this, true, replaceable);
            length = start;
            shown = 0;
        }

        private boolean isShown() {
            return length == shown;
        }

        /// What of it is not shown yet; behind its rank where that does not stand there.
        private void write(boolean goesOn) throws IOException {
            if (!goesOn) {
                to.write(bytes, 0, start);
            }
            int from = Math.max(shown, start);
            to.write(bytes, from, length - from);
        }
    }
}
