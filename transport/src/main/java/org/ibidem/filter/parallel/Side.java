package org.ibidem.filter.parallel;

import java.nio.channels.SelectableChannel;
import java.util.function.BooleanSupplier;
import org.ibidem.wait.Armed;
import org.ibidem.wait.Doorbell;
import org.ibidem.wait.Waitable;
import org.jspecify.annotations.Nullable;

/// Who waits for one direction of a [Bundle]: the node watches its connections and rings.
final class Side implements Waitable {
    private final Bundle bundle;
    private final BooleanSupplier something;
    private volatile @Nullable Doorbell bell;
    private boolean waits;

    /// @param something whether there is something to do, asked under the bundle's lock
    Side(Bundle bundle, BooleanSupplier something) {
        this.bundle = bundle;
        this.something = something;
    }

    @Override
    public Armed arm() {
        return bundle.locked(() -> {
            waits = !something.getAsBoolean();
            return Armed.quiet(waits);
        });
    }

    @Override
    public void disarm() {
        bundle.locked(() -> waits = false);
    }

    /// Rings if there is something and somebody waits; under the bundle's lock.
    void wake() {
        var mine = bell;
        if (waits && mine != null && something.getAsBoolean()) {
            waits = false;
            mine.ring();
        }
    }

    @Override
    public @Nullable SelectableChannel channel() {
        return null;
    }

    @Override
    public int interest() {
        return 0;
    }

    @Override
    public void bell(Doorbell bell) {
        this.bell = bell;
    }
}
