package org.ibidem.apps.sat;

import ibis.satin.SatinObject;
import java.io.IOException;
import java.nio.file.Path;
import org.ibidem.apps.Numbers;

/// Arguments: a file in DIMACS' format, or `pigeons` and a number of holes, or `random` and a
/// number of variables and a seed.
public final class Sat extends SatinObject implements SatInterface {
    private static final long serialVersionUID = 1;

    /// So many splits make jobs enough, and each is large enough.
    private static final int DEEP = 10;

    private final Formula formula;

    Sat(Formula formula) {
        this.formula = formula;
    }

    @Override
    public void search(byte[] values, int deep) throws Satisfied {
        if (!formula.propagate(values)) {
            return;
        }
        int variable = formula.choose(values);
        if (variable == 0) {
            throw new Satisfied(values);
        }
        var yes = values.clone();
        yes[variable] = 1;
        var no = values.clone();
        no[variable] = -1;
        if (deep == 0) {
            alone(yes);
            alone(no);
            return;
        }
        try {
            search(yes, deep - 1);
        } catch (Satisfied found) {
            abort();
            throw found;
        }
        try {
            search(no, deep - 1);
        } catch (Satisfied found) {
            abort();
            throw found;
        }
        sync();
    }

    private void alone(byte[] values) throws Satisfied {
        if (!formula.propagate(values)) {
            return;
        }
        int variable = formula.choose(values);
        if (variable == 0) {
            throw new Satisfied(values);
        }
        var yes = values.clone();
        yes[variable] = 1;
        alone(yes);
        values[variable] = -1;
        alone(values);
    }

    boolean isSatisfiable() {
        try {
            search(new byte[formula.variables() + 1], DEEP);
            sync();
            return false;
        } catch (Satisfied found) {
            if (!formula.holds(found.values())) {
                throw new IllegalStateException("what was found does not hold");
            }
            return true;
        }
    }

    /// Prints whether it can be made true, and where that is known, whether that is right.
    public static void main(String[] arguments) throws IOException {
        var numbers = new Numbers("sat [pigeons | random | FILE [SIZE [SEED]]]", arguments);
        var kind = arguments.length > 0 ? arguments[0] : "pigeons";
        int size = numbers.whole(1, 8, 1, 100_000);
        long seed = numbers.whole(2, 1L, 0, Long.MAX_VALUE);
        var formula =
                switch (kind) {
                    case "pigeons" -> Formula.pigeons(size);
                    case "random" -> Formula.random(size, seed);
                    default -> Formula.read(Path.of(kind));
                };
        boolean can = new Sat(formula).isSatisfiable();
        boolean known = kind.equals("pigeons") || kind.equals("random");
        var verdict = !known ? "" : can == kind.equals("random") ? ", right" : ", WRONG";
        System.out.println((can ? "SATISFIABLE" : "UNSATISFIABLE") + verdict);
    }
}
