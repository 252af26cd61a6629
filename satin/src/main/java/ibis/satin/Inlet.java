package ibis.satin;

/// What a spawned method may throw to tell its spawner something: an exception without a trace,
/// which costs much and which nobody reads here. Other exceptions serve as well.
public class Inlet extends Throwable {
    private static final long serialVersionUID = 1;

    /// One without a message.
    public Inlet() {}

    /// Leaves the trace empty.
    @Override
    public Throwable fillInStackTrace() {
        return this;
    }
}
