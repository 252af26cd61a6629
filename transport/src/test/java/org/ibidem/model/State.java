package org.ibidem.model;

import java.util.AbstractMap;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;

/// Everything there is at one moment, in one array of bytes, for there are millions of moments:
/// shared variables, and of each processor its place in the program, its registers and its store
/// buffer. Values are small.
///
/// ```
/// variables | for each processor: place, registers, length of the buffer, (variable, value, old) ...
/// ```
final class State {
    private static final int VARIABLES = 16;
    private static final int REGISTERS = 10;
    private static final int BUFFER = 4;
    private static final int ENTRY = 3;
    private static final int LENGTH = 1 + REGISTERS;
    private static final int PROCESSOR = LENGTH + 1 + BUFFER * ENTRY;
    private static final byte UNSET = Byte.MIN_VALUE;

    private final byte[] bytes;
    private int hash;

    private State(byte[] bytes) {
        this.bytes = bytes;
    }

    /// The beginning: variables are zero, registers are not set.
    static State first(int processors) {
        var bytes = new byte[VARIABLES + processors * PROCESSOR];
        for (int i = 0; i < processors; i++) {
            int from = VARIABLES + i * PROCESSOR + 1;
            Arrays.fill(bytes, from, from + REGISTERS, UNSET);
        }
        return new State(bytes);
    }

    State copy() {
        return new State(bytes.clone());
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof State state && Arrays.equals(bytes, state.bytes);
    }

    @Override
    public int hashCode() {
        if (hash == 0) {
            hash = Arrays.hashCode(bytes);
        }
        return hash;
    }

    /// Numbers for names, given out as they come.
    static final class Names {
        private final List<String> names = new ArrayList<>();
        private final int most;

        private Names(int most) {
            this.most = most;
        }

        static Names ofVariables() {
            return new Names(VARIABLES);
        }

        static Names ofRegisters() {
            return new Names(REGISTERS);
        }

        int of(String name) {
            int number = names.indexOf(name);
            if (number < 0) {
                number = names.size();
                names.add(name);
                if (number == most) {
                    throw new IllegalStateException("more than " + most + " names: " + names);
                }
            }
            return number;
        }

        List<String> all() {
            return names;
        }
    }

    private static byte small(int value) {
        if (value < 0 || value > Byte.MAX_VALUE) {
            throw new IllegalStateException(value + " does not fit");
        }
        return (byte) value;
    }

    int value(int variable) {
        return bytes[variable];
    }

    void value(int variable, int value) {
        bytes[variable] = small(value);
    }

    private static int of(int processor) {
        return VARIABLES + processor * PROCESSOR;
    }

    int at(int processor) {
        return bytes[of(processor)];
    }

    void at(int processor, int step) {
        bytes[of(processor)] = small(step);
    }

    /// The registers of a processor, by name; what is put there is put into this state.
    AbstractMap<String, Integer> registers(int processor, Names names) {
        int from = of(processor) + 1;
        return new AbstractMap<>() {
            @Override
            public Integer get(Object name) {
                byte value = bytes[from + names.of((String) name)];
                return value == UNSET ? null : Integer.valueOf(value);
            }

            @Override
            public Integer put(String name, Integer value) {
                bytes[from + names.of(name)] = small(value);
                return null;
            }

            @Override
            public Set<Entry<String, Integer>> entrySet() {
                throw new UnsupportedOperationException("one by one");
            }
        };
    }

    int buffered(int processor) {
        return bytes[of(processor) + LENGTH];
    }

    boolean bufferIsFull(int processor) {
        return buffered(processor) == BUFFER;
    }

    private int entry(int processor, int which) {
        return of(processor) + LENGTH + 1 + which * ENTRY;
    }

    void store(int processor, int variable, int value) {
        int at = entry(processor, buffered(processor));
        bytes[at] = small(variable);
        bytes[at + 1] = small(value);
        bytes[at + 2] = 0;
        bytes[of(processor) + LENGTH]++;
    }

    /// What the processor sees of a variable: the newest in its own buffer first.
    int seen(int processor, int variable) {
        for (int i = buffered(processor) - 1; i >= 0; i--) {
            int at = entry(processor, i);
            if (bytes[at] == variable) {
                return bytes[at + 1];
            }
        }
        return bytes[variable];
    }

    int oldestVariable(int processor) {
        return bytes[entry(processor, 0)];
    }

    /// The oldest store of a processor reaches memory.
    void drain(int processor) {
        int first = entry(processor, 0);
        int end = entry(processor, BUFFER);
        bytes[bytes[first]] = bytes[first + 1];
        System.arraycopy(bytes, first + ENTRY, bytes, first, end - first - ENTRY);
        Arrays.fill(bytes, end - ENTRY, end, (byte) 0);
        bytes[of(processor) + LENGTH]--;
    }

    /// What is in any buffer now is old.
    void age(int processors) {
        for (int i = 0; i < processors; i++) {
            for (int j = 0; j < buffered(i); j++) {
                bytes[entry(i, j) + 2] = 1;
            }
        }
    }

    boolean hasOld(int processors) {
        for (int i = 0; i < processors; i++) {
            for (int j = 0; j < buffered(i); j++) {
                if (bytes[entry(i, j) + 2] != 0) {
                    return true;
                }
            }
        }
        return false;
    }
}
