package org.ibidem.link;

import java.util.List;
import org.jspecify.annotations.Nullable;

/// An ability of filters: not everywhere in a stack would one do what it is for.
public interface Placed {
    /// Why it makes no sense below these, and what to write; null: it does.
    ///
    /// @param above the filters above it, from the top
    @Nullable String objection(List<Filter> above);
}
