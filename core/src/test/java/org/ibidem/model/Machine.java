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
import org.ibidem.model.Program.Select;
import org.ibidem.model.Program.Settle;
import org.ibidem.model.Program.Step;
import org.ibidem.model.Program.Store;
import org.ibidem.model.Program.Swap;
import org.ibidem.model.Program.Take;

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
    private static final int BUFFER = 4;

    /// What an exploration found.
    ///
    /// @param states how many different states there are
    /// @param stuck the steps to a state where nobody can go on and not all are done; or empty
    /// @param most the largest value each variable had in memory
    record Result(int states, List<String> stuck, Map<String, Integer> most) {}

    /// @param old it was there already when somebody began to sleep for a moment
    private record Write(String variable, int value, boolean old) {
        Write aged() {
            return new Write(variable, value, true);
        }
    }

    private record Processor(int at, Map<String, Integer> registers, List<Write> buffer) {}

    private record State(Map<String, Integer> memory, List<Processor> processors) {}

    private record Reached(State from, String how) {}

    private final List<Program> programs;
    private final Map<State, Reached> reached = new HashMap<>();
    private final ArrayDeque<State> open = new ArrayDeque<>();
    private final Map<String, Integer> most = new TreeMap<>();

    private Machine(List<Program> programs) {
        this.programs = programs;
    }

    /// Explores everything these programs can do together.
    static Result explore(Program... programs) {
        return new Machine(List.of(programs)).explore();
    }

    private Result explore() {
        var processors = new ArrayList<Processor>();
        for (var program : programs) {
            processors.add(settled(program, new Processor(0, Map.of(), List.of())));
        }
        reach(null, new State(Map.of(), List.copyOf(processors)), "start");
        while (!open.isEmpty()) {
            var state = open.poll();
            if (!advance(state) && !over(state)) {
                return new Result(reached.size(), path(state), most);
            }
            if (reached.size() > MOST_STATES) {
                throw new IllegalStateException("more than " + MOST_STATES + " states");
            }
        }
        return new Result(reached.size(), List.of(), most);
    }

    private boolean over(State state) {
        for (int i = 0; i < programs.size(); i++) {
            if (state.processors.get(i).at < programs.get(i).steps.size()) {
                return false;
            }
        }
        return true;
    }

    private List<String> path(State to) {
        var path = new ArrayList<String>();
        for (var at = reached.get(to); at.from != null; at = reached.get(at.from)) {
            path.addFirst(at.how);
        }
        return path;
    }

    private void reach(State from, State to, String how) {
        if (reached.putIfAbsent(to, new Reached(from, how)) == null) {
            open.add(to);
            to.memory.forEach((variable, value) -> most.merge(variable, value, Math::max));
        }
    }

    private boolean advance(State state) {
        boolean moved = false;
        for (int i = 0; i < programs.size(); i++) {
            moved |= drain(state, i);
            moved |= step(state, i);
        }
        return moved;
    }

    /// The oldest store of a processor reaches memory.
    private boolean drain(State state, int which) {
        var processor = state.processors.get(which);
        if (processor.buffer.isEmpty()) {
            return false;
        }
        var write = processor.buffer.getFirst();
        var rest = processor.buffer.subList(1, processor.buffer.size());
        var after = new Processor(processor.at, processor.registers, List.copyOf(rest));
        reach(
                state,
                changed(state, which, after, write.variable, write.value),
                programs.get(which).name + ": " + write + " reaches memory");
        return true;
    }

    private boolean step(State state, int which) {
        var processor = state.processors.get(which);
        var program = programs.get(which);
        if (processor.at == program.steps.size()) {
            return false;
        }
        var step = program.steps.get(processor.at);
        var after = after(state, processor, step);
        if (after == null) {
            return false;
        }
        var next = settled(program, after);
        var to =
                switch (step) {
                    case Swap swap -> changed(state, which, next, swap.variable(), swap.value());
                    case Take take -> changed(state, which, next, take.variable(), 0);
                    case Kernel kernel ->
                            changed(
                                    state,
                                    which,
                                    next,
                                    kernel.variable(),
                                    value(state, kernel.variable()) + kernel.more());
                    case Doze _ -> aged(changed(state, which, next, null, 0));
                    default -> changed(state, which, next, null, 0);
                };
        reach(state, to, program.name + ": " + step);
        return true;
    }

    /// The processor after a step, or null when it must wait.
    private static Processor after(State state, Processor now, Step step) {
        return switch (step) {
            case Store store -> now.buffer.size() == BUFFER ? null : stored(now, store);
            case Load load -> loaded(now, load.register(), seen(state, now, load.variable()));
            case Fence _ -> now.buffer.isEmpty() ? loaded(now, "", 0) : null;
            case Swap swap ->
                    now.buffer.isEmpty()
                            ? loaded(now, swap.register(), value(state, swap.variable()))
                            : null;
            case Kernel _ -> loaded(now, "", 0);
            case Take take -> loaded(now, take.register(), value(state, take.variable()));
            case Select select ->
                    select.variables().stream().anyMatch(variable -> value(state, variable) != 0)
                            ? loaded(now, "", 0)
                            : null;
            case Doze _ -> loaded(now, "", 0);
            case Settle settle ->
                    settle.variables().stream().anyMatch(variable -> value(state, variable) != 0)
                                    || state.processors.stream()
                                            .flatMap(processor -> processor.buffer.stream())
                                            .noneMatch(Write::old)
                            ? loaded(now, "", 0)
                            : null;
            case Jump _, Compute _ -> throw new AssertionError("done when settling");
        };
    }

    private static Processor stored(Processor now, Store store) {
        var buffer = new ArrayList<>(now.buffer);
        buffer.add(new Write(store.variable(), store.value().applyAsInt(now.registers), false));
        return new Processor(now.at + 1, now.registers, List.copyOf(buffer));
    }

    private static Processor loaded(Processor now, String register, int value) {
        var registers = new HashMap<>(now.registers);
        registers.put(register, value);
        return new Processor(now.at + 1, Map.copyOf(registers), now.buffer);
    }

    private static int seen(State state, Processor now, String variable) {
        for (var write : now.buffer.reversed()) {
            if (write.variable.equals(variable)) {
                return write.value;
            }
        }
        return value(state, variable);
    }

    private static int value(State state, String variable) {
        return state.memory.getOrDefault(variable, 0);
    }

    /// Steps that concern registers alone are done at once: nobody else can tell when.
    private static Processor settled(Program program, Processor processor) {
        int at = processor.at;
        var registers = new HashMap<>(processor.registers);
        while (at < program.steps.size()) {
            if (program.steps.get(at) instanceof Jump jump) {
                at = jump.when().test(registers) ? program.labels.get(jump.label()) : at + 1;
            } else if (program.steps.get(at) instanceof Compute compute) {
                compute.change().accept(registers);
                at++;
            } else {
                break;
            }
        }
        return new Processor(at, Map.copyOf(registers), processor.buffer);
    }

    private static State aged(State state) {
        var processors = new ArrayList<Processor>();
        for (var each : state.processors) {
            var buffer = each.buffer.stream().map(Write::aged).toList();
            processors.add(new Processor(each.at, each.registers, buffer));
        }
        return new State(state.memory, List.copyOf(processors));
    }

    private static State changed(
            State state, int which, Processor processor, String variable, int value) {
        var memory = state.memory;
        if (variable != null) {
            memory = new HashMap<>(memory);
            memory.put(variable, value);
            memory = Map.copyOf(memory);
        }
        var processors = new ArrayList<>(state.processors);
        processors.set(which, processor);
        return new State(memory, List.copyOf(processors));
    }
}
