package org.ibidem.lab.history.rule;

import java.util.ArrayList;
import java.util.List;
import org.ibidem.lab.history.Call;
import org.ibidem.lab.history.History;

/// What rules have in common that compare the calls about one name with a [Model].
final class Linear {
    private Linear() {}

    /// Calls that were done or may have been. Where a hub has lost the end of its journal, which
    /// holds numbers and tokens that are lost with it, what was known before that.
    static List<Call> known(List<Call> calls, History history) {
        long lost = history.lost();
        var known = new ArrayList<Call>();
        boolean before = calls.getFirst().invoked() < lost;
        for (var call : calls) {
            if (call.end() == Call.End.FAIL || (before && call.invoked() >= lost)) {
                continue;
            }
            known.add(
                    call.end() == Call.End.UNKNOWN || (before && call.ended() >= lost)
                            ? call.forgotten()
                            : call);
        }
        return known;
    }

    static <S> void check(String what, Model<S> model, List<Call> calls, List<String> broken) {
        var search = new Search<>(model, calls);
        switch (search.run()) {
            case YES -> {
                // as it should be
            }
            case NO ->
                    broken.add(
                            what
                                    + ": no order of its calls explains what they gave; "
                                    + search.obstacle());
            case UNKNOWN -> broken.add(what + ": " + calls.size() + " calls are too many to tell");
        }
    }
}
