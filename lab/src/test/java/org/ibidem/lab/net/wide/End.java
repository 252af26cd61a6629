package org.ibidem.lab.net.wide;

import java.util.ArrayList;
import java.util.List;
import org.ibidem.lab.net.Lab;
import org.ibidem.lab.net.Running;

/// One of the two machines between which [Middleware] runs.
///
/// @param name under which others are told of it
/// @param address from which others see it come
/// @param device the network interface with that address
/// @param wrap how `ibidem wrap` is called for what runs there; empty: it is not wrapped
record End(String host, String name, String address, String device, List<String> wrap) {
    /// Starts a program there.
    Running start(Lab lab, List<String> program) {
        if (wrap.isEmpty()) {
            return lab.machine(host).start(program.toArray(String[]::new));
        }
        var all = new ArrayList<>(List.of("wrap"));
        all.addAll(wrap);
        all.add("--");
        all.addAll(program);
        return Command.start(lab, host, all.toArray(String[]::new));
    }

    /// Ends it.
    void end(Running program) {
        if (wrap.isEmpty()) {
            program.kill();
        } else {
            Command.end(program);
        }
    }

    /// Whether its calls are told by the preloaded library.
    boolean preloads() {
        return wrap.contains("--preload");
    }
}
