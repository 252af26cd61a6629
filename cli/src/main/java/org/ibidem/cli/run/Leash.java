package org.ibidem.cli.run;

import java.nio.file.Path;
import java.util.Arrays;
import org.ibidem.config.SettingException;
import org.ibidem.program.Entry;
import org.ibidem.registry.HubUnreachable;
import org.ibidem.registry.JoinRefused;

/// Runs a main class in a process that ends when its launcher is gone, however that went: Ctrl-C, a
/// crash, `kill -9`.
///
/// Arguments: the launcher's process id, its folder for temporary files (empty: none), the main
/// class, its arguments. The main class is found and called as the `java` command does it (JEP 512:
/// `main` with or without arguments, static or of an instance).
///
/// What the program itself starts as processes is its own to end: they are not on the leash.
public final class Leash {
    private static final int OWN_ARGUMENTS = 3;
    private static final int CODE_WHEN_ALONE = 143;
    private static final long LOOK_EVERY_MILLIS = 100;
    private static final long HOOKS_MAY_TAKE_MILLIS = 2_000;

    private Leash() {}

    /// Runs the main class named by the third argument.
    public static void main(String[] args) throws Throwable {
        watch(Long.parseLong(args[0]), args[1]);
        var rest = Arrays.copyOfRange(args, OWN_ARGUMENTS, args.length);
        var main = args[OWN_ARGUMENTS - 1];
        try {
            new Entry(Class.forName(main, false, ClassLoader.getSystemClassLoader()))
                    .call(MpiPrograms.arguments(rest));
        } catch (HubUnreachable | JoinRefused | SettingException e) {
            // The message says all there is to say: it is nothing that a program does wrong.
            System.err.println(main + ": " + e.getMessage());
            System.exit(1);
        }
    }

    private static void watch(long launcher, String scratch) {
        Thread.ofPlatform()
                .daemon()
                .name("leash")
                .start(() -> {
                    try {
                        while (isThere(launcher)) {
                            Thread.sleep(LOOK_EVERY_MILLIS);
                        }
                        if (!scratch.isEmpty()) {
                            Scratch.delete(Path.of(scratch)); // nobody else will
                        }
                        // Not here: exit waits for the shutdown hooks, which may never end.
                        Thread.ofPlatform()
                                .daemon()
                                .name("leash-exit")
                                .start(() -> System.exit(CODE_WHEN_ALONE));
                        Thread.sleep(HOOKS_MAY_TAKE_MILLIS);
                    } catch (InterruptedException e) {
                        // Nobody has this thread to interrupt it; if somebody does, alone is how it
                        // ends.
                    }
                    Runtime.getRuntime().halt(CODE_WHEN_ALONE);
                });
    }

    /// A parent that died is replaced at once on Unix, even while nobody has collected it; on
    /// Windows the number stays, and only the process is gone. Its start time, which tells it from
    /// a later one with its number, is in the handle.
    private static boolean isThere(long launcher) {
        return ProcessHandle.current()
                .parent()
                .filter(parent -> parent.pid() == launcher && parent.isAlive())
                .isPresent();
    }
}
