package mpi;

/// A communicator of two groups: messages go from one to the other.
public class Intercomm extends Comm {
    Intercomm(World world, int[] local, int[] remote, int context, Errhandler handler) {
        super(world, local, remote, context, handler);
    }

    /// How many processes are in the other group.
    public int Remote_size() {
        return guarded("Remote_size", () -> remote().length);
    }

    /// The other group.
    public Group Remote_group() {
        return guarded("Remote_group", () -> new Group(remote(), device().id()));
    }

    @Override
    public boolean Test_inter() {
        return guarded("Test_inter", () -> true);
    }

    /// Both groups become one; all of both call it.
    ///
    /// @param high whether this group comes behind the other; where both say the same, that comes
    ///   first whose first member has the lower rank in COMM_WORLD
    public Intracomm Merge(boolean high) {
        return noted("Merge", NO_ROOT, () -> Bridge.merged(this, high));
    }

    /// A communicator of the same groups; all of both call it.
    @Override
    @SuppressWarnings({
        "MissingSuperCall",
        "CloneMethod"
    }) // part of the API, and no copy of an object
    public Object clone() {
        return noted(
                "clone",
                NO_ROOT,
                () -> {
                    Agreement.check(this, "clone", -1);
                    int context = Bridge.agree(this, 0)[0];
                    return new Intercomm(live(), local(), remote(), context, handler());
                });
    }
}
