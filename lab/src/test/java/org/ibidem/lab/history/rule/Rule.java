package org.ibidem.lab.history.rule;

import java.util.List;
import org.ibidem.lab.history.History;

/// A promise that a history can show to be broken.
interface Rule {
    /// What breaks it, one line each; empty: nothing does.
    List<String> broken(History history);
}
