package org.ibidem.mpj;

/// The error classes of MPI 1.1, section 7.3, in its order.
public enum ErrorClass {
    /// No error.
    SUCCESS(0),
    /// A buffer that is null, no array of its type, or too short.
    BUFFER(1),
    /// A count below 0.
    COUNT(2),
    /// A datatype that is null, not committed, or not the message's.
    TYPE(3),
    /// A tag out of bounds.
    TAG(4),
    /// A communicator that is freed or null.
    COMM(5),
    /// A rank that nobody has.
    RANK(6),
    /// A request that is none.
    REQUEST(7),
    /// A root that nobody is.
    ROOT(8),
    /// A group that is null, or has not the members it needs.
    GROUP(9),
    /// An operation that is null, freed, or not for its datatype.
    OP(10),
    /// A topology that does not fit.
    TOPOLOGY(11),
    /// Dimensions that cannot be.
    DIMS(12),
    /// Another argument that cannot be.
    ARG(13),
    /// An error of no known kind.
    UNKNOWN(14),
    /// A message longer than its receiver has room for.
    TRUNCATE(15),
    /// A known error of no other class.
    OTHER(16),
    /// Something failed below MPI.
    INTERN(17),
    /// The error is in a status.
    IN_STATUS(18),
    /// The request is not complete.
    PENDING(19);

    private final int code;

    ErrorClass(int code) {
        this.code = code;
    }

    /// Its number.
    public int code() {
        return code;
    }

    /// As the standard writes it.
    @Override
    public String toString() {
        return "MPI_ERR_" + name();
    }
}
