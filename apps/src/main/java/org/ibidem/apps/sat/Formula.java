package org.ibidem.apps.sat;

import java.io.IOException;
import java.io.Serializable;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/// Clauses of literals: a variable's number, or minus that for its contrary.
final class Formula implements Serializable {
    private static final long serialVersionUID = 1;

    private final int variables;
    private final int[][] clauses;

    private Formula(int variables, List<int[]> clauses) {
        this.variables = variables;
        this.clauses = clauses.toArray(int[][]::new);
    }

    int variables() {
        return variables;
    }

    /// One pigeon more than holes, each in a hole, no two in one.
    static Formula pigeons(int holes) {
        var all = new ArrayList<int[]>();
        for (int pigeon = 0; pigeon <= holes; pigeon++) {
            var somewhere = new int[holes];
            for (int hole = 0; hole < holes; hole++) {
                somewhere[hole] = 1 + pigeon * holes + hole;
                for (int other = 0; other < pigeon; other++) {
                    all.add(new int[] {-somewhere[hole], -(1 + other * holes + hole)});
                }
            }
            all.add(somewhere);
        }
        return new Formula((holes + 1) * holes, all);
    }

    /// Clauses of three that a random assignment makes true, 4.2 for each variable.
    static Formula random(int variables, long seed) {
        var random = new Random(seed);
        var hidden = new boolean[variables + 1];
        for (int i = 1; i <= variables; i++) {
            hidden[i] = random.nextBoolean();
        }
        var all = new ArrayList<int[]>();
        while (all.size() < variables * 42 / 10) {
            var three =
                    random.ints(1, variables + 1)
                            .distinct()
                            .limit(3)
                            .map(one -> random.nextBoolean() ? one : -one)
                            .toArray();
            for (int literal : three) {
                if (hidden[Math.abs(literal)] == literal > 0) {
                    all.add(three);
                    break;
                }
            }
        }
        return new Formula(variables, all);
    }

    /// From a file in DIMACS' format.
    ///
    /// @throws IllegalArgumentException with the line that is none
    static Formula read(Path file) throws IOException {
        int variables = -1;
        var all = new ArrayList<int[]>();
        var clause = new ArrayList<Integer>();
        int number = 0;
        for (var line : Files.readAllLines(file)) {
            number++;
            var words = line.strip().split("\\s+", -1);
            if (words[0].equals("%")) {
                break; // As the files of SATLIB end.
            }
            if (words[0].isEmpty() || words[0].equals("c")) {
                continue;
            }
            try {
                if (words[0].equals("p")) {
                    variables = Integer.parseInt(words[2]);
                    continue;
                }
                for (var word : words) {
                    int literal = Integer.parseInt(word);
                    if (Math.abs(literal) > variables) {
                        throw new NumberFormatException("there are " + variables + " variables");
                    }
                    if (literal != 0) {
                        clause.add(literal);
                        continue;
                    }
                    all.add(clause.stream().mapToInt(Integer::intValue).toArray());
                    clause.clear();
                }
            } catch (NumberFormatException | ArrayIndexOutOfBoundsException e) {
                throw new IllegalArgumentException(
                        file + ", line " + number + ": " + line + " (" + e.getMessage() + ")", e);
            }
        }
        if (variables < 0 || !clause.isEmpty()) {
            throw new IllegalArgumentException(
                    file + (variables < 0 ? " has no line 'p cnf …'" : " ends within a clause"));
        }
        return new Formula(variables, all);
    }

    /// Assigns what follows from clauses that have one way left.
    ///
    /// @return false: some clause has none
    boolean propagate(byte[] values) {
        boolean more = true;
        while (more) {
            more = false;
            for (var clause : clauses) {
                int free = free(clause, values);
                if (free == 0) {
                    return false;
                }
                if (free == 1) {
                    int last = firstFree(clause, values);
                    values[Math.abs(last)] = (byte) Integer.signum(last);
                    more = true;
                }
            }
        }
        return true;
    }

    /// How many of its literals have no value; -1: it holds.
    private static int free(int[] clause, byte[] values) {
        int free = 0;
        for (int literal : clause) {
            int value = value(literal, values);
            if (value > 0) {
                return -1;
            }
            free += value == 0 ? 1 : 0;
        }
        return free;
    }

    private static int firstFree(int[] clause, byte[] values) {
        int i = 0;
        while (values[Math.abs(clause[i])] != 0) {
            i++;
        }
        return clause[i];
    }

    private static int value(int literal, byte[] values) {
        return literal > 0 ? values[literal] : -values[-literal];
    }

    /// A variable to split on: a free one of the shortest clause that does not hold yet.
    ///
    /// @return 0: all hold
    int choose(byte[] values) {
        int best = 0;
        int least = Integer.MAX_VALUE;
        for (var clause : clauses) {
            int free = free(clause, values);
            if (free > 0 && free < least) {
                least = free;
                best = Math.abs(firstFree(clause, values));
            }
        }
        return best;
    }

    /// Whether all clauses hold.
    boolean holds(byte[] values) {
        for (var clause : clauses) {
            if (free(clause, values) >= 0) {
                return false;
            }
        }
        return true;
    }
}
