package org.ibidem.apps.barnes;

import java.awt.image.DataBufferByte;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.Locale;
import javax.imageio.ImageIO;
import org.ibidem.IbidemException;
import org.ibidem.apps.view.Palette;
import org.ibidem.config.WholeFile;
import org.ibidem.registry.Join;
import org.ibidem.registry.Node;

/// One process of the job.
///
/// Exit codes: 0 done, 1 failed, or the energy is another one than it was, or the bodies are not
/// where one process would have them; 2 misused.
public final class Barnes {
    private static final Duration ALL_HERE_WITHIN = Duration.ofSeconds(60);

    /// How much the energy may change.
    private static final double DRIFT = 0.01;

    private static final int SIDE = 512;

    /// What a picture shows, from the middle to its edge.
    private static final double SEEN = 4;

    private final Node node;
    private final Options options;
    private final PrintStream out;

    /// A process that moves its share on `node`; rank 0 reports to `out`.
    Barnes(Node node, Options options, PrintStream out) {
        this.node = node;
        this.options = options;
        this.out = out;
    }

    /// Joins the pool that `ibidem run` names, computes, and ends the process with its exit code.
    public static void main(String[] args) {
        var join = Join.fromEnvironment();
        try {
            var options = Options.parse(args);
            boolean right;
            try (var node = Node.join(join)) {
                right = new Barnes(node, options, System.out).run();
            }
            System.exit(right ? 0 : 1);
        } catch (IbidemException e) {
            // What is misused all processes find out; one says it.
            if (!(e instanceof Options.Bad) || join.rank() <= 0) {
                System.err.println("barnes: " + e.getMessage());
            }
            System.exit(e instanceof Options.Bad ? 2 : 1);
        }
    }

    /// The first body of a process.
    private int first(int rank) {
        return (int) ((long) options.bodies() * rank / node.size());
    }

    /// Computes and checks.
    ///
    /// @return false when something is wrong
    boolean run() {
        int ranks = node.size();
        if (ranks == Join.ANY_SIZE || ranks > options.bodies()) {
            throw new Options.Bad(
                    "start barnes with 'ibidem run -n N barnes', with a body for each process at"
                            + " least");
        }
        try (var peers =
                options.rmi()
                        ? new ByCalls(node, options.stack(), ranks)
                        : new OverPorts(node, options.stack(), ranks)) {
            peers.connect(node.awaitMembers(ranks, ALL_HERE_WITHIN));
            var galaxy = new Galaxy(options.bodies(), first(node.rank()), first(node.rank() + 1));
            double before = energy(peers, galaxy);
            long start = System.nanoTime();
            for (int step = 0; step < options.steps(); step++) {
                move(peers, galaxy);
            }
            long took = System.nanoTime() - start;
            double after = energy(peers, galaxy);
            return node.rank() > 0 || report(galaxy, took, before, after);
        }
    }

    private void move(Peers peers, Galaxy galaxy) {
        var all = peers.all(galaxy.drift());
        for (int rank = 0; rank < all.length; rank++) {
            galaxy.put(first(rank), all[rank]);
        }
        galaxy.pull();
    }

    private static double energy(Peers peers, Galaxy galaxy) {
        return Arrays.stream(peers.all(new double[] {galaxy.energy()}))
                .mapToDouble(each -> each[0])
                .sum();
    }

    private boolean report(Galaxy galaxy, long took, double before, double after) {
        double drift = Math.abs(after / before - 1);
        out.printf(
                Locale.ROOT,
                "%d bodies, %d processes, stack %s%s: %d steps in %.2f s%n",
                options.bodies(),
                node.size(),
                options.stack(),
                options.rmi() ? ", by remote calls" : "",
                options.steps(),
                took / 1e9);
        boolean kept = drift <= DRIFT;
        out.printf(
                Locale.ROOT,
                "energy %.6f, then %.6f: a drift of %.4f %%%s%n",
                before,
                after,
                100 * drift,
                kept ? "" : ", which is WRONG");
        var image = options.image();
        if (image != null) {
            draw(galaxy, image);
            out.println("wrote " + image);
        }
        return !options.checked() ? kept : isEqual(galaxy) && kept;
    }

    private boolean isEqual(Galaxy galaxy) {
        var alone = new Galaxy(options.bodies(), 0, options.bodies());
        for (int step = 0; step < options.steps(); step++) {
            alone.drift();
            alone.pull();
        }
        boolean equal = Arrays.equals(alone.places(), galaxy.places());
        out.println(
                equal
                        ? "all bodies are where one process has them, bit for bit"
                        : "NOT all bodies are where one process has them");
        return equal;
    }

    /// How many bodies there are in front of each other, seen along z.
    private static void draw(Galaxy galaxy, Path file) {
        var image = Palette.image(SIDE, SIDE);
        var pixels = ((DataBufferByte) image.getRaster().getDataBuffer()).getData();
        var counts = new int[SIDE * SIDE];
        var places = galaxy.places();
        for (int at = 0; at < places.length; at += 3) {
            int x = (int) Math.floor((places[at] / SEEN + 1) * SIDE / 2);
            int y = (int) Math.floor((places[at + 1] / SEEN + 1) * SIDE / 2);
            if (x >= 0 && x < SIDE && y >= 0 && y < SIDE) {
                counts[y * SIDE + x]++;
            }
        }
        double most = Math.log1p(Arrays.stream(counts).max().orElse(0));
        for (int i = 0; i < counts.length; i++) {
            pixels[i] = Palette.shade(Math.log1p(counts[i]) / most);
        }
        try {
            var bytes = new ByteArrayOutputStream();
            ImageIO.write(image, "png", bytes);
            WholeFile.write(file, bytes.toByteArray());
        } catch (IOException e) {
            throw new IbidemException(
                    "cannot write the picture " + file + ": " + e.getMessage() + "; name another",
                    e);
        }
    }
}
