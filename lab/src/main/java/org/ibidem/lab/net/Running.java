package org.ibidem.lab.net;

import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;

/// A program that runs on a machine of a laboratory. What it prints, on both its outputs, is kept
/// line by line, up to a limit.
public final class Running implements AutoCloseable {
    private static final int MOST_LINES = 100_000;
    private static final int LAST = 30;
    private static final Duration END = Duration.ofSeconds(10);

    /// What had been written when the process ended is still to be read.
    private static final Duration LEAST = Duration.ofSeconds(1);

    private final String what;
    private final Process process;
    private final BufferedWriter in;
    private final List<String> lines = new ArrayList<>();
    private int read;
    private boolean ended;
    private volatile boolean kept;

    Running(String what, Process process) {
        this.what = what;
        this.process = process;
        this.in = process.outputWriter(StandardCharsets.UTF_8);
        var out = process.inputReader(StandardCharsets.UTF_8);
        // of the platform: a virtual one that waits for a pipe takes a carrier from all others
        Thread.ofPlatform().daemon().name("output of " + what).start(() -> listen(out));
    }

    private void listen(BufferedReader out) {
        try {
            for (var line = out.readLine(); line != null; line = out.readLine()) {
                add(line);
            }
        } catch (IOException _) {
            // killed
        } finally {
            end();
        }
    }

    private synchronized void add(String line) {
        if (lines.size() < MOST_LINES) {
            lines.add(line);
        }
        notifyAll();
    }

    private synchronized void end() {
        ended = true;
        notifyAll();
    }

    /// Waits for a line that begins with a word and a blank, and gives the rest of it; lines before
    /// it are passed over.
    ///
    /// @throws LabFailed when it does not come in time, or the program ends first
    public String said(String word, Duration limit) {
        return next(line -> line.startsWith(word + " ") || line.equals(word), limit)
                .substring(word.length())
                .strip();
    }

    /// Waits for the next line that will do; lines before it are passed over.
    ///
    /// @throws LabFailed when it does not come in time, or the program ends first
    public synchronized String next(Predicate<String> wanted, Duration limit) {
        int at = await(read, wanted, limit);
        read = at + 1;
        return lines.get(at);
    }

    /// Waits for a line that will do, be it an earlier one; nothing is passed over.
    ///
    /// @throws LabFailed when it does not come in time, or the program ends first
    public synchronized String any(Predicate<String> wanted, Duration limit) {
        return lines.get(await(0, wanted, limit));
    }

    private int await(int from, Predicate<String> wanted, Duration limit) {
        long end = System.nanoTime() + limit.toNanos();
        for (int at = from; ; ) {
            while (at < lines.size()) {
                if (wanted.test(lines.get(at++))) {
                    return at - 1;
                }
            }
            long left = end - System.nanoTime();
            if (ended || left <= 0) {
                throw new LabFailed(
                        what
                                + (ended ? " ended" : " took more than " + limit.toMillis() + " ms")
                                + " without the line awaited; it said: "
                                + last(at));
            }
            try {
                TimeUnit.NANOSECONDS.timedWait(this, left);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new LabFailed("interrupted while waiting for " + what, e);
            }
        }
    }

    /// All it has printed so far.
    public synchronized List<String> lines() {
        return List.copyOf(lines);
    }

    /// Writes a line to its standard input.
    ///
    /// @throws LabFailed when it reads no more
    public void say(String line) {
        try {
            in.write(line + "\n"); // in one piece: others may say something too
            in.flush();
        } catch (IOException e) {
            throw new LabFailed(what + " reads no more: " + lines(), e);
        }
    }

    private synchronized String last(int end) {
        return String.join("\n", lines.subList(Math.max(0, end - LAST), end));
    }

    private synchronized String last() {
        return last(lines.size());
    }

    /// Waits for its end, and for that of all that writes where it wrote.
    ///
    /// @return its exit code; of one that was killed, 128 and the signal's number
    /// @throws LabFailed when it does not end in time, or what it has started does not
    public int code(Duration limit) {
        long end = System.nanoTime() + limit.toNanos();
        try {
            if (!process.waitFor(limit.toNanos(), TimeUnit.NANOSECONDS)) {
                throw new LabFailed(
                        what + " did not end within " + limit.toMillis() + " ms: " + last());
            }
            if (!outputEnds(Math.max(end - System.nanoTime(), LEAST.toNanos()))) {
                throw new LabFailed(
                        what
                                + " has ended ("
                                + process.exitValue()
                                + "), but something that it has started holds its output: "
                                + last());
            }
            return process.exitValue();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new LabFailed("interrupted while waiting for the end of " + what, e);
        }
    }

    private synchronized boolean outputEnds(long nanos) throws InterruptedException {
        long end = System.nanoTime() + nanos;
        for (long left = nanos; !ended && left > 0; left = end - System.nanoTime()) {
            TimeUnit.NANOSECONDS.timedWait(this, left);
        }
        return ended;
    }

    /// The process, as it is numbered outside, that waits for the program.
    public long pid() {
        return process.pid();
    }

    /// It is for whoever uses the laboratory next, too.
    public Running keep() {
        kept = true;
        return this;
    }

    /// Is it?
    public boolean isKept() {
        return kept;
    }

    /// Is it still there?
    public boolean isAlive() {
        return process.isAlive();
    }

    /// Sends it a signal: `STOP`, `CONT`, `TERM` …
    public void signal(String name) {
        // The program is the child of the process that entered its machine and that waits for it;
        // a stopped child stops that one too, so it must be continued with it.
        process.children().forEach(child -> kill(name, child.pid()));
        if (name.equals("CONT")) {
            kill(name, process.pid());
        }
    }

    private static void kill(String name, long pid) {
        try {
            new ProcessBuilder("kill", "-" + name, String.valueOf(pid))
                    .redirectErrorStream(true)
                    .start()
                    .waitFor();
        } catch (IOException e) {
            throw new LabFailed("no signal can be sent", e);
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    /// Ends it as `kill -9` does.
    public void kill() {
        signal("KILL");
        process.destroyForcibly();
    }

    /// Ends it as `kill -9` does, with all that it has started and that has not left it.
    public void killAll() {
        var below = process.descendants().toList();
        kill();
        below.forEach(ProcessHandle::destroyForcibly);
    }

    /// The same, and waits until it is gone.
    ///
    /// @throws LabFailed when what has left it goes on, and holds its output
    @Override
    public void close() {
        killAll();
        code(END);
    }
}
