package org.ibidem.lab.net.keeper;

import java.util.ArrayList;
import java.util.List;

/// One machine of the laboratory: a gateway or a host, with a network, a name, a machine number and
/// shared memory of its own.
///
/// @param name what it is called, also as a host name
/// @param ip lines for `ip -batch`, run in it once it has its devices
/// @param kernel settings below `/proc/sys/net`, as `path=value`; those the kernel lacks are passed
///   over
/// @param rules for `nft`, empty for none
/// @param awaited devices that are to be up, with whoever is at the other end, before that
record Space(
        String name, List<String> ip, List<String> kernel, String rules, List<String> awaited) {

    /// What a space is made of, line by line.
    static final class Draft {
        private final String name;
        private final List<String> ip = new ArrayList<>();
        private final List<String> kernel = new ArrayList<>();
        private final List<String> awaited = new ArrayList<>();
        private String rules = "";

        Draft(String name) {
            this.name = name;
            ip("link set lo up");
        }

        Draft ip(String line) {
            ip.add(line);
            return this;
        }

        Draft kernel(String path, Object value) {
            kernel.add(path + "=" + value);
            return this;
        }

        Draft awaited(String device) {
            awaited.add(device);
            return this;
        }

        Draft rules(String text) {
            rules = text;
            return this;
        }

        Space done() {
            return new Space(
                    name, List.copyOf(ip), List.copyOf(kernel), rules, List.copyOf(awaited));
        }
    }
}
