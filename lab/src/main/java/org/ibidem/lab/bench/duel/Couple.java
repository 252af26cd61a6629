package org.ibidem.lab.bench.duel;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/// The two processes of a contestant, as their parent sees them.
final class Couple implements AutoCloseable {
    /// Longer than any burst, however slow the machine.
    private static final long PATIENCE_SECONDS = 120;

    private final BlockingQueue<Child.News> news = new LinkedBlockingQueue<>();
    private final Progress progress;
    private final Child follower;
    private final Child leader;

    /// What one of them answered.
    record Said(boolean leads, Side.Answer answer) {}

    /// Starts both.
    ///
    /// @param folder for the two
    /// @param main the class whose `main` calls [Side#run] with its arguments
    Couple(String benchmark, Path folder, Cores cores, Class<?> main, Progress progress)
            throws IOException {
        this.progress = progress;
        var arguments = List.of(benchmark, folder.toString());
        follower = new Child("follower", main, arguments, cores.command().getLast(), news);
        leader = new Child("leader", main, arguments, cores.command().getFirst(), news);
    }

    /// Makes them known to each other, and opens the contestant's ends.
    void open(String contestant) throws IOException, InterruptedException {
        follower.command(Side.Command.MEET);
        long port = answers(1).getFirst().answer().nanos()[0];
        leader.command(Side.Command.MEET, port);
        answers(1);
        both(Side.Command.OPEN, contestant);
    }

    /// Has both do something, and waits for both.
    List<Said> both(Side.Command command, Object... words)
            throws IOException, InterruptedException {
        follower.command(command, words);
        leader.command(command, words);
        return answers(2);
    }

    private List<Said> answers(int wanted) throws InterruptedException {
        var answers = new ArrayList<Said>(wanted);
        while (answers.size() < wanted) {
            var next = news.poll(PATIENCE_SECONDS, TimeUnit.SECONDS);
            if (next == null) {
                throw new Duel.Failed("no answer for " + PATIENCE_SECONDS + " s: " + progress);
            }
            var answer = next.answer();
            if (answer == null) {
                throw new Duel.Failed(next.from() + " ended too early, in: " + progress);
            }
            answers.add(new Said(next.from() == leader, answer));
        }
        return answers;
    }

    /// Of both.
    Duration processorTime() {
        return leader.processorTime().plus(follower.processorTime());
    }

    @Override
    public void close() {
        leader.close();
        follower.close();
    }
}
