package org.ibidem.connect;

import java.io.IOException;
import java.net.StandardSocketOptions;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import jdk.net.ExtendedSocketOptions;
import org.ibidem.config.SettingException;
import org.ibidem.config.Settings;

/// How soon a connection over which nothing comes any more is noticed, although nobody has said
/// that it ended: a NAT was rebooted, a cable was cut.
///
/// @param interval after so long without a sign of life one is asked for; whole seconds
public record Heartbeat(Duration interval) {
    private static final String NAME = "ibidem.heartbeat";
    private static final Heartbeat DEFAULT = new Heartbeat(Duration.ofSeconds(5));
    private static final int QUESTIONS = 3;
    private static final Duration LONGEST = Duration.ofHours(1);

    /// As the setting `ibidem.heartbeat` has it; the default where it is set to what cannot be.
    public static final Heartbeat USUAL = usual();

    private static Heartbeat usual() {
        try {
            return of(Settings.system());
        } catch (SettingException _) {
            return DEFAULT; // whoever begins with it is told: see of
        }
    }

    /// What a heartbeat is set to.
    ///
    /// @throws SettingException when it is set to what cannot be
    public static Heartbeat of(Settings settings) {
        return new Heartbeat(settings.value(NAME, DEFAULT.interval, Heartbeat::checked));
    }

    private static Duration checked(Duration interval) {
        var whole = Duration.ofSeconds(interval.toSeconds());
        if (!interval.equals(whole) || !interval.isPositive() || interval.compareTo(LONGEST) > 0) {
            throw new IllegalArgumentException("a heartbeat has whole seconds, 1s to 1h");
        }
        return interval;
    }

    /// Without a sign of life for so long a peer counts as silent.
    public Duration silence() {
        return interval.multipliedBy(QUESTIONS);
    }

    /// Has the kernel ask the other end for signs of life while nothing else is under way (RFC
    /// 9293, section 3.8.4): an answer keeps a NAT's mapping, and none ends the connection with an
    /// error. The kernel answers for a process that is stopped. On one machine there is no need.
    ///
    /// @param connection connected; what is no socket is left as it is
    public void keep(SocketChannel connection) throws IOException {
        if (connection.supportedOptions().contains(ExtendedSocketOptions.TCP_KEEPCOUNT)
                && !LocalAddresses.isHere(connection)) {
            ask(connection);
        }
    }

    void ask(SocketChannel connection) throws IOException {
        int seconds = (int) interval.toSeconds();
        connection.setOption(ExtendedSocketOptions.TCP_KEEPIDLE, seconds);
        connection.setOption(ExtendedSocketOptions.TCP_KEEPINTERVAL, seconds);
        connection.setOption(ExtendedSocketOptions.TCP_KEEPCOUNT, QUESTIONS);
        connection.setOption(StandardSocketOptions.SO_KEEPALIVE, true);
    }
}
