package org.ibidem.lab.net.keeper;

import java.io.IOException;
import java.io.InputStream;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.ibidem.lab.net.emulator.Emulator;
import org.ibidem.lab.net.plan.Network;

/// The process that is a laboratory: first in namespaces of its own, so that with its end, however
/// it comes, everything it built is gone.
///
/// It reads the [Network] from its standard input, builds it, and says on one line `ready`, whether
/// its delays are exact, and which process is which machine; or `failed` and why. Then it answers
/// at its [Control] socket until it is told to end; on a leash also when its standard input ends,
/// which it does when whoever started it is gone.
public final class Keeper {
    /// The argument that says so.
    public static final String LEASHED = "leashed";

    private Keeper() {}

    /// Arguments: the laboratory's name, and `leashed` or nothing.
    public static void main(String[] args) throws Exception {
        Thread.setDefaultUncaughtExceptionHandler((thread, e) -> {
            System.err.println("laboratory: " + thread.getName() + " failed");
            e.printStackTrace();
            Runtime.getRuntime().halt(1);
        });
        Control control;
        try {
            control = build();
        } catch (IOException | RuntimeException e) {
            System.out.println("failed " + String.valueOf(e.getMessage()).replace('\n', ' '));
            System.out.flush();
            Runtime.getRuntime().halt(1);
            return;
        }
        if (args.length > 1 && args[1].equals(LEASHED)) {
            Thread.ofPlatform().daemon().name("leash").start(Keeper::endWithStarter);
        }
        Thread.ofPlatform().daemon().name("adopted processes").start(new Adopted());
        control.serve();
    }

    private static Control build() throws IOException, ClassNotFoundException {
        var network = (Network) new ObjectInputStream(System.in).readObject();
        var devices =
                IntStream.rangeClosed(1, network.sites().size())
                        .mapToObj(i -> "site" + i)
                        .toArray(String[]::new);
        var emulator = new Emulator(devices, network.seed());
        var builder = new Builder(network);
        builder.build(devices);
        boolean exact = emulator.start();
        var control = new Control(network, emulator);
        new Proxies(network, builder).start(network.sites());
        var machines =
                builder.pids().entrySet().stream()
                        .map(machine -> machine.getKey() + "=" + machine.getValue())
                        .collect(Collectors.joining(" "));
        var ready = "ready " + exact + " " + machines;
        try (var out = new ObjectOutputStream(Files.newOutputStream(Path.of("/run/network")))) {
            out.writeObject(network);
        }
        Files.writeString(Path.of("/run/ready"), ready);
        System.out.println(ready);
        System.out.flush();
        return control;
    }

    private static void endWithStarter() {
        try (InputStream in = System.in) {
            while (in.read() >= 0) {
                // nothing is said: only the end counts
            }
        } catch (IOException _) {
            // that is an end too
        }
        Runtime.getRuntime().halt(0);
    }
}
