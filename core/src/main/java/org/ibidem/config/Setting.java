package org.ibidem.config;

import java.util.List;
import java.util.Optional;

/// One thing that can be set from outside. All there are, with what they mean, in one place: so
/// that `ibidem explain config` can show them and a configuration file can be checked.
///
/// @param name such as `ibidem.wait`; `*` at the end stands for any name
/// @param byDefault what it is where nobody sets it, as text
/// @param meaning for people
public record Setting(String name, String byDefault, String meaning) {
    /// All settings.
    public static final List<Setting> ALL =
            List.of(
                    new Setting(
                            "ibidem.stack",
                            "",
                            "the stack of all port types, whatever the program says"),
                    new Setting(
                            "ibidem.stack.*",
                            "",
                            "the stack of the port types of this name, before ibidem.stack"),
                    new Setting(
                            "ibidem.wait",
                            "adaptive",
                            "how ports wait where the program does not say: adaptive, sleep, spin, 20us"),
                    new Setting(
                            "ibidem.heartbeat",
                            "5s",
                            "how often a silent peer is asked for a sign of life; after three times in vain it counts as silent"),
                    new Setting(
                            "ibidem.buffer",
                            "256k",
                            "bytes of the buffers of links over byte streams"),
                    new Setting(
                            "ibidem.monitor",
                            "on",
                            "where counters can be seen: on (the usual folder), off, or a folder"),
                    new Setting(
                            "ibidem.shm",
                            "/dev/shm",
                            "the folder for shared memory, the same for all on this machine"),
                    new Setting("ibidem.hub", "localhost:8888", "host:port of the hub, or several"),
                    new Setting("ibidem.pool", "default", "the pool to join"),
                    new Setting("ibidem.size", "any", "processes of the whole pool"),
                    new Setting("ibidem.rank", "any", "this process's rank in the pool"),
                    new Setting(
                            "ibidem.open", "false", "whether peers on other machines may connect"),
                    new Setting(
                            "ibidem.port",
                            "any",
                            "the port an open node listens on, such as one that a NAT hands on to it"),
                    new Setting("ibidem.location", "", "host@cluster@site, near to far"),
                    new Setting("ibidem.identity", "", "the file of the node's key"),
                    new Setting(
                            "ibidem.methods",
                            "",
                            "the connect methods that may be used, in the order to be tried: direct, reverse, splice, socks, routed"),
                    new Setting(
                            "ibidem.methods.*",
                            "",
                            "the same towards nodes at the site of this name, before ibidem.methods"),
                    new Setting(
                            "ibidem.site.*",
                            "",
                            "the subnets of the site of this name: who is in one, and says no more of its location than its host, is there"),
                    new Setting(
                            "ibidem.egress.*",
                            "",
                            "how connections get out of the site of this name, whatever is found: untranslated, preserving, independent, symmetric, proxy"),
                    new Setting(
                            "ibidem.costs",
                            "",
                            "how long the others are given before a connect method begins, such as direct=0ms, routed=2s"),
                    new Setting(
                            "ibidem.costs.*",
                            "",
                            "the same towards nodes at the site of this name, or between two sites (ibidem.costs.HERE.THERE), before ibidem.costs"),
                    new Setting(
                            "ibidem.proxy",
                            "",
                            "proxies on the way out, such as socks5://host:1080, or none"));

    private static final String ANY = "*";

    /// The setting that has this name.
    public static Optional<Setting> of(String name) {
        return ALL.stream().filter(setting -> setting.matches(name)).findFirst();
    }

    private boolean matches(String wanted) {
        return name.endsWith(ANY)
                ? wanted.startsWith(name.substring(0, name.length() - 1))
                : name.equals(wanted);
    }
}
