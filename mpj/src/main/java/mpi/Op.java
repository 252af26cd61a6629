package mpi;

import org.ibidem.mpj.ErrorClass;
import org.ibidem.mpj.Fault;
import org.ibidem.mpj.collective.Arithmetic;
import org.ibidem.mpj.collective.Location;
import org.ibidem.mpj.collective.Reduction;
import org.jspecify.annotations.Nullable;

/// What reductions combine elements by.
public class Op {
    /// Its number, for programs that look at it; 0 of a user's.
    public int opCode;

    private final boolean commutes;
    private final @Nullable User_function function;
    private final Reduction.@Nullable Combine predefined;
    private volatile boolean freed;

    /// A user's operation.
    ///
    /// @param function what it does
    /// @param commute whether operands may change places
    public Op(User_function function, boolean commute) {
        this(function, commute, 0);
    }

    /// The same, with a number.
    public Op(User_function function, boolean commute, int opCode) {
        if (function == null) { // who calls it may not be null-marked
            throw new MPIException(
                    ErrorClass.ARG,
                    "an Op without a function",
                    new Fault(ErrorClass.ARG, "the function is null"));
        }
        this.function = function;
        this.predefined = null;
        this.commutes = commute;
        this.opCode = opCode;
    }

    Op(Reduction.Combine predefined, int opCode) {
        this.function = null;
        this.predefined = predefined;
        this.commutes = true;
        this.opCode = opCode;
    }

    /// Whether operands may change places.
    public boolean Is_commutative() {
        return commutes;
    }

    /// As it is used with a datatype.
    static Reduction.Operation with(@Nullable Op op, @Nullable Datatype type) {
        if (op == null || op.freed) {
            throw new Fault(ErrorClass.OP, "the Op is " + (op == null ? "null" : "freed"));
        }
        return op.on(Datatype.checked(type));
    }

    private Reduction.Operation on(Datatype type) {
        switch (predefined) {
            case Arithmetic arithmetic -> arithmetic.check(type.shape().kind());
            case Location location -> location.check(type.shape().kind(), type.shape().size());
            case null, default -> {
                // a user's takes what it takes
            }
        }
        Reduction.Combine combine = predefined;
        User_function call = function;
        if (combine == null) {
            combine =
                    (left, inout) -> {
                        if (call != null && left.count() > 0) {
                            call.Call(
                                    left.array(),
                                    left.offset(),
                                    inout.array(),
                                    inout.offset(),
                                    left.count(),
                                    type);
                        }
                    };
        }
        return new Reduction.Operation(combine, commutes);
    }

    /// It is used no more.
    public void free() {
        if (predefined != null) {
            throw World.failure(
                    "free", new Fault(ErrorClass.OP, "a predefined Op cannot be freed"));
        }
        freed = true;
    }

    /// As [#free].
    public void Free() {
        free();
    }

    /// Nothing: memory frees itself.
    @Override
    @SuppressWarnings({"removal", "Finalize"}) // part of the API
    public void finalize() {}
}
