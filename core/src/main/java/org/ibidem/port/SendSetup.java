package org.ibidem.port;

import org.ibidem.arbitration.WaitPolicy;
import org.jspecify.annotations.Nullable;

/// How a send port is set up, beyond its type. Immutable: each method gives a changed copy.
public final class SendSetup {
    /// Nothing special.
    public static final SendSetup USUAL = new SendSetup(null, null, null);

    final @Nullable WaitPolicy waiting;
    final @Nullable LossUpcall lost;
    final @Nullable Numbers numbers;

    private SendSetup(
            @Nullable WaitPolicy waiting, @Nullable LossUpcall lost, @Nullable Numbers numbers) {
        this.waiting = waiting;
        this.lost = lost;
        this.numbers = numbers;
    }

    /// With its own way of waiting.
    public SendSetup waiting(WaitPolicy policy) {
        return new SendSetup(policy, lost, numbers);
    }

    /// Connections that are over are told to this; the type has `connection-upcalls`.
    public SendSetup lost(LossUpcall upcall) {
        return new SendSetup(waiting, upcall, numbers);
    }

    SendSetup numbers(Numbers from) {
        return new SendSetup(waiting, lost, from);
    }
}
