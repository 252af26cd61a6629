package org.ibidem.lab.nemesis;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;
import org.ibidem.registry.Member;
import org.ibidem.registry.Membership;

/// What a client has its hub do, at random. Names hold for one phase, which is a few seconds, so
/// that the calls about one name are few enough to be compared with all orders they may have had.
final class Wishes {
    static final int NAMES = 2;
    private static final int ELECTIONS = 3;
    private static final int MOST_ADDRESSEES = 3;
    private static final int MOST_MESSAGES = 30;
    private static final Duration ROW = Duration.ofSeconds(12);

    private final Client client;
    private final RandomGenerator random;
    private int signals;
    private int rows;

    Wishes(Client client, RandomGenerator random) {
        this.client = client;
        this.random = random;
    }

    static List<String> elections(int phases) {
        var names = new ArrayList<String>();
        for (int phase = 0; phase < phases; phase++) {
            for (int i = 0; i < ELECTIONS; i++) {
                names.add("e" + phase + "." + i);
            }
        }
        return names;
    }

    static List<String> tokens(int phases) {
        var names = new ArrayList<String>();
        for (int phase = 0; phase < phases; phase++) {
            for (int i = 0; i < NAMES; i++) {
                names.add("t" + phase + "." + i);
            }
        }
        return names;
    }

    /// One in ten gives up soon.
    private Duration limit() {
        return Duration.ofMillis(
                random.nextInt(10) == 0
                        ? 100 + random.nextInt(500)
                        : 6_000 + random.nextInt(3_000));
    }

    void one(int phase) {
        var sequence = "s" + phase + "." + random.nextInt(NAMES);
        var tokens = "t" + phase + "." + random.nextInt(NAMES);
        var election = "e" + phase + "." + random.nextInt(ELECTIONS);
        switch (random.nextInt(13)) {
            case 0, 1, 2 -> next(sequence, random.nextInt(8) == 0 ? 3 : 1, limit());
            case 3, 4 -> client.elect(election, limit());
            case 5 -> withdraw(election, limit());
            case 6, 7 -> add(tokens, 1 + random.nextInt(2), limit());
            case 8, 9 -> takeAndWait(tokens, Duration.ofMillis(20 + random.nextInt(300)));
            case 10 -> take(tokens, limit());
            case 11 -> send();
            default -> {
                if (random.nextBoolean()) {
                    count(tokens, limit(), "count");
                } else {
                    signal(limit());
                }
            }
        }
    }

    private void next(String name, int count, Duration limit) {
        client.call(
                limit,
                () -> List.of(client.node().sequences().within(limit).next(name, count)),
                "next",
                name,
                count);
    }

    private void withdraw(String name, Duration limit) {
        client.call(
                limit,
                () -> {
                    client.node().elections().within(limit).withdraw(name);
                    return List.of();
                },
                "withdraw",
                name);
    }

    private void add(String name, int count, Duration limit) {
        client.call(
                limit,
                () -> List.of(client.node().tokens().within(limit).add(name, count)),
                "add",
                name,
                count);
    }

    private void takeAndWait(String name, Duration limit) {
        client.call(
                limit,
                () -> List.of(client.node().tokens().take(name, limit)),
                "take",
                name,
                "wait");
    }

    private void take(String name, Duration limit) {
        client.call(
                limit,
                () -> List.of(client.node().tokens().within(limit).take(name)),
                "take",
                name);
    }

    /// @param as `count`, or `settled` when all has been given back that will be
    void count(String name, Duration limit, String as) {
        client.call(
                limit, () -> List.of(client.node().tokens().within(limit).count(name)), as, name);
    }

    private void signal(Duration limit) {
        var text = client.name() + "-" + Integer.toHexString(random.nextInt()) + "-" + signals++;
        var signals = client.node().signals().within(limit);
        if (random.nextBoolean() || membersUnknown()) {
            client.call(limit, () -> List.of(signals.sendAll(text)), "signal", text, "all");
            return;
        }
        var words = new ArrayList<Object>(List.of("signal", text));
        var to = new ArrayList<>(client.node().members());
        while (to.size() > MOST_ADDRESSEES) {
            to.remove(random.nextInt(to.size()));
        }
        to.forEach(member -> words.add(member.id().brief()));
        client.call(
                limit,
                () -> List.of(signals.send(text, to.stream().map(Member::id).toList())),
                words.toArray());
    }

    /// A row of messages to one of the others. Is not given up: what a sender that gives up leaves
    /// behind others test.
    private void send() {
        if (membersUnknown()) {
            return;
        }
        var to = new ArrayList<>(client.node().members());
        to.removeIf(member -> member.id().equals(client.node().id()));
        if (to.isEmpty()) {
            return;
        }
        var member = to.get(random.nextInt(to.size()));
        var row = client.name() + "-" + Integer.toHexString(random.nextInt()) + "-" + rows++;
        int count = 1 + random.nextInt(MOST_MESSAGES);
        client.call(
                ROW,
                () -> client.parcels().send(row, member, count, ROW),
                "parcels",
                row,
                member.id().brief(),
                count);
    }

    private boolean membersUnknown() {
        return client.membership() == Membership.NONE;
    }
}
