package org.ibidem.lab.nemesis;

import org.ibidem.lab.history.Notebook;
import org.ibidem.registry.Member;
import org.ibidem.registry.Node;
import org.ibidem.registry.PoolEvent;

/// Notes what a node hears.
final class Ear {
    private final Notebook notes;
    private final String name;
    private final Node node;

    Ear(Notebook notes, String name, Node node) {
        this.notes = notes;
        this.name = name;
        this.node = node;
    }

    void listen() {
        node.events(this::heard);
        notes.note(name, "listens");
    }

    private void heard(PoolEvent event) {
        switch (event) {
            case PoolEvent.Joined(var member) -> note("joined", id(member), member.rank());
            case PoolEvent.Left(var member) -> note("left", id(member));
            case PoolEvent.Died(var member, var why) -> note("died", id(member), why);
            case PoolEvent.Suspected(var member, var why) -> note("suspected", id(member), why);
            case PoolEvent.Restored(var member) -> note("restored", id(member));
            case PoolEvent.Closed(var why) -> note("closed", why);
            case PoolEvent.Terminated(var by) -> note("terminated", id(by));
            case PoolEvent.Elected(var election, var winner, var term) ->
                    note("elected", election, id(winner), term);
            case PoolEvent.Vacated(var election, var term) -> note("vacated", election, term);
            case PoolEvent.Signalled(var from, var signal) -> note("signalled", id(from), signal);
            case PoolEvent.HubLost(var why) -> note("hub-lost", why);
            case PoolEvent.HubBack() -> note("hub-back");
            case PoolEvent.Restarted(var why) -> note("restarted", why);
            case PoolEvent.Missed(var why) -> note("missed", why);
        }
    }

    private static String id(Member member) {
        return member.id().brief();
    }

    private void note(Object... words) {
        notes.note(name, "heard", words);
    }
}
