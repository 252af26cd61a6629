package org.ibidem.lab.history.rule;

import org.ibidem.lab.history.Call;
import org.jspecify.annotations.Nullable;

/// A thing that does one call after the other, as [Search] compares histories with.
///
/// @param <S> its states, to be told apart by `equals`
interface Model<S> {
    /// The state in which it begins.
    S first();

    /// The state after a call that ended as this one did; null: it cannot have ended so.
    @Nullable S after(S state, Call call);

    /// What tells calls apart that do something else to some state: of those for which this is
    /// equal any may be done first.
    Object effect(Call call);
}
