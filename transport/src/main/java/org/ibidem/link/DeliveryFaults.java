package org.ibidem.link;

import java.util.ArrayList;

/// What may become of frames on a link, besides that the link breaks: none of it where a link is
/// faithful, as TCP is.
///
/// @param loses some may never arrive
/// @param doubles some may arrive more than once
/// @param reorders some may be overtaken by later ones
public record DeliveryFaults(boolean loses, boolean doubles, boolean reorders) {
    /// Each frame arrives once, in order.
    public static final DeliveryFaults FAITHFUL = new DeliveryFaults(false, false, false);

    /// All of it may happen, as to datagrams.
    public static final DeliveryFaults LOSSY = new DeliveryFaults(true, true, true);

    /// What may happen where this one and `other` lie on the way.
    public DeliveryFaults and(DeliveryFaults other) {
        return new DeliveryFaults(
                loses || other.loses, doubles || other.doubles, reorders || other.reorders);
    }

    /// Whether nothing of it may happen.
    public boolean isFaithful() {
        return equals(FAITHFUL);
    }

    /// Whether what is said here allows for all of `other`.
    public boolean covers(DeliveryFaults other) {
        return equals(and(other));
    }

    /// What may happen to frames, for people: `lose or reorder`; of a faithful one nothing.
    @Override
    public String toString() {
        var words = new ArrayList<String>();
        if (loses) {
            words.add("lose");
        }
        if (doubles) {
            words.add("repeat");
        }
        if (reorders) {
            words.add("reorder");
        }
        int last = words.size() - 1;
        return last < 1
                ? String.join("", words)
                : String.join(", ", words.subList(0, last)) + " or " + words.get(last);
    }
}
