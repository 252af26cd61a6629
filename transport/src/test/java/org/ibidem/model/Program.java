package org.ibidem.model;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.ToIntFunction;

/// What one processor of a [Machine] does: steps on shared variables and on registers of its own.
final class Program {
    /// One step.
    sealed interface Step {}

    /// Puts a value into the store buffer.
    record Store(String variable, ToIntFunction<Map<String, Integer>> value) implements Step {}

    /// Loads a value, the newest in the own store buffer first.
    record Load(String register, String variable) implements Step {}

    /// Waits until the store buffer is empty.
    record Fence() implements Step {}

    /// Exchanges a value atomically, with an empty store buffer.
    record Swap(String register, String variable, int value) implements Step {}

    /// Adds to a variable that lives in the kernel: at once, but it empties no store buffer.
    record Kernel(String variable, int more) implements Step {}

    /// Sets a variable that lives in the kernel to 1, at once.
    record Wakeup(String variable) implements Step {}

    /// Waits until a lock is free and the store buffer empty, then holds it, with what it guards in
    /// registers of the same names.
    record Lock(String lock, List<String> guarded) implements Step {}

    /// Stores what the lock guards, forgets the registers, and lets go of it, without a fence.
    record Unlock(String lock, List<String> guarded) implements Step {}

    /// Takes all of a variable that lives in the kernel.
    record Take(String register, String variable) implements Step {}

    /// Waits until one of these variables of the kernel is not zero.
    record Select(List<String> variables) implements Step {}

    /// Begins to sleep for a moment: what is in any store buffer now is old.
    record Doze() implements Step {}

    /// Waits until one of these is not zero, or nothing old is left in any store buffer.
    record Settle(List<String> variables) implements Step {}

    /// Goes on elsewhere if the registers say so.
    record Jump(Predicate<Map<String, Integer>> when, String label) implements Step {}

    /// Computes with registers.
    record Compute(Consumer<Map<String, Integer>> change) implements Step {}

    final String name;
    final List<Step> steps = new ArrayList<>();
    final Map<String, Integer> labels = new HashMap<>();

    Program(String name) {
        this.name = name;
    }

    private Program step(Step step) {
        steps.add(step);
        return this;
    }

    Program label(String label) {
        if (labels.put(label, steps.size()) != null) {
            throw new IllegalArgumentException("label " + label + " twice in " + name);
        }
        return this;
    }

    Program store(String variable, int value) {
        return step(new Store(variable, _ -> value));
    }

    Program store(String variable, String register) {
        return step(new Store(variable, registers -> registers.get(register)));
    }

    Program load(String register, String variable) {
        return step(new Load(register, variable));
    }

    Program fence(boolean there) {
        return there ? step(new Fence()) : this;
    }

    Program swap(String register, String variable, int value) {
        return step(new Swap(register, variable, value));
    }

    Program kernel(String variable) {
        return step(new Kernel(variable, 1));
    }

    /// As often as it is called, there is one wake-up: that of a selector.
    Program wakeup(String variable) {
        return step(new Wakeup(variable));
    }

    Program lock(String lock, List<String> guarded) {
        return step(new Lock(lock, guarded));
    }

    Program unlock(String lock, List<String> guarded) {
        return step(new Unlock(lock, guarded));
    }

    Program take(String register, String variable) {
        return step(new Take(register, variable));
    }

    Program select(String... variables) {
        return step(new Select(List.of(variables)));
    }

    /// Sleeps for longer than a store stays in a buffer, at most.
    Program settle(String... variables) {
        return step(new Doze()).step(new Settle(List.of(variables)));
    }

    Program jump(String label, Predicate<Map<String, Integer>> when) {
        return step(new Jump(when, label));
    }

    Program jump(String label) {
        return jump(label, _ -> true);
    }

    Program set(String register, ToIntFunction<Map<String, Integer>> value) {
        return step(new Compute(map -> map.put(register, value.applyAsInt(map))));
    }

    /// Steps written elsewhere.
    Program then(Consumer<Program> part) {
        part.accept(this);
        return this;
    }
}
