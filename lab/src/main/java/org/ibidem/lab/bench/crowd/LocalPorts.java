package org.ibidem.lab.bench.crowd;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Scanner;

/// The local ports that the system gives out: each member needs one to listen on and one for its
/// connection to the hub, and the system keeps those of members that have left for a minute.
final class LocalPorts {
    private static final Path RANGE = Path.of("/proc/sys/net/ipv4/ip_local_port_range");
    private static final int FOR_A_MEMBER = 5;

    private LocalPorts() {}

    /// Refuses a crowd that there are not enough ports for.
    ///
    /// @throws IllegalArgumentException that says what to do
    static void require(int members) throws IOException {
        if (!Files.isReadable(RANGE)) {
            return; // it will show
        }
        // By a reader, whose first read takes all: some kernels give nothing to a second one, and
        // the readString of a file that says it is empty begins with a read of few bytes.
        int there;
        try (var reader = Files.newBufferedReader(RANGE)) {
            var line = reader.readLine();
            if (line == null) {
                return;
            }
            var range = new Scanner(line);
            there = 1 - range.nextInt() + range.nextInt();
        }
        int needed = members * FOR_A_MEMBER;
        if (there < needed) {
            throw new IllegalArgumentException(
                    ("%d members need %d local ports, and the system gives out %d: run it in a network"
                                    + " namespace of its own that gives out more, as root:%n"
                                    + "  unshare -n sh -c 'ip link set lo up; sysctl -qw"
                                    + " net.ipv4.ip_local_port_range=\"2000 65000\"; ./bench registry"
                                    + " …'")
                            .formatted(members, needed, there));
        }
    }
}
