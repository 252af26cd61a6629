package ibis.satin;

/// Marks the methods of the interfaces that extend it: on a [SharedObject] they change it, and are
/// applied to every copy of it.
public interface WriteMethodsInterface {}
