package org.ibidem.lab.mutate;

/// A class with one instruction changed.
///
/// @param type its name, with dots
/// @param method in which
/// @param descriptor of the method
/// @param element number of the instruction among the elements of the code
/// @param line of the source
/// @param change what is changed
/// @param about the instruction, for people
record Mutant(
        String type,
        String method,
        String descriptor,
        int element,
        int line,
        Change change,
        String about) {
    @Override
    public String toString() {
        return "%s:%d %s: %s (%s)".formatted(type, line, method, change, about);
    }
}
