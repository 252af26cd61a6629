package org.ibidem.cli.run;

import java.util.List;
import org.jspecify.annotations.Nullable;

/// What the ends of a job's processes mean for the job.
final class Verdict {
    /// No rank whose end is the job's: it ends when all have ended, or one has failed.
    static final int NO_ROOT = -1;

    private final int root;
    private boolean over;
    private int code;

    /// @param root the rank whose end is the job's, while others may come and go; or [#NO_ROOT]
    Verdict(int root) {
        this.root = root;
    }

    /// Whether those that are left are to end.
    boolean isOver() {
        return over;
    }

    /// The job's exit code: 0 when all ended with 0, else that of the first that did not, as far as
    /// that can be told; of the root, where there is one and it has ended.
    int code() {
        return code;
    }

    /// One has ended.
    ///
    /// @return what is to be said of it
    @Nullable String ended(Job.Rank rank, List<Job.Rank> all) {
        if (over || (rank.code() == 0 && rank.number() != root)) {
            return null;
        }
        if (root == NO_ROOT) {
            return failed(Job.cause(rank, all));
        }
        if (rank.number() != root) {
            code = code == 0 ? rank.code() : code;
            return "rank "
                    + rank.number()
                    + " is gone, and what it had is done again: "
                    + rank.end();
        }
        if (rank.code() != 0) {
            return failed(rank);
        }
        over = true;
        code = 0;
        return null;
    }

    private String failed(Job.Rank rank) {
        over = true;
        code = rank.code();
        return "rank " + rank.number() + " failed: " + rank.end();
    }
}
