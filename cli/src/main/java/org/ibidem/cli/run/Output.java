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

/// Puts the lines of several processes together: each whole, behind the rank it comes from.
///
/// A line that ends in a carriage return alone is one that the next may replace (progress): on a
/// terminal it is overwritten in place, elsewhere it is a line like others. Bytes are passed on as
/// they are.
final class Output {
    /// A longer line is broken here, so that no program can fill the launcher's memory.
    private static final int LONGEST_LINE = 1 << 20;

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
    private boolean overwritable;

    /// Lines to `out` and `err`; ranks are below `ranks`, which decides how wide they are printed.
    Output(PrintStream out, PrintStream err, int ranks) {
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
                for (int i = 0; i < n; i++) {
                    line.add(bytes[i]);
                }
                if (!RETURN_AND_FEED) {
                    line.pause();
                }
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

    private synchronized void print(
            byte[] bytes, int length, OutputStream to, boolean replaceable) {
        erase();
        try {
            to.write(bytes, 0, length);
            if (replaceable && (to.equals(out) ? terminal : errorsToo)) {
                overwritable = true;
            } else {
                to.write('\n');
            }
            to.flush();
        } catch (IOException e) {
            throw new AssertionError("a PrintStream keeps its errors to itself", e);
        }
    }

    private void erase() {
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
        private boolean returned;

        Line(byte[] prefix, OutputStream to) {
            this.to = to;
            this.start = prefix.length;
            System.arraycopy(prefix, 0, bytes, 0, start);
            this.length = start;
        }

        void add(byte b) {
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
        void pause() {
            if (returned) {
                returned = false;
                print(true);
            }
        }

        void end() {
            pause();
            if (length > start) {
                print(false);
            }
        }

        private void print(boolean replaceable) {
            Output.this.print(bytes, length, to, replaceable);
            length = start;
        }
    }
}
