package org.ibidem.mpj.device.circuit;

import java.time.Duration;
import java.util.Comparator;
import org.ibidem.config.Settings;
import org.ibidem.mpj.device.Device;
import org.ibidem.mpj.device.DeviceFailed;
import org.ibidem.mpj.device.DeviceProvider;
import org.ibidem.registry.Join;
import org.ibidem.registry.Member;
import org.ibidem.registry.Node;

/// The device of a process that `ibidem run` has started: it joins the pool of the job, and its
/// number is its rank there. The settings `ibidem.mpj.stack`, `ibidem.mpj.eager` and
/// `ibidem.mpj.window` say over what, and up to which size; `ibidem.mpj.progress` whether a thread
/// makes progress while the program calls nothing.
public final class Job implements DeviceProvider {
    private static final Duration ALL_HERE_WITHIN = Duration.ofSeconds(60);

    /// For the service loader.
    public Job() {}

    @Override
    public String name() {
        return "circuit";
    }

    @Override
    public Device open() {
        var join = Join.fromEnvironment();
        var node = Node.join(join);
        try {
            if (node.size() == Join.ANY_SIZE) {
                throw new DeviceFailed(
                        "the pool '"
                                + node.pool()
                                + "' has no size: start the program with 'ibidem run -n N'");
            }
            var members =
                    node.awaitMembers(node.size(), ALL_HERE_WITHIN).stream()
                            .sorted(Comparator.comparingInt(Member::rank))
                            .map(Member::id)
                            .toList();
            var settings = Settings.system();
            var limits = limits(settings);
            var stack = settings.value("ibidem.mpj.stack", "auto");
            var device = new CircuitDevice(node, members, stack, limits, node);
            if (settings.value("ibidem.mpj.progress", false)) {
                device.keepGoing();
            }
            return device;
        } catch (RuntimeException | Error e) {
            node.close();
            throw e;
        }
    }

    private static CircuitDevice.Limits limits(Settings settings) {
        var usual = CircuitDevice.Limits.USUAL;
        var limits =
                new CircuitDevice.Limits(
                        settings.value("ibidem.mpj.eager", usual.eager()),
                        settings.value("ibidem.mpj.window", usual.window()));
        if (limits.eager() < 1 || limits.window() < 1) {
            throw new IllegalArgumentException(
                    "ibidem.mpj.eager and ibidem.mpj.window are 1 or more, not %d and %d"
                            .formatted(limits.eager(), limits.window()));
        }
        return limits;
    }
}
