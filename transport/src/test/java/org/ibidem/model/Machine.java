package org.ibidem.model;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.ibidem.model.Program.Compute;
import org.ibidem.model.Program.Doze;
import org.ibidem.model.Program.Fence;
import org.ibidem.model.Program.Jump;
import org.ibidem.model.Program.Kernel;
import org.ibidem.model.Program.Load;
import org.ibidem.model.Program.Lock;
import org.ibidem.model.Program.Select;
import org.ibidem.model.Program.Settle;
import org.ibidem.model.Program.Step;
import org.ibidem.model.Program.Store;
import org.ibidem.model.Program.Swap;
import org.ibidem.model.Program.Take;
import org.ibidem.model.Program.Unlock;
import org.ibidem.model.Program.Wakeup;

/// Runs programs in every possible order on processors with store buffers, as x86 has them (total
/// store order; Owens, Sarkar and Sewell, "A better x86 memory model: x86-TSO", 2009), and looks
/// for an order after which somebody waits for ever.
///
/// A store goes into the processor's own buffer, first in, first out, and reaches memory at any
/// later moment; a load looks into the own buffer first. Variables begin as zero. A step may last
/// longer than any store stays in a buffer, as real processors allow (Morrison and Afek,
/// "Temporally bounding TSO for fence-free asymmetric synchronization", 2015).
final class Machine {
    private static final int MOST_STATES = 5_000_000;

    /// What an exploration found.
    ///
    /// @param states how many different states there are
    /// @param stuck the steps to a state where nobody can go on and not all are done; or empty
    /// @param most the largest value each variable had in memory
    record Result(int states, List<String> stuck, Map<String, Integer> most) {}

    /// How a state was reached first.
    ///
    /// @param which whose step it was
    /// @param step null: the oldest store of its buffer reached memory
    private record Reached(State from, int which, Step step) {}

    private final List<Program> programs;
    private final int count;
    private final Map<State, Reached> reached = new HashMap<>();
    private final ArrayDeque<State> open = new ArrayDeque<>();
    private final State.Names variables = State.Names.ofVariables();
    private final List<State.Names> registers = new ArrayList<>();
    private final Map<Integer, Integer> most = new HashMap<>();

    private Machine(List<Program> programs) {
        this.programs = programs;
        this.count = programs.size();
        programs.forEach(_ -> registers.add(State.Names.ofRegisters()));
    }

    /// Explores everything these programs can do together.
    static Result explore(Program... programs) {
        return new Machine(List.of(programs)).explore();
    }

    private Result explore() {
        var first = State.first(count);
        for (int i = 0; i < count; i++) {
            settle(first, i);
        }
        reach(first, new Reached(null, 0, null));
        while (!open.isEmpty()) {
            var state = open.poll();
            if (!advance(state) && !over(state)) {
                return result(path(state));
            }
            if (reached.size() > MOST_STATES) {
                throw new IllegalStateException("more than " + MOST_STATES + " states");
            }
        }
        return result(List.of());
    }

    private Result result(List<String> stuck) {
        var named = new TreeMap<String, Integer>();
        for (var name : variables.all()) {
            named.put(name, most.getOrDefault(variables.of(name), 0));
        }
        return new Result(reached.size(), stuck, named);
    }

    private boolean over(State state) {
        for (int i = 0; i < count; i++) {
            if (state.at(i) < programs.get(i).steps.size()) {
                return false;
            }
        }
        return true;
    }

    private List<String> path(State to) {
        var path = new ArrayList<String>();
        for (var at = reached.get(to); at.from != null; at = reached.get(at.from)) {
            var what =
                    at.step != null
                            ? at.step.toString()
                            : variables.all().get(at.from.oldestVariable(at.which))
                                    + " reaches memory";
            path.addFirst(programs.get(at.which).name + ": " + what);
        }
        return path;
    }

    private void reach(State to, Reached how) {
        if (reached.putIfAbsent(to, how) == null) {
            open.add(to);
            for (int i = 0; i < variables.all().size(); i++) {
                most.merge(i, to.value(i), Math::max);
            }
        }
    }

    private boolean advance(State state) {
        boolean moved = false;
        for (int i = 0; i < count; i++) {
            if (state.buffered(i) > 0) {
                var to = state.copy();
                to.drain(i);
                reach(to, new Reached(state, i, null));
                moved = true;
            }
            moved |= step(state, i);
        }
        return moved;
    }

    private boolean step(State state, int which) {
        var program = programs.get(which);
        int at = state.at(which);
        if (at == program.steps.size()) {
            return false;
        }
        var step = program.steps.get(at);
        if (mustWait(state, which, step)) {
            return false;
        }
        var to = state.copy();
        take(to, which, step);
        to.at(which, at + 1);
        settle(to, which);
        reach(to, new Reached(state, which, step));
        return true;
    }

    private boolean mustWait(State state, int which, Step step) {
        return switch (step) {
            case Store _ -> state.bufferIsFull(which);
            case Fence _, Swap _ -> state.buffered(which) > 0;
            case Lock lock ->
                    state.buffered(which) > 0 || state.value(variables.of(lock.lock())) != 0;
            case Select select -> isQuiet(state, select.variables());
            case Settle settle -> isQuiet(state, settle.variables()) && state.hasOld(count);
            default -> false;
        };
    }

    private boolean isQuiet(State state, List<String> kernel) {
        return kernel.stream().allMatch(variable -> state.value(variables.of(variable)) == 0);
    }

    private void take(State to, int which, Step step) {
        var mine = to.registers(which, registers.get(which));
        switch (step) {
            case Store store ->
                    to.store(which, variables.of(store.variable()), store.value().applyAsInt(mine));
            case Load load ->
                    mine.put(load.register(), to.seen(which, variables.of(load.variable())));
            case Swap swap -> {
                int variable = variables.of(swap.variable());
                mine.put(swap.register(), to.value(variable));
                to.value(variable, swap.value());
            }
            case Take take -> {
                int variable = variables.of(take.variable());
                mine.put(take.register(), to.value(variable));
                to.value(variable, 0);
            }
            case Kernel kernel -> {
                int variable = variables.of(kernel.variable());
                to.value(variable, to.value(variable) + kernel.more());
            }
            case Wakeup wakeup -> to.value(variables.of(wakeup.variable()), 1);
            case Lock lock -> {
                to.value(variables.of(lock.lock()), 1);
                for (var variable : lock.guarded()) {
                    mine.put(variable, to.value(variables.of(variable)));
                }
            }
            case Unlock unlock -> unlock(to, which, unlock);
            case Doze _ -> to.age(count);
            case Fence _, Select _, Settle _ -> {}
            case Jump _, Compute _ -> throw new AssertionError("done when settling");
        }
    }

    /// Nobody looks at what is guarded without the lock, so it is seen at once; what else was
    /// stored stays in the buffer.
    private void unlock(State to, int which, Unlock unlock) {
        var mine = to.registers(which, registers.get(which));
        for (var variable : unlock.guarded()) {
            to.value(variables.of(variable), mine.get(variable));
            mine.put(variable, 0);
        }
        to.value(variables.of(unlock.lock()), 0);
    }

    /// Steps that concern registers alone are done at once: nobody else can tell when.
    private void settle(State state, int which) {
        var program = programs.get(which);
        var mine = state.registers(which, registers.get(which));
        int at = state.at(which);
        while (at < program.steps.size()) {
            if (program.steps.get(at) instanceof Jump jump) {
                at = jump.when().test(mine) ? program.labels.get(jump.label()) : at + 1;
            } else if (program.steps.get(at) instanceof Compute compute) {
                compute.change().accept(mine);
                at++;
            } else {
                break;
            }
        }
        state.at(which, at);
    }
}
