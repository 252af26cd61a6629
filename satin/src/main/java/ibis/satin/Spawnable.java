package ibis.satin;

import java.io.Serializable;

/// Marks the methods of the interfaces that extend it: calls of them on a [SatinObject] are
/// spawned. What is called travels with a call that is stolen, so it is `Serializable`.
public interface Spawnable extends Serializable {}
