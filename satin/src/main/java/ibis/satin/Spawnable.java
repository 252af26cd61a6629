package ibis.satin;

/// Marks the methods of the interfaces that extend it: calls of them on a [SatinObject] are
/// spawned.
public interface Spawnable {}
