package org.ibidem.wait;

import java.nio.channels.SelectableChannel;
import java.util.List;
import org.ibidem.buffer.Tally;
import org.jspecify.annotations.Nullable;

/// Part of a filter over several lowers that sleeps until there is something to do for one of them,
/// as for one of several sockets. It has no channel of its own: a waiter finds theirs by
/// [#channels], also where other filters stand above.
public interface WaitableOverAll extends Waitable {
    /// Those it stands for, always the same; one that is gone has the interest 0 from then on.
    List<? extends Waitable> all();

    /// Those on whose channels to select for `part`: those it stands over where that is a
    /// [WaitableOverAll], else itself.
    static List<? extends Waitable> channels(Waitable part) {
        var ground = part;
        while (ground instanceof WaitableOver over) {
            ground = over.below();
        }
        return ground instanceof WaitableOverAll several
                ? several.all().stream().flatMap(one -> channels(one).stream()).toList()
                : List.of(part);
    }

    /// Arms all of them, so that [#disarm] disarms what is armed.
    @Override
    default Armed arm() {
        var armed = Armed.SLEEP;
        for (var one : all()) {
            armed = armed.and(one.arm());
        }
        return armed;
    }

    @Override
    default void disarm() {
        all().forEach(Waitable::disarm);
    }

    @Override
    default void tally(Tally counts) {
        all().forEach(one -> one.tally(counts));
    }

    @Override
    default @Nullable SelectableChannel channel() {
        return null;
    }

    /// What any of them is interested in.
    @Override
    default int interest() {
        int interest = 0;
        for (var one : all()) {
            interest |= one.interest();
        }
        return interest;
    }

    @Override
    default SleepTraits traits() {
        return new SleepTraits(all().stream().allMatch(one -> one.traits().announces()), false);
    }

    /// Which of them was ready is not said: each is told.
    @Override
    default void ready() {
        all().forEach(Waitable::ready);
    }

    @Override
    default void bell(Doorbell bell) {
        all().forEach(one -> one.bell(bell));
    }
}
