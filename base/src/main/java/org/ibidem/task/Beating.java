package org.ibidem.task;

import java.time.Duration;

/// Drives parts by calling each of them again and again, where nobody can do better.
final class Beating {
    private static final Duration BEAT = Duration.ofMillis(1);

    private Beating() {}

    static Tasks.Driven drive(Tasks tasks, String name, Progress part) {
        var lock = new Object();
        var over = new boolean[1];
        var task =
                tasks.repeat(
                        BEAT,
                        name,
                        () -> {
                            synchronized (lock) {
                                if (!over[0]) {
                                    over[0] = part.progress(tasks.nanoTime()) == Progress.OVER;
                                }
                                return !over[0];
                            }
                        });
        return new Tasks.Driven() {
            @Override
            public void soon() {
                // the next beat comes
            }

            @Override
            public void stop() {
                synchronized (lock) {
                    over[0] = true;
                }
                task.stop();
            }
        };
    }
}
