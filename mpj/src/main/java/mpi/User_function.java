package mpi;

import org.jspecify.annotations.NullUnmarked;

/// What a user's operation does. It is null-unmarked, as programs write it.
@NullUnmarked
public abstract class User_function {
    /// For those that extend it.
    public User_function() {}

    /// Makes each element of `inoutvec` what it is combined with that of `invec`, on its left.
    ///
    /// @param invec an array of the datatype's basic type
    /// @param inoffset where its first element is
    /// @param inoutvec another
    /// @param inoutoffset where its first element is
    /// @param count copies of the datatype
    /// @param datatype how they lie
    public abstract void Call(
            Object invec,
            int inoffset,
            Object inoutvec,
            int inoutoffset,
            int count,
            Datatype datatype);
}
